// The two lines that kept reports pass on their way to events: the first asks DNS what a report's
// transport proves, which may take seconds and holds no connection of the database; the second
// reads it and asks whose its events are, then claims and stores it in one transaction.

import { inTransaction } from '../../kernel/db/database.ts'
import type { MailAuthentication } from '../../vocabulary/mail-authentication.ts'
import { claimReport, findKeptReport, type KeptReport } from './kept-report-store.ts'
import { authenticateReport, readAgain, settleKeptReport } from './process-report.ts'
import { prepareReading, type ReportDeps } from './record-verdict.ts'

export interface LinedReport {
  readonly tenantId: string
  readonly id: string
  readonly byteLength: number
  /**
   * The report itself where it is at hand; it is held as far as there is room for it, and fetched
   * at its turn if not.
   */
  readonly report: KeptReport | null
}

type LineEnd =
  | { readonly kind: 'read' }
  /** Not there any more, or read by somebody else. */
  | { readonly kind: 'gone' }
  /** It stays unread. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'closed' }

export interface ReadingLines {
  /** Never rejects. */
  readonly push: (report: LinedReport) => Promise<LineEnd>
  /** How many are neither being asked for nor being read. */
  readonly waitingCount: () => number
  /** Waits for those under way; the others stay unread. */
  readonly close: () => Promise<void>
}

// Six mails a second of a zone that does not answer within the 5 s of authenticate-mail.ts hold up
// no other.
const AUTHENTICATING_MAX = 32
// Each holds a connection of the pool (20 by default) while it stores, and reading has at most as
// many threads.
const READING_MAX = 4
// Of the reports in the two lines: two of the largest size, or thousands of the usual one (20 kB).
const UNDER_WAY_BYTES_MAX = 64 * 1024 * 1024
// Of those that wait for the first line: half a minute of the aim (50 mails/s of 20 kB).
const WAITING_BYTES_MAX = 32 * 1024 * 1024

export function openReadingLines(deps: ReportDeps): ReadingLines {
  return new Lines(deps)
}

interface Waiting extends LinedReport {
  readonly end: PromiseWithResolvers<LineEnd>
}

interface Authenticated {
  readonly waiting: Waiting
  readonly report: KeptReport
  readonly authentication: MailAuthentication | null
}

class Lines implements ReadingLines {
  readonly #deps: ReportDeps
  readonly #arrived: Waiting[] = []
  readonly #authenticated: Authenticated[] = []
  readonly #underWay = new Set<Promise<LineEnd>>()
  #authenticatingCount = 0
  #readingCount = 0
  #waitingBytes = 0
  #underWayBytes = 0
  #isClosed = false

  constructor(deps: ReportDeps) {
    this.#deps = deps
  }

  readonly waitingCount = (): number => this.#arrived.length + this.#authenticated.length

  readonly push = (lined: LinedReport): Promise<LineEnd> => {
    const end = Promise.withResolvers<LineEnd>()
    if (this.#isClosed) {
      end.resolve({ kind: 'closed' })
      return end.promise
    }
    const isHeld =
      lined.report !== null && this.#waitingBytes + lined.byteLength <= WAITING_BYTES_MAX
    if (isHeld) this.#waitingBytes += lined.byteLength
    this.#arrived.push({ ...lined, report: isHeld ? lined.report : null, end })
    this.#drain()
    return end.promise
  }

  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    for (const { end } of this.#arrived.splice(0)) end.resolve({ kind: 'closed' })
    for (const { waiting } of this.#authenticated.splice(0)) {
      waiting.end.resolve({ kind: 'closed' })
    }
    await Promise.all(this.#underWay)
  }

  // Each round takes something out of a line; closing empties both.
  #drain(): void {
    while (this.#readNext() || this.#authenticateNext());
  }

  #authenticateNext(): boolean {
    const [next] = this.#arrived
    if (next === undefined || this.#authenticatingCount >= AUTHENTICATING_MAX) return false
    const bytes = this.#underWayBytes + next.byteLength
    // One that is larger than all of the room has it for itself.
    if (this.#underWayBytes > 0 && bytes > UNDER_WAY_BYTES_MAX) return false
    this.#arrived.shift()
    if (next.report !== null) this.#waitingBytes -= next.byteLength
    this.#underWayBytes = bytes
    this.#authenticatingCount += 1
    this.#underWay.add(next.end.promise)
    void this.#authenticate(next)
    return true
  }

  async #authenticate(waiting: Waiting): Promise<void> {
    try {
      const { tenantId, id } = waiting
      const report =
        waiting.report ?? (await findKeptReport(this.#deps.database.kysely, { tenantId }, id))
      const authentication = report === null ? null : await authenticateReport(this.#deps, report)
      if (report === null) this.#finish(waiting, { kind: 'gone' })
      else if (this.#isClosed) this.#finish(waiting, { kind: 'closed' })
      else this.#authenticated.push({ waiting, report, authentication })
    } catch (error) {
      this.#finish(waiting, { kind: 'failed', error })
    }
    this.#authenticatingCount -= 1
    this.#drain()
  }

  #readNext(): boolean {
    if (this.#readingCount >= READING_MAX) return false
    const next = this.#authenticated.shift()
    if (next === undefined) return false
    this.#readingCount += 1
    void this.#read(next)
    return true
  }

  async #read(next: Authenticated): Promise<void> {
    const end = await readOne(this.#deps, next)
    this.#readingCount -= 1
    this.#finish(next.waiting, end)
    this.#drain()
  }

  #finish({ byteLength, end }: Waiting, how: LineEnd): void {
    this.#underWayBytes -= byteLength
    this.#underWay.delete(end.promise)
    end.resolve(how)
  }
}

async function readOne(
  deps: ReportDeps,
  { report, authentication }: Authenticated,
): Promise<LineEnd> {
  const { tenantId, id } = report
  try {
    const reading = await readAgain(deps, report)
    await prepareReading(deps, { tenantId }, reading)
    const runsStarted = await inTransaction(deps.database.kysely, async (tx) => {
      if (!(await claimReport(tx, { tenantId }, id))) return null
      const { taken } = await settleKeptReport(tx, deps, report, reading, authentication)
      return taken?.runsStarted ?? 0
    })
    if (runsStarted === null) return { kind: 'gone' }
    if (runsStarted > 0) deps.wakeWorkers()
    return { kind: 'read' }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

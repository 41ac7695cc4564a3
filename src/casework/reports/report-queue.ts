// The queue of kept reports on their way to events, in two stages. The first asks DNS what a
// report's transport proves, which may take seconds and holds no database connection; the second
// reads the report, claims it and stores it in one transaction. In both, tenants take turns.

import { TurnQueue } from '../../kernel/async/turn-queue.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import type { MailAuthentication } from '../../vocabulary/mail-authentication.ts'
import { findKeptReport, type KeptReport } from './kept-report-store.ts'
import { authenticateReport, processReport, type ReportDeps } from './process-report.ts'

export interface QueuedReport {
  readonly tenantId: string
  readonly id: string
  readonly byteLength: number
  /**
   * The report itself where it is at hand; it is kept in memory as far as there is room for it, and
   * fetched at its turn if not.
   */
  readonly report: KeptReport | null
}

type QueueEnd =
  | { readonly kind: 'read' }
  /** Removed, or read by another process. */
  | { readonly kind: 'gone' }
  /** It stays unread, for the sweep. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'closed' }

export interface ReportQueue {
  /** Never rejects. */
  readonly push: (report: QueuedReport) => Promise<QueueEnd>
  /** How many are in neither stage. */
  readonly waitingCount: () => number
  /** Waits for reports under way; the others stay unread. */
  readonly close: () => Promise<void>
}

// Six mails a second of a zone that does not answer within the 5 s of authenticate-mail.ts delay no
// other mail.
const AUTHENTICATING_MAX = 32
// Each uses a connection of the pool (20 by default) while it stores, and there are at most as many
// reading threads.
const READING_MAX = 4
// Reports in the two stages: two of the largest size, or thousands of the usual one (20 kB).
const UNDER_WAY_BYTES_MAX = 64 * 1024 * 1024
// Reports that wait for the first stage: half a minute of the aim (50 mails/s of 20 kB).
const WAITING_BYTES_MAX = 32 * 1024 * 1024

export function openReportQueue(deps: ReportDeps): ReportQueue {
  return new TwoStageQueue(deps)
}

interface Waiting extends QueuedReport {
  readonly end: PromiseWithResolvers<QueueEnd>
}

interface Authenticated {
  readonly waiting: Waiting
  readonly report: KeptReport
  readonly authentication: MailAuthentication | null
}

class TwoStageQueue implements ReportQueue {
  readonly #deps: ReportDeps
  readonly #arrived = new TurnQueue<Waiting>()
  readonly #authenticated = new TurnQueue<Authenticated>()
  readonly #underWay = new Set<Promise<QueueEnd>>()
  #authenticatingCount = 0
  #readingCount = 0
  #waitingBytes = 0
  #underWayBytes = 0
  #isClosed = false

  constructor(deps: ReportDeps) {
    this.#deps = deps
  }

  readonly waitingCount = (): number => this.#arrived.size + this.#authenticated.size

  readonly push = (queued: QueuedReport): Promise<QueueEnd> => {
    const end = Promise.withResolvers<QueueEnd>()
    if (this.#isClosed) {
      end.resolve({ kind: 'closed' })
      return end.promise
    }
    const isKept =
      queued.report !== null && this.#waitingBytes + queued.byteLength <= WAITING_BYTES_MAX
    if (isKept) this.#waitingBytes += queued.byteLength
    const report = isKept ? queued.report : null
    this.#arrived.push(queued.tenantId, { ...queued, report, end })
    this.#drain()
    return end.promise
  }

  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    for (const { end } of this.#arrived.clear()) end.resolve({ kind: 'closed' })
    for (const { waiting } of this.#authenticated.clear()) {
      waiting.end.resolve({ kind: 'closed' })
    }
    await Promise.all(this.#underWay)
  }

  // Each round takes a report out of a stage; closing empties both.
  #drain(): void {
    while (this.#readNext() || this.#authenticateNext());
  }

  #authenticateNext(): boolean {
    const next = this.#arrived.peek()
    if (next === undefined || this.#authenticatingCount >= AUTHENTICATING_MAX) return false
    const bytes = this.#underWayBytes + next.byteLength
    // A report that is larger than all of the room is processed alone.
    if (this.#underWayBytes > 0 && bytes > UNDER_WAY_BYTES_MAX) return false
    this.#arrived.shift()
    if (next.report !== null) this.#waitingBytes -= next.byteLength
    this.#underWayBytes = bytes
    this.#authenticatingCount += 1
    this.#underWay.add(next.end.promise)
    void inTenant(next, () => this.#authenticate(next))
    return true
  }

  async #authenticate(waiting: Waiting): Promise<void> {
    try {
      const { tenantId, id } = waiting
      const report = waiting.report ?? (await findKeptReport(this.#deps.db, { tenantId }, id))
      const authentication = report === null ? null : await authenticateReport(this.#deps, report)
      if (report === null) this.#finish(waiting, { kind: 'gone' })
      else if (this.#isClosed) this.#finish(waiting, { kind: 'closed' })
      else this.#authenticated.push(tenantId, { waiting, report, authentication })
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
    const end = await inTenant(next.waiting, () => readOne(this.#deps, next))
    this.#readingCount -= 1
    this.#finish(next.waiting, end)
    this.#drain()
  }

  #finish({ byteLength, end }: Waiting, how: QueueEnd): void {
    this.#underWayBytes -= byteLength
    this.#underWay.delete(end.promise)
    end.resolve(how)
  }
}

async function readOne(
  deps: ReportDeps,
  { report, authentication }: Authenticated,
): Promise<QueueEnd> {
  try {
    const isRead = await processReport(deps, report, authentication)
    return { kind: isRead ? 'read' : 'gone' }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

// Reads reports soon after they were kept, in the background: a mail is acknowledged when it is stored, whatever its reading takes. What
// waits here is an id only; what is lost with this process, or does not fit, is read by the sweep (read-unread-reports.ts). A report passes
// two lines: the first asks DNS what its transport proves, which may take seconds and holds no connection of the database; the second reads.

import { inTransaction } from '../../kernel/db/database.ts'
import type { MailAuthentication } from '../model/mail-authentication.ts'
import { authenticateReport, readKeptReport } from '../read-kept-report.ts'
import type { ReportDeps } from '../settle-report.ts'
import { claimNewReport, findKeptReport } from '../store/kept-report-store.ts'
import type { KeptFor } from '../take-in-report.ts'
import type { MailMetrics } from './mail-metrics.ts'

export interface ReadingQueue {
  /** `size` is that of the mail in bytes. */
  readonly push: (kept: KeptFor, size: number) => void
  /** Waits for those under way; the others stay unread. */
  readonly close: () => Promise<void>
}

// Each holds a connection of the pool (20 by default) while it reads, and reading has at most as many threads.
const READING_MAX = 4
// Six mails a second of a zone that does not answer within the 5 s of authenticate-mail.ts hold up no other.
const AUTHENTICATING_MAX = 32
// Two mails of the largest size, or thousands of the usual one (20 kB).
const AUTHENTICATING_BYTES_MAX = 64 * 1024 * 1024
// Half a minute of the aim (50 mails/s), before which the sweep does not look for them anyway.
const WAITING_MAX = 1_500

interface Waiting extends KeptFor {
  readonly size: number
}

interface Authenticated extends KeptFor {
  readonly authentication: MailAuthentication | null
}

export function createReadingQueue(deps: ReportDeps, metrics: MailMetrics): ReadingQueue {
  const arrived: Waiting[] = []
  const authenticated: Authenticated[] = []
  const authenticating = new Set<Promise<void>>()
  const reading = new Set<Promise<void>>()
  let authenticatingBytes = 0
  let isClosed = false

  const authenticate = async (next: Waiting): Promise<void> => {
    const found = await authenticateOne(deps, next)
    authenticatingBytes -= next.size
    if (found !== null && !isClosed) authenticated.push(found)
  }

  const authenticateNext = (): boolean => {
    const [next] = arrived
    if (next === undefined || authenticating.size >= AUTHENTICATING_MAX) return false
    const bytes = authenticatingBytes + next.size
    if (authenticating.size > 0 && bytes > AUTHENTICATING_BYTES_MAX) return false
    arrived.shift()
    authenticatingBytes = bytes
    const work = authenticate(next).finally(() => {
      authenticating.delete(work)
      drain()
    })
    authenticating.add(work)
    return true
  }

  const readNext = (): boolean => {
    if (reading.size >= READING_MAX) return false
    const next = authenticated.shift()
    if (next === undefined) return false
    const work = readOne(deps, next).finally(() => {
      reading.delete(work)
      drain()
    })
    reading.add(work)
    return true
  }

  // Each round takes something out of a bounded line; closing empties both.
  const drain = (): void => {
    while (readNext() || authenticateNext());
    metrics.waiting.set(arrived.length + authenticated.length)
  }

  return {
    push(kept, size) {
      if (isClosed) return
      if (arrived.length + authenticated.length >= WAITING_MAX) {
        metrics.leftToSweep.inc()
        return
      }
      arrived.push({ ...kept, size })
      drain()
    },
    async close() {
      isClosed = true
      arrived.length = 0
      authenticated.length = 0
      while (authenticating.size + reading.size > 0) {
        await Promise.all([...authenticating, ...reading])
      }
    },
  }
}

/** Never rejects; null when there is nothing to read, or the report is left to the sweep. */
async function authenticateOne(
  deps: ReportDeps,
  { tenantId, reportId }: KeptFor,
): Promise<Authenticated | null> {
  try {
    const kept = await findKeptReport(deps.database.kysely, { tenantId }, reportId)
    if (kept === null) return null
    return { tenantId, reportId, authentication: await authenticateReport(deps, kept) }
  } catch (error) {
    leaveToSweep(deps, reportId, error)
    return null
  }
}

/** Never rejects: what fails stays unread, and the sweep knows what to do with it. */
async function readOne(
  deps: ReportDeps,
  { tenantId, reportId, authentication }: Authenticated,
): Promise<void> {
  try {
    const runsStarted = await inTransaction(deps.database.kysely, async (tx) => {
      const kept = await claimNewReport(tx, { tenantId }, reportId)
      if (kept === null) return 0
      const { taken } = await readKeptReport(tx, deps, kept, authentication)
      return taken?.runsStarted ?? 0
    })
    if (runsStarted > 0) deps.hint.raise()
  } catch (error) {
    leaveToSweep(deps, reportId, error)
  }
}

function leaveToSweep({ log }: ReportDeps, reportId: string, error: unknown): void {
  log.warn('A report could not be read at once and is left to the sweep', {
    report_id: reportId,
    error: String(error),
  })
}

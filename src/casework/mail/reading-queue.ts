// Reads reports soon after they were kept, in the background: a mail is acknowledged when it is stored, whatever its reading takes. What
// waits here is an id only; what is lost with this process, or does not fit, is read by the sweep (read-unread-reports.ts).

import { inTransaction } from '../../kernel/db/database.ts'
import { readKeptReport } from '../read-kept-report.ts'
import type { ReportDeps } from '../settle-report.ts'
import { claimNewReport } from '../store/kept-report-store.ts'
import type { KeptFor } from '../take-in-report.ts'
import type { MailMetrics } from './mail-metrics.ts'

export interface ReadingQueue {
  readonly push: (kept: KeptFor) => void
  /** Waits for those under way; the others stay unread. */
  readonly close: () => Promise<void>
}

// Each holds a connection of the pool (20 by default) while it reads, and reading has at most as many threads.
const RUNNING_MAX = 4
// Half a minute of the aim (50 mails/s), before which the sweep does not look for them anyway.
const WAITING_MAX = 1_500

export function createReadingQueue(deps: ReportDeps, metrics: MailMetrics): ReadingQueue {
  const waiting: KeptFor[] = []
  const underWay = new Set<Promise<void>>()
  let isClosed = false

  const drain = (): void => {
    while (underWay.size < RUNNING_MAX) {
      // Closing empties the line.
      const next = waiting.shift()
      if (next === undefined) break
      const work = readOne(deps, next).finally(() => {
        underWay.delete(work)
        drain()
      })
      underWay.add(work)
    }
    metrics.waiting.set(waiting.length)
  }

  return {
    push(kept) {
      if (isClosed) return
      if (waiting.length >= WAITING_MAX) {
        metrics.leftToSweep.inc()
        return
      }
      waiting.push(kept)
      drain()
    },
    async close() {
      isClosed = true
      waiting.length = 0
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** Never rejects: what fails stays unread, and the sweep knows what to do with it. */
async function readOne(deps: ReportDeps, { tenantId, reportId }: KeptFor): Promise<void> {
  try {
    const runsStarted = await inTransaction(deps.database.kysely, async (tx) => {
      const kept = await claimNewReport(tx, { tenantId }, reportId)
      if (kept === null) return 0
      const { taken } = await readKeptReport(tx, deps, kept)
      return taken?.runsStarted ?? 0
    })
    if (runsStarted > 0) deps.hint.raise()
  } catch (error) {
    deps.log.warn('A report could not be read at once and is left to the sweep', {
      report_id: reportId,
      error: String(error),
    })
  }
}

// Reads stored reports in the background, because a mail is acknowledged before it is read. The
// sweep (read-unread-reports.ts) reads the reports that do not fit into this queue, and the reports
// of a process that ended.

import type { ReportDeps } from '../process-report.ts'
import { openReportQueue, type QueuedReport } from '../report-queue.ts'
import type { MailMetrics } from './mail-metrics.ts'

export interface ReadingQueue {
  readonly push: (report: QueuedReport) => void
  /** Waits for the reports in progress; the others stay unread. */
  readonly close: () => Promise<void>
}

// Some 10 MB of ids. At 50 mails/s such a burst is read in seven minutes; the sweep helps from the
// second minute on.
const WAITING_MAX = 20_000

export function createReadingQueue(
  deps: ReportDeps,
  metrics: MailMetrics,
  waitingMax: number = WAITING_MAX,
): ReadingQueue {
  const queue = openReportQueue(deps)
  const readInTurn = async (queued: QueuedReport): Promise<void> => {
    const end = await queue.push(queued)
    metrics.waiting.set(queue.waitingCount())
    if (end.kind !== 'failed') return
    deps.log.warn('A report could not be read at once; the sweep retries it', {
      report_id: queued.id,
      error: String(end.error),
    })
  }
  return {
    push(queued) {
      if (queue.waitingCount() >= waitingMax) {
        metrics.leftToSweep.inc()
        return
      }
      void readInTurn(queued)
      metrics.waiting.set(queue.waitingCount())
    },
    close: queue.close,
  }
}

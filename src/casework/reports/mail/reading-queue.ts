// Reads reports soon after they were kept, in the background: a mail is acknowledged when it is
// stored, whatever its reading takes. What is lost with this process, or does not fit, is read by
// the sweep (read-unread-reports.ts).

import type { ReportDeps } from '../process-report.ts'
import { openReportQueue, type QueuedReport } from '../report-queue.ts'
import type { MailMetrics } from './mail-metrics.ts'

export interface ReadingQueue {
  readonly push: (report: QueuedReport) => void
  /** Waits for those under way; the others stay unread. */
  readonly close: () => Promise<void>
}

// Some 10 MB of ids. A burst of as many mails is read here without a pause, in seven minutes at the
// aim (50 mails/s); the sweep helps from the second minute on.
const WAITING_MAX = 20_000

export function createReadingQueue(
  deps: ReportDeps,
  metrics: MailMetrics,
  waitingMax: number = WAITING_MAX,
): ReadingQueue {
  const lines = openReportQueue(deps)
  const follow = async (lined: QueuedReport): Promise<void> => {
    const end = await lines.push(lined)
    metrics.waiting.set(lines.waitingCount())
    if (end.kind !== 'failed') return
    deps.log.warn('A report could not be read at once and is left to the sweep', {
      report_id: lined.id,
      error: String(end.error),
    })
  }
  return {
    push(lined) {
      if (lines.waitingCount() >= waitingMax) {
        metrics.leftToSweep.inc()
        return
      }
      void follow(lined)
      metrics.waiting.set(lines.waitingCount())
    },
    close: lines.close,
  }
}

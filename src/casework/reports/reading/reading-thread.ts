// The worker thread that reads reports one by one. reading-pool.ts starts it and may kill it.

import { serveThread } from '../../../kernel/async/serve-thread.ts'
import { readReportBytes } from '../../../reader/read-report.ts'
import type { ReportContext, ReportResult } from '../../../reader/reading.ts'

export interface ReadingJob {
  readonly bytes: Uint8Array
  readonly context: ReportContext
}

serveThread<ReadingJob, ReportResult>(({ bytes, context }) => ({
  reply: readReportBytes(bytes, context),
}))

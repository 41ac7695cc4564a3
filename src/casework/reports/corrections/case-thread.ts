// The worker thread that writes regression cases. case-writer.ts starts it and may kill it.

import { serveThread } from '../../../kernel/async/serve-thread.ts'
import { writeRegressionCase } from '../../../reader/read-report.ts'
import type { CaseRequest, WrittenCase } from '../../../reader/reading.ts'

export interface CaseJob {
  readonly bytes: Uint8Array
  readonly request: CaseRequest
}

serveThread<CaseJob, WrittenCase>(({ bytes, request }) => ({
  reply: writeRegressionCase(bytes, request),
}))

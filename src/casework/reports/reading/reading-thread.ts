// The worker thread that reads reports and letters one by one. reading-pool.ts starts it and may
// kill it.

import { serveThread } from '../../../kernel/async/serve-thread.ts'
import { readLetterBytes, readReportBytes } from '../../../reader/read-report.ts'
import type { ReadLetter, ReportContext, ReportResult } from '../../../reader/reading.ts'

export interface ReadingJob {
  readonly bytes: Uint8Array
  /** Null for a letter. */
  readonly context: ReportContext | null
}

export type ReadingReply =
  | ReportResult
  | { readonly kind: 'letter'; readonly letter: ReadLetter | null }

serveThread<ReadingJob, ReadingReply>(({ bytes, context }) => ({
  reply:
    context === null
      ? { kind: 'letter', letter: readLetterBytes(bytes) }
      : readReportBytes(bytes, context),
}))

// The worker thread that reads reports and letters one by one. reading-pool.ts starts it and may
// kill it.

import { serveThread } from '../../../kernel/async/serve-thread.ts'
import {
  readEvidenceBytes,
  readLetterBytes,
  readReportBytes,
  showReportBytes,
} from '../../../reader/read-report.ts'
import type {
  ReadEvidence,
  ReadLetter,
  ReportContext,
  ReportResult,
  ShownReport,
} from '../../../reader/reading.ts'

export interface ReadingJob {
  readonly bytes: Uint8Array
  /** What to read: a report, a report and its text, or the letter or the evidence of a mail. */
  readonly context: ReportContext | ShowContext | 'letter' | 'evidence'
}

/** The report is shown as well as read. */
interface ShowContext {
  readonly shown: ReportContext
}

export type ReadingReply =
  | ReportResult
  | { readonly kind: 'letter'; readonly letter: ReadLetter | null }
  | { readonly kind: 'evidence'; readonly evidence: ReadEvidence | null }
  | { readonly kind: 'shown'; readonly shown: ShownReport }

serveThread<ReadingJob, ReadingReply>(({ bytes, context }) => ({ reply: read(bytes, context) }))

function read(bytes: Uint8Array, context: ReadingJob['context']): ReadingReply {
  if (context === 'letter') return { kind: 'letter', letter: readLetterBytes(bytes) }
  if (context === 'evidence') return { kind: 'evidence', evidence: readEvidenceBytes(bytes) }
  if ('shown' in context) return { kind: 'shown', shown: showReportBytes(bytes, context.shown) }
  return readReportBytes(bytes, context)
}

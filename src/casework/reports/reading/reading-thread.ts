// A thread that reads reports, one at a time, and may be killed at it. Started by reading-pool.ts.

import { parentPort } from 'node:worker_threads'
import { readReportBytes } from '../../../reader/read-report.ts'
import type { ReportContext, ReportResult } from '../../../reader/reading.ts'
import type { ReadBytes } from '../read-raw-report.ts'

const read: ReadBytes = readReportBytes

export interface ReadingJob {
  readonly bytes: Uint8Array
  readonly context: ReportContext
}

/** `spentMs`: processor time of this thread since its start, by which the next job is measured. */
export type ReadingAnswer = { readonly spentMs: number } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly result: ReportResult }
  /** The reader threw: a fault of ours. */
  | { readonly kind: 'failed'; readonly reason: string }
)

if (parentPort !== null) serve(parentPort)

function serve(parent: NonNullable<typeof parentPort>): void {
  const post = (answer: ReadingAnswer): void => parent.postMessage(answer)
  parent.on('message', (job: ReadingJob) => {
    void answerJob(job).then(post)
  })
  post({ kind: 'ready', spentMs: readSpentMs() })
}

async function answerJob({ bytes, context }: ReadingJob): Promise<ReadingAnswer> {
  try {
    const result = await read(bytes, context)
    return { kind: 'read', result, spentMs: readSpentMs() }
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { kind: 'failed', reason, spentMs: readSpentMs() }
  }
}

function readSpentMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

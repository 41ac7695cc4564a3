// A thread that does jobs on the intel set, one after the other, beside the serving threads.
// Started by index-worker.ts.

import { parentPort } from 'node:worker_threads'
import { doIndexJob, type IndexJob } from './index-job.ts'

export interface JobMessage {
  readonly id: number
  readonly job: IndexJob
}

export type JobAnswer =
  | { readonly id: number; readonly kind: 'done'; readonly buffer: SharedArrayBuffer }
  | { readonly id: number; readonly kind: 'failed'; readonly reason: string }

if (parentPort !== null) serve(parentPort)

function serve(parent: NonNullable<typeof parentPort>): void {
  const reply = async ({ id, job }: JobMessage): Promise<void> => {
    // A port between threads knows no origins; the rule means windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    parent.postMessage(await answer(id, job))
  }
  let last: Promise<void> = Promise.resolve()
  parent.on('message', (message: JobMessage) => {
    last = last.then(() => reply(message))
  })
}

async function answer(id: number, job: IndexJob): Promise<JobAnswer> {
  try {
    return { id, kind: 'done', buffer: await doIndexJob(job) }
  } catch (error) {
    return { id, kind: 'failed', reason: String(error) }
  }
}

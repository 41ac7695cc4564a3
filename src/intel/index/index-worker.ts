// Hands jobs to a thread of its own, which is there only while there is something to do: idle it
// would cost some 15 MB.

import type { Worker } from 'node:worker_threads'
import { startWorkerBehind } from '../../kernel/async/yield-processor.ts'
import type { IndexJob } from './index-job.ts'
import type { JobAnswer, JobMessage } from './index-thread.ts'

// Starting a thread takes about 100 ms, so it stays between the parts of one import.
const LINGER_MS = 5_000

type Pending = PromiseWithResolvers<SharedArrayBuffer>

export class IndexWorker {
  #worker: Worker | null = null
  #linger: NodeJS.Timeout | undefined
  #lastId = 0
  readonly #pending = new Map<number, Pending>()
  #isClosed = false

  /** Rejects when the job fails, the thread ends, or this is closed. */
  run(job: IndexJob): Promise<SharedArrayBuffer> {
    if (this.#isClosed) return Promise.reject(new Error('the index is closed'))
    clearTimeout(this.#linger)
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#lastId += 1
    const id = this.#lastId
    const pending = Promise.withResolvers<SharedArrayBuffer>()
    this.#pending.set(id, pending)
    // A port between threads knows no origins; the rule means windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#worker.postMessage({ id, job } satisfies JobMessage)
    return pending.promise
  }

  #start(): Worker {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const worker = startWorkerBehind(new URL(`./index-thread.${extension}`, import.meta.url))
    worker.on('message', (answer: JobAnswer) => this.#settle(worker, answer))
    const fail = (error: Error): void => {
      if (this.#worker !== worker) return
      this.#worker = null
      this.#rejectAll(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread of the index ended early')))
    return worker
  }

  #settle(worker: Worker, answer: JobAnswer): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (answer.kind === 'done') pending?.resolve(answer.buffer)
    else pending?.reject(new Error(answer.reason))
    if (this.#pending.size > 0) return
    worker.unref()
    this.#linger = setTimeout(() => void this.#end(), LINGER_MS)
    this.#linger.unref()
  }

  #rejectAll(error: Error): void {
    for (const pending of this.#pending.values()) pending.reject(error)
    this.#pending.clear()
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#linger)
    const ending = this.#end()
    this.#rejectAll(new Error('the index is closed'))
    await ending
  }
}

// One reading thread as the pool sees it: started, given a report, killed when that takes too long or too much.

import { Worker } from 'node:worker_threads'
import type { ReportContext, ReportResult } from '../report.ts'
import type { ReadingAnswer, ReadingJob } from './reading-thread.ts'

export type ReadingEnd =
  | { readonly kind: 'read'; readonly result: ReportResult }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The thread is gone with the report. */
  | { readonly kind: 'too_slow' | 'too_large' | 'crashed' }

export interface ReadingLimits {
  /** From the moment the thread is given the report. */
  readonly timeLimitMs: number
  /** Of the heap; what a report may unpack to beside it is bounded by its own limits. */
  readonly memoryMb: number
}

// Loading the readers takes some 200 ms; a thread that is not there by then never will be.
const START_LIMIT_MS = 60_000
// Of it comes what was just made; the rest of the memory is for what stays.
const YOUNG_MB = 32

export class ReadingWorker {
  readonly #worker: Worker
  readonly #limits: ReadingLimits
  readonly #ready = Promise.withResolvers<void>()
  #job: PromiseWithResolvers<ReadingEnd> | null = null
  #hasEnded = false

  constructor(limits: ReadingLimits) {
    this.#limits = limits
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    this.#worker = new Worker(new URL(`./reading-thread.${extension}`, import.meta.url), {
      name: 'report-reader',
      // It needs no setting and no secret of the process.
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: limits.memoryMb - YOUNG_MB,
        maxYoungGenerationSizeMb: YOUNG_MB,
      },
    })
    this.#worker.on('message', (answer: ReadingAnswer) => this.#hear(answer))
    this.#worker.on('error', (error: Error) => {
      const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#end(isMemory ? 'too_large' : 'crashed', error)
    })
    this.#worker.on('exit', () => this.#end('crashed', new Error('the reading thread ended')))
    // Whoever reads waits for it; nobody else has to.
    this.#ready.promise.catch(() => undefined)
  }

  /** False once the thread is gone; then it is of no more use. */
  get isAlive(): boolean {
    return !this.#hasEnded
  }

  /** One report at a time. Rejects only when the thread cannot be started. */
  async read(bytes: Uint8Array, context: ReportContext): Promise<ReadingEnd> {
    this.#worker.ref()
    const starting = setTimeout(() => this.#kill('crashed'), START_LIMIT_MS)
    await this.#ready.promise.finally(() => clearTimeout(starting))
    const job = Promise.withResolvers<ReadingEnd>()
    this.#job = job
    // One copy, handed over: the caller keeps its own bytes.
    const copy = new Uint8Array(bytes)
    this.#worker.postMessage({ bytes: copy, context } satisfies ReadingJob, [copy.buffer])
    const timer = setTimeout(() => {
      // An answer that came while this thread was busy is heard first.
      setImmediate(() => {
        if (this.#job === job) this.#kill('too_slow')
      })
    }, this.#limits.timeLimitMs)
    return await job.promise.finally(() => {
      clearTimeout(timer)
      this.#worker.unref()
    })
  }

  /** Breaks off what is under way. */
  async stop(): Promise<void> {
    this.#kill('crashed')
    await this.#worker.terminate()
  }

  #hear(answer: ReadingAnswer): void {
    if (answer.kind === 'ready') {
      this.#ready.resolve()
      return
    }
    const job = this.#job
    this.#job = null
    job?.resolve(answer)
  }

  #kill(kind: 'too_slow' | 'crashed'): void {
    this.#end(kind, new Error('the reading thread was stopped'))
    void this.#worker.terminate()
  }

  #end(kind: 'too_slow' | 'too_large' | 'crashed', error: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#ready.reject(error)
    const job = this.#job
    this.#job = null
    job?.resolve({ kind })
  }
}

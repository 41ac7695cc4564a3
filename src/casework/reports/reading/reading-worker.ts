// One reading thread as the pool sees it: started, given a report, killed when that takes too long
// or too much.

import { Worker } from 'node:worker_threads'
import type { ReportContext, ReportResult } from '../../../reader/reading.ts'
import type { ReadingAnswer, ReadingJob } from './reading-thread.ts'

export type ReadingEnd =
  | { readonly kind: 'read'; readonly result: ReportResult }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The thread is gone with the report. */
  | { readonly kind: Loss }

/**
 * `too_slow`: its processor time was used up. `timed_out`: it had time enough by the clock,
 * whatever it did with it.
 */
type Loss = 'too_slow' | 'timed_out' | 'too_large' | 'crashed'

export interface ReadingLimits {
  /** Of processor time: on a busy machine a report may take as long as it needs by the clock. */
  readonly cpuLimitMs: number
  /** By the clock, from the moment the thread is given the report. */
  readonly waitLimitMs: number
  /** Of the heap; what a report may unpack to beside it is bounded by its own limits. */
  readonly memoryMb: number
  /** The thread of another reader, for tests. */
  readonly threadUrl?: URL
}

// Loading the readers takes some 200 ms; a thread that is not there by then never will be.
const START_LIMIT_MS = 60_000
// Of it comes what was just made; the rest of the memory is for what stays.
const YOUNG_MB = 32
// How often a report under way is looked after. Asking a busy thread what it spent takes it some
// microseconds; one within a long call of the engine answers behind that call.
const LOOK_MS = 50

export class ReadingWorker {
  readonly #worker: Worker
  readonly #limits: ReadingLimits
  readonly #ready = Promise.withResolvers<void>()
  #job: PromiseWithResolvers<ReadingEnd> | null = null
  /** Processor time of the thread before the job. */
  #spentMs = 0
  #hasEnded = false

  constructor(limits: ReadingLimits) {
    this.#limits = limits
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const own = new URL(`./reading-thread.${extension}`, import.meta.url)
    this.#worker = new Worker(limits.threadUrl ?? own, {
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
    const looking = this.#lookAfter(job)
    return await job.promise.finally(() => {
      clearInterval(looking)
      this.#worker.unref()
    })
  }

  /**
   * Kills the thread once the job is over a limit. The clock is that of this thread's own turns, so
   * that a process which was stopped for a minute does not hold the minute against the report.
   */
  #lookAfter(job: PromiseWithResolvers<ReadingEnd>): NodeJS.Timeout {
    const { cpuLimitMs, waitLimitMs } = this.#limits
    const spentBeforeMs = this.#spentMs
    let waitedMs = 0
    let isAsking = false
    const ask = async (): Promise<void> => {
      const { user, system } = await this.#worker.cpuUsage()
      const spentMs = (user + system) / 1_000 - spentBeforeMs
      // Before the limit would be passed at the next look.
      if (this.#job === job && spentMs + LOOK_MS > cpuLimitMs) this.#kill('too_slow')
      isAsking = false
    }
    return setInterval(() => {
      waitedMs += LOOK_MS
      if (waitedMs >= waitLimitMs) this.#kill('timed_out')
      // No thread spends more than the clock tells.
      if (isAsking || waitedMs + LOOK_MS < cpuLimitMs) return
      isAsking = true
      // A thread that is gone ends the job itself.
      ask().catch(() => undefined)
    }, LOOK_MS)
  }

  /** Breaks off what is under way. */
  async stop(): Promise<void> {
    this.#kill('crashed')
    await this.#worker.terminate()
  }

  #hear(answer: ReadingAnswer): void {
    this.#spentMs = answer.spentMs
    if (answer.kind === 'ready') {
      this.#ready.resolve()
      return
    }
    const job = this.#job
    this.#job = null
    job?.resolve(answer)
  }

  #kill(kind: Loss): void {
    this.#end(kind, new Error('the reading thread was stopped'))
    void this.#worker.terminate()
  }

  #end(kind: Loss, error: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#ready.reject(error)
    const job = this.#job
    this.#job = null
    job?.resolve({ kind })
  }
}

// A worker thread that is started with its first job and ended when there is nothing to do. A job
// that breaks a limit is killed with its thread; the next job starts another one. The thread's own
// side is in serve-thread.ts.

import { Worker, type WorkerOptions } from 'node:worker_threads'
import { startWorkerBehind } from './background.ts'
import { buildBareEnvironment } from './bare-environment.ts'
import type { ThreadReport, ThreadRequest } from './serve-thread.ts'

/** Why a thread is gone with its jobs. `too_slow`: by processor time; `timed_out`: by the clock. */
export type LossReason =
  | 'not_started'
  | 'too_slow'
  | 'timed_out'
  | 'too_large'
  | 'crashed'
  | 'closed'

/** The thread ended before the job did. */
export class ThreadLost extends Error {
  readonly why: LossReason

  constructor(why: LossReason, message: string, cause?: Error) {
    super(message, { cause })
    this.name = 'ThreadLost'
    this.why = why
  }
}

/** Limits of one job. A host with limits runs one job at a time. */
export interface JobLimits {
  /** Processor time: on a busy machine a job may take as long as it needs by the clock. */
  readonly cpuLimitMs: number
  /** By the clock, from the moment at which the thread is given the job. */
  readonly waitLimitMs: number
  /** Of the heap of the thread, for all that it holds. */
  readonly memoryMb: number
}

export interface WorkerHostOptions {
  readonly script: URL
  /** Names the thread in error messages and to tools: "report reader". */
  readonly name: string
  /** How long the thread stays without a job: starting one takes about 100 ms. */
  readonly lingerMs: number
  /** True gives the thread a lower priority than the serving threads have. */
  readonly isBehind: boolean
  readonly limits?: JobLimits
}

/** A job that is given in several messages, and answers with any number of replies. */
export interface Conversation<Message> {
  /** Does nothing once the thread is gone. */
  readonly post: (message: Message, transfer?: readonly ArrayBuffer[]) => void
  /** The host hears no more replies to it. Must be called, also after a failure. */
  readonly end: () => void
}

export interface Listener<Reply> {
  readonly onReply: (reply: Reply) => void
  /** The job threw, or the thread is gone (`ThreadLost`). */
  readonly onFailure: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  readonly whenReady: PromiseWithResolvers<void>
  isReady: boolean
  /** Processor time at the end of the last job. */
  spentMs: number
}

// Loading the modules of a thread takes some 200 ms; one that is not ready by then never will be.
const START_LIMIT_MS = 60_000
// Part of the memory of a thread, for short-lived objects.
const YOUNG_MB = 32
// How often a running job is measured. Asking a busy thread for its processor time costs it some
// microseconds; within a long call of the engine it answers after that call.
const MEASURE_MS = 50

/** The script `name` beside the calling module: TypeScript in a checkout, JavaScript in a build. */
export function locateScript(name: string, moduleUrl: string): URL {
  const extension = moduleUrl.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${extension}`, moduleUrl)
}

export class WorkerHost<Message, Reply> {
  readonly #options: WorkerHostOptions
  readonly #jobs = new Map<number, Listener<Reply>>()
  #thread: Thread | null = null
  #linger: NodeJS.Timeout | undefined
  #lastId = 0
  #isClosed = false

  constructor(options: WorkerHostOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#thread !== null
  }

  /** Throws `ThreadLost` when the host is closed. */
  open(listener: Listener<Reply>): Conversation<Message> {
    if (this.#isClosed) throw this.#explain('closed')
    clearTimeout(this.#linger)
    this.#thread ??= this.#start()
    const thread = this.#thread
    thread.worker.ref()
    this.#lastId += 1
    const id = this.#lastId
    this.#jobs.set(id, listener)
    return {
      post: (message, transfer = []) => {
        if (this.#thread !== thread) return
        thread.worker.postMessage({ id, message } satisfies ThreadRequest<Message>, transfer)
      },
      end: () => this.#forget(id),
    }
  }

  /**
   * The reply to one message. Rejects when the job throws, and with `ThreadLost` when the thread is
   * gone before the reply.
   */
  async run(message: Message, transfer: readonly ArrayBuffer[] = []): Promise<Reply> {
    const reply = Promise.withResolvers<Reply>()
    const job = this.open({ onReply: reply.resolve, onFailure: reply.reject })
    const thread = this.#thread
    let stopWatching: (() => void) | null = null
    try {
      const { limits } = this.#options
      if (limits !== undefined && thread !== null) {
        await this.#waitUntilReady(thread, reply.promise)
        stopWatching = this.#watch(thread, limits)
      }
      job.post(message, transfer)
      return await reply.promise
    } finally {
      stopWatching?.()
      job.end()
    }
  }

  /** Breaks off the running jobs. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#linger)
    const thread = this.#thread
    if (thread === null) return
    this.#lose(thread, 'closed')
    await thread.worker.terminate()
  }

  #start(): Thread {
    const { script, name, isBehind, limits } = this.#options
    const options = { name, ...(limits === undefined ? {} : confine(limits)) }
    const worker = isBehind ? startWorkerBehind(script, options) : new Worker(script, options)
    const whenReady = Promise.withResolvers<void>()
    const thread: Thread = { worker, whenReady, isReady: false, spentMs: 0 }
    worker.on('message', (report: ThreadReport<Reply>) => this.#hear(thread, report))
    worker.on('error', (error: Error) => {
      const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#lose(thread, isMemory ? 'too_large' : 'crashed', error)
    })
    worker.on('exit', () => this.#lose(thread, 'crashed'))
    return thread
  }

  #hear(thread: Thread, report: ThreadReport<Reply>): void {
    if (this.#thread !== thread) return
    thread.spentMs = report.spentMs
    if (report.kind === 'ready') {
      thread.isReady = true
      thread.whenReady.resolve()
      return
    }
    const job = this.#jobs.get(report.id)
    if (report.kind === 'reply') job?.onReply(report.reply)
    else job?.onFailure(new Error(report.reason))
  }

  /** Ends once for each thread; its jobs fail. */
  #lose(thread: Thread, why: LossReason, cause?: Error): void {
    if (this.#thread !== thread) return
    this.#thread = null
    clearTimeout(this.#linger)
    const reason = thread.isReady || why === 'closed' ? why : 'not_started'
    const jobs = [...this.#jobs.values()]
    this.#jobs.clear()
    for (const job of jobs) job.onFailure(this.#explain(reason, cause))
  }

  #explain(why: LossReason, cause?: Error): ThreadLost {
    const { name } = this.#options
    const detail = cause === undefined ? '' : `: ${cause.message}`
    return new ThreadLost(why, `The thread "${name}" has ended (${why})${detail}`, cause)
  }

  #kill(thread: Thread, why: LossReason): void {
    this.#lose(thread, why)
    void thread.worker.terminate()
  }

  #forget(id: number): void {
    this.#jobs.delete(id)
    const thread = this.#thread
    if (thread === null || this.#jobs.size > 0) return
    thread.worker.unref()
    clearTimeout(this.#linger)
    this.#linger = setTimeout(() => {
      this.#thread = null
      void thread.worker.terminate()
    }, this.#options.lingerMs)
    this.#linger.unref()
  }

  async #waitUntilReady(thread: Thread, reply: Promise<Reply>): Promise<void> {
    const starting = setTimeout(() => this.#kill(thread, 'not_started'), START_LIMIT_MS)
    // A thread that is lost meanwhile rejects the reply.
    await Promise.race([thread.whenReady.promise, reply]).finally(() => clearTimeout(starting))
  }

  /**
   * Kills the thread once its job is over a limit. The clock counts the turns of this thread, so
   * that a process which was stopped for a minute does not hold the minute against the job.
   */
  #watch(thread: Thread, { cpuLimitMs, waitLimitMs }: JobLimits): () => void {
    const spentBeforeMs = thread.spentMs
    let waitedMs = 0
    let isAsking = false
    let isOver = false
    const measure = async (): Promise<void> => {
      const { user, system } = await thread.worker.cpuUsage()
      const spentMs = (user + system) / 1_000 - spentBeforeMs
      isAsking = false
      // Killed before the limit would be passed at the next measurement.
      if (!isOver && spentMs + MEASURE_MS > cpuLimitMs) this.#kill(thread, 'too_slow')
    }
    const watching = setInterval(() => {
      waitedMs += MEASURE_MS
      if (waitedMs >= waitLimitMs) this.#kill(thread, 'timed_out')
      // No thread spends more processor time than has passed by the clock.
      if (isAsking || waitedMs + MEASURE_MS < cpuLimitMs) return
      isAsking = true
      // A thread that is gone has ended the job itself.
      measure().catch(() => undefined)
    }, MEASURE_MS)
    return () => {
      isOver = true
      clearInterval(watching)
    }
  }
}

/** No settings and secrets of the process, and no more memory than the limit. */
function confine({ memoryMb }: JobLimits): WorkerOptions {
  return {
    env: { ...buildBareEnvironment() },
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb - YOUNG_MB,
      maxYoungGenerationSizeMb: YOUNG_MB,
    },
  }
}

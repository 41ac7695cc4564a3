// Reads reports beside the serving threads: a mail made to hang or to fill the memory costs its own
// thread, which is replaced, and is told as unreadable. The threads start with the first report and
// end when there is nothing to read, since an idle one costs some 20 MB.

import type { Log } from '../../../kernel/log.ts'
import { detectFormat } from '../../../reader/detect-format.ts'
import { readReportBytes } from '../../../reader/read-report.ts'
import type { ReportContext, ReportResult } from '../../../reader/reading.ts'
import { readersBusy } from '../../cases/errors.ts'
import type { ReadingMetrics } from './reading-metrics.ts'
import { type ReadingEnd, type ReadingLimits, ReadingWorker } from './reading-worker.ts'

export interface ReadingPoolOptions extends Partial<ReadingLimits> {
  /** Threads at most. */
  readonly size: number
  /** Reports that may wait; one more is refused as overload and stays unread for the sweep. */
  readonly queueMax?: number
  /** Bytes of the reports that wait, all together; what goes beyond is refused likewise. */
  readonly queueBytesMax?: number
  /** How long an idle thread stays. */
  readonly lingerMs?: number
  readonly log: Log
  readonly metrics: ReadingMetrics
}

export interface ReadingPool {
  /**
   * Throws readersBusy when nobody can read it now (too many wait, this is closed), another error
   * when the reader itself fails.
   */
  readonly read: (bytes: Uint8Array, context: ReportContext) => Promise<ReportResult>
  /** How many threads there are now. */
  readonly threadCount: () => number
  /** Breaks off what is under way. */
  readonly close: () => Promise<void>
}

// Of processor time. Real mail takes 2 to 20 ms, a table of 10,000 rows some 1,000; what is not
// read by then will not be.
const CPU_LIMIT_MS = 2_000
// Ten times that, for a machine with ten times as much to do as it can.
const WAIT_LIMIT_MS = 20_000
const MEMORY_MB = 256
// Some 15 MB of mails of 15 kB.
const QUEUE_MAX = 1_000
// Two mails of the largest kind; each is held whole while it waits.
const QUEUE_BYTES_MAX = 64 * 1024 * 1024
const LINGER_MS = 30_000
// A complete XARF object of this size is read in 0.2 ms (measured 2026-11-22; 0.1 ms for one of 1
// kB).
const IN_THREAD_BYTES_MAX = 64 * 1024

interface Waiting {
  readonly bytes: Uint8Array
  readonly context: ReportContext
  readonly result: PromiseWithResolvers<ReportResult>
}

export function openReadingPool(options: ReadingPoolOptions): ReadingPool {
  return new Pool(options)
}

class Pool implements ReadingPool {
  readonly #options: ReadingPoolOptions
  readonly #limits: ReadingLimits
  readonly #queue: Waiting[] = []
  #queuedBytes = 0
  readonly #workers = new Set<ReadingWorker>()
  readonly #idle: ReadingWorker[] = []
  #linger: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ReadingPoolOptions) {
    this.#options = options
    this.#limits = {
      cpuLimitMs: CPU_LIMIT_MS,
      waitLimitMs: WAIT_LIMIT_MS,
      memoryMb: MEMORY_MB,
      ...options,
    }
  }

  readonly read = async (bytes: Uint8Array, context: ReportContext): Promise<ReportResult> => {
    if (this.#isClosed) throw readersBusy()
    if (isQuickToRead(bytes)) {
      this.#options.metrics.count('in_thread')
      return readReportBytes(bytes, context)
    }
    const { queueMax = QUEUE_MAX, queueBytesMax = QUEUE_BYTES_MAX, metrics } = this.#options
    const isTooMuch = this.#queuedBytes + bytes.length > queueBytesMax
    if (this.#queue.length >= queueMax || isTooMuch) {
      metrics.count('refused')
      throw readersBusy()
    }
    const result = Promise.withResolvers<ReportResult>()
    this.#queue.push({ bytes, context, result })
    this.#queuedBytes += bytes.length
    this.#dispatch()
    return await result.promise
  }

  readonly threadCount = (): number => this.#workers.size

  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    clearTimeout(this.#linger)
    for (const { result } of this.#queue.splice(0)) {
      result.reject(readersBusy())
    }
    await this.#stopWorkers([...this.#workers])
  }

  #dispatch(): void {
    clearTimeout(this.#linger)
    while (this.#queue.length > 0) {
      const worker = this.#takeWorker()
      if (worker === null) return
      const waiting = this.#queue.shift()
      if (waiting === undefined) return
      this.#queuedBytes -= waiting.bytes.length
      void this.#serve(worker, waiting)
    }
    const { lingerMs = LINGER_MS } = this.#options
    this.#linger = setTimeout(() => void this.#stopWorkers(this.#idle.splice(0)), lingerMs)
    this.#linger.unref()
  }

  #takeWorker(): ReadingWorker | null {
    for (let worker = this.#idle.pop(); worker !== undefined; worker = this.#idle.pop()) {
      if (worker.isAlive) return worker
      this.#workers.delete(worker)
    }
    if (this.#workers.size >= this.#options.size) return null
    const worker = new ReadingWorker(this.#limits)
    this.#workers.add(worker)
    return worker
  }

  async #serve(worker: ReadingWorker, { bytes, context, result }: Waiting): Promise<void> {
    const startedAt = performance.now()
    try {
      const end = await worker.read(bytes, context)
      this.#options.metrics.count(end.kind, (performance.now() - startedAt) / 1_000)
      if (this.#isClosed) result.reject(readersBusy())
      else this.#settle(end, bytes, result)
    } catch (error) {
      this.#options.log.error('A reading thread could not be started', { error: String(error) })
      result.reject(readersBusy())
    }
    if (worker.isAlive) this.#idle.push(worker)
    else this.#workers.delete(worker)
    if (!this.#isClosed) this.#dispatch()
  }

  #settle(end: ReadingEnd, bytes: Uint8Array, result: Waiting['result']): void {
    if (end.kind === 'read') {
      result.resolve(end.result)
      return
    }
    if (end.kind === 'failed') {
      result.reject(new Error(end.reason))
      return
    }
    const reason = explainEnd(end.kind, this.#limits)
    this.#options.log.warn('A report ended its reader', { why: end.kind, bytes: bytes.length })
    result.resolve({ kind: 'unreadable', reason })
  }

  async #stopWorkers(workers: readonly ReadingWorker[]): Promise<void> {
    for (const worker of workers) this.#workers.delete(worker)
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

function explainEnd(
  kind: Exclude<ReadingEnd['kind'], 'read' | 'failed'>,
  { cpuLimitMs, waitLimitMs, memoryMb }: ReadingLimits,
): string {
  switch (kind) {
    case 'too_slow':
      return `The report is not read: that took more than ${cpuLimitMs / 1_000} seconds of processor time.`
    case 'timed_out':
      return `The report is not read: that took longer than ${waitLimitMs / 1_000} seconds.`
    case 'too_large':
      return `The report is not read: that took more than ${memoryMb} MB of memory.`
    case 'crashed':
      return 'The report is not read: its reader ended on it.'
  }
}

function isQuickToRead(bytes: Uint8Array): boolean {
  if (bytes.length > IN_THREAD_BYTES_MAX) return false
  // Whatever else it is, an object begins so; a byte order mark is rare enough to take the long
  // way.
  if (bytes[0] !== 0x7b) return false
  return detectFormat(bytes).kind === 'xarf_v4'
}

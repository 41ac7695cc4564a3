// Reads reports in worker threads beside the serving threads. A hostile mail that hangs or fills
// the memory ends its own thread, which is replaced, and the report is unreadable. The threads
// start with the first report and end when they are idle, because an idle thread costs some 20 MB.

import { type Limit, limit, QueueFull } from '../../../kernel/async/limit.ts'
import {
  type JobLimits,
  type LossReason,
  locateScript,
  ThreadLost,
  WorkerHost,
} from '../../../kernel/async/worker-host.ts'
import type { Log } from '../../../kernel/log.ts'
import { isXarfObject, readReportBytes } from '../../../reader/read-report.ts'
import type {
  ReadEvidence,
  ReadLetter,
  ReportContext,
  ReportResult,
  ShownReport,
} from '../../../reader/reading.ts'
import { readersBusy } from '../../cases/errors.ts'
import type { ReadingEnd, ReadingMetrics } from './reading-metrics.ts'
import type { ReadingJob, ReadingReply } from './reading-thread.ts'

export interface ReadingPoolOptions extends Partial<JobLimits> {
  /** Maximum number of threads. */
  readonly size: number
  /** Maximum of queued reports; one more is refused as overload and left unread to the sweep. */
  readonly queueMax?: number
  /** Maximum of the queued reports' bytes in total; reports beyond it are refused likewise. */
  readonly queueBytesMax?: number
  /** How long an idle thread stays. */
  readonly lingerMs?: number
  /** Another script for the threads, for tests. */
  readonly threadUrl?: URL
  readonly log: Log
  readonly metrics: ReadingMetrics
}

export interface ReadingPool {
  /**
   * Throws readersBusy when the queue is full or the pool is closed, and another error when the
   * reader itself fails.
   */
  readonly read: (
    bytes: Uint8Array,
    context: ReportContext,
    /** Tenants take turns. */
    tenantId?: string,
  ) => Promise<ReportResult>
  /** Null when the bytes cannot be read as a mail; throws as `read` does. */
  readonly readLetter: (bytes: Uint8Array) => Promise<ReadLetter | null>
  readonly readEvidence: (bytes: Uint8Array) => Promise<ReadEvidence | null>
  /** A report that ends its thread is shown empty, with the limit as the result. */
  readonly show: (
    bytes: Uint8Array,
    context: ReportContext,
    tenantId?: string,
  ) => Promise<ShownReport>
  /** The number of running threads. */
  readonly threadCount: () => number
  /** Cancels the reports that are being read; they stay unread. */
  readonly close: () => Promise<void>
}

/** Of one report; a report over a limit is unreadable, with the limit as the reason. */
export const READING_LIMITS: JobLimits = {
  // Real mail takes 2 to 20 ms, a table of 10,000 rows some 1,000 ms, the worst 25 MB some
  // 1,600 ms.
  cpuLimitMs: 2_000,
  // Ten times the processor time, for a machine under ten times its load.
  waitLimitMs: 20_000,
  memoryMb: 256,
}
// Some 15 MB, with mails of 15 kB.
const QUEUE_MAX = 1_000
// Two mails of the largest size. A queued mail is in memory as a whole.
const QUEUE_BYTES_MAX = 64 * 1024 * 1024
const LINGER_MS = 30_000
// A complete XARF object of this size is read in a fraction of a millisecond.
const IN_THREAD_BYTES_MAX = 64 * 1024

export function openReadingPool(options: ReadingPoolOptions): ReadingPool {
  return new Pool(options)
}

type ReadingHost = WorkerHost<ReadingJob, ReadingReply>

class Pool implements ReadingPool {
  readonly #options: ReadingPoolOptions
  readonly #limits: JobLimits
  readonly #turns: Limit
  readonly #hosts: ReadingHost[] = []
  readonly #free: ReadingHost[] = []
  #isClosed = false

  constructor(options: ReadingPoolOptions) {
    this.#options = options
    this.#limits = { ...READING_LIMITS, ...options }
    const { size, queueMax = QUEUE_MAX, queueBytesMax = QUEUE_BYTES_MAX } = options
    this.#turns = limit(size, { queueMax, queueWeightMax: queueBytesMax })
  }

  readonly read = async (
    bytes: Uint8Array,
    context: ReportContext,
    tenantId?: string,
  ): Promise<ReportResult> => {
    if (this.#isClosed) throw readersBusy()
    const { metrics } = this.#options
    if (isQuickToRead(bytes)) {
      metrics.count('in_thread')
      return readReportBytes(bytes, context)
    }
    const work = async (): Promise<ReportResult> => {
      const reply = await this.#readOnFreeHost(bytes, context)
      return requireResult(reply)
    }
    return await this.#takeTurn(bytes, work, tenantId)
  }

  readonly readLetter = async (bytes: Uint8Array): Promise<ReadLetter | null> => {
    if (this.#isClosed) throw readersBusy()
    return await this.#takeTurn(bytes, async () => {
      const reply = await this.#readOnFreeHost(bytes, 'letter')
      return reply.kind === 'letter' ? reply.letter : null
    })
  }

  readonly readEvidence = async (bytes: Uint8Array): Promise<ReadEvidence | null> => {
    if (this.#isClosed) throw readersBusy()
    return await this.#takeTurn(bytes, async () => {
      const reply = await this.#readOnFreeHost(bytes, 'evidence')
      return reply.kind === 'evidence' ? reply.evidence : null
    })
  }

  readonly show = async (
    bytes: Uint8Array,
    context: ReportContext,
    tenantId?: string,
  ): Promise<ShownReport> => {
    if (this.#isClosed) throw readersBusy()
    const work = async (): Promise<ShownReport> => {
      const reply = await this.#readOnFreeHost(bytes, { shown: context })
      if (reply.kind === 'shown') return reply.shown
      const nothing = { headers: [], texts: [], files: [], locations: [], passedOverLocations: [] }
      return { result: requireResult(reply), ...nothing }
    }
    return await this.#takeTurn(bytes, work, tenantId)
  }

  async #takeTurn<Result>(
    bytes: Uint8Array,
    read: () => Promise<Result>,
    tenantId = '',
  ): Promise<Result> {
    const { metrics } = this.#options
    try {
      return await this.#turns.run(read, { key: tenantId, weight: bytes.length })
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error
      metrics.count('refused')
      throw readersBusy()
    }
  }

  readonly threadCount = (): number => this.#hosts.filter((host) => host.isRunning).length

  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    const closing = this.#turns.close(readersBusy())
    await Promise.all(this.#hosts.map((host) => host.close()))
    await closing
  }

  /** A host is always free, because there are as many hosts as turns. */
  async #readOnFreeHost(bytes: Uint8Array, context: ReadingJob['context']): Promise<ReadingReply> {
    const host = this.#free.pop() ?? this.#addHost()
    const startedAt = performance.now()
    const count = (end: ReadingEnd): void =>
      this.#options.metrics.count(end, (performance.now() - startedAt) / 1_000)
    try {
      // A copy is transferred to the thread, because the caller keeps its bytes.
      const copy = new Uint8Array(bytes)
      const result = await host.run({ bytes: copy, context }, [copy.buffer])
      count('read')
      return result
    } catch (error) {
      const report = this.#explainFailure(error, bytes.length, count)
      // For a letter and for evidence, a reply without a letter: the bytes cannot be read.
      return typeof context === 'string' ? { kind: 'letter', letter: null } : report
    } finally {
      this.#free.push(host)
    }
  }

  #addHost(): ReadingHost {
    const { threadUrl, lingerMs = LINGER_MS } = this.#options
    const host: ReadingHost = new WorkerHost({
      script: threadUrl ?? locateScript('reading-thread', import.meta.url),
      name: 'report-reader',
      lingerMs,
      isBehind: false,
      limits: this.#limits,
    })
    this.#hosts.push(host)
    return host
  }

  /** A report that ended its thread is unreadable; other errors are thrown. */
  #explainFailure(
    error: unknown,
    byteLength: number,
    count: (end: ReadingEnd) => void,
  ): ReportResult {
    const { log } = this.#options
    if (!(error instanceof ThreadLost)) {
      count('failed')
      throw error
    }
    const { why } = error
    if (why === 'closed') throw readersBusy()
    if (why === 'not_started') {
      log.error('A reading thread could not be started', { error: String(error) })
      throw readersBusy()
    }
    count(why)
    log.warn('A report ended its reading thread', { why, bytes: byteLength })
    const reason = explainLoss(why, this.#limits)
    return { kind: 'unreadable', reason, decidedBy: { rule: 'reading-limit', words: '' } }
  }
}

function requireResult(reply: ReadingReply): ReportResult {
  if (reply.kind === 'letter' || reply.kind === 'evidence' || reply.kind === 'shown') {
    throw new Error('a report was read as something else')
  }
  return reply
}

function explainLoss(
  why: Exclude<LossReason, 'not_started' | 'closed'>,
  { cpuLimitMs, waitLimitMs, memoryMb }: JobLimits,
): string {
  switch (why) {
    case 'too_slow':
      return `The report is not read: reading it took more than ${cpuLimitMs / 1_000} seconds of processor time.`
    case 'timed_out':
      return `The report is not read: reading it took longer than ${waitLimitMs / 1_000} seconds.`
    case 'too_large':
      return `The report is not read: reading it took more than ${memoryMb} MB of memory.`
    case 'crashed':
      return 'The report is not read: the reader crashed on it.'
  }
}

function isQuickToRead(bytes: Uint8Array): boolean {
  if (bytes.length > IN_THREAD_BYTES_MAX) return false
  // A JSON object begins with a brace. A byte order mark is rare enough to be read in a thread.
  if (bytes[0] !== 0x7b) return false
  return isXarfObject(bytes)
}

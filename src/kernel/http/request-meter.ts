// Counts and times each request by route and status for /metrics, and writes a log line where the
// setting asks for one. Label sets are bounded: routes are our table, statuses are HTTP's.

import type { IncomingMessage } from 'node:http'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { Log } from '../log.ts'
import type { OperatingError } from '../operating-error.ts'
import type { Route } from './route.ts'

export interface NoteOptions {
  readonly meter: RequestMeter
  readonly log: Log
  readonly accessLog: 'sampled' | 'all' | 'off'
}

interface AnsweredRequest {
  /** Null for a request that matched no route. */
  readonly route: Route | null
  readonly message: IncomingMessage
  readonly requestId: string
  /** Of `performance.now()`. */
  readonly startedAtMs: number
  /** Null for a request that is not traced. */
  readonly traceId?: string | null
}

export interface RequestNotes {
  /** `failure` is null for an answer that a handler gave, whatever its status. */
  readonly note: (request: AnsweredRequest, status: number, failure: OperatingError | null) => void
  /** For an answer to bytes that became no request. */
  readonly noteRawFailure: (error: OperatingError, requestId: string) => void
}

const SLOW_MS = 1_000
// A log line costs as much as a whole look-up, so of the hot routes one in so many is written.
const HOT_SAMPLE = 1_000
/** The operation under which a request is counted that matched no route. */
const NO_OPERATION = 'none'

export function createRequestNotes(options: NoteOptions): RequestNotes {
  const { meter, log, accessLog } = options
  let hotRequests = 0

  const isLogged = (route: Route | null, elapsedMs: number): boolean => {
    if (accessLog !== 'sampled') return accessLog === 'all'
    if (elapsedMs > SLOW_MS || route?.isHot !== true) return true
    hotRequests += 1
    return hotRequests % HOT_SAMPLE === 0
  }

  // The path goes without its query: items and cursors are data, and a token in a query must not
  // reach a log.
  const writeLine = (request: AnsweredRequest, status: number, elapsedMs: number): void => {
    log.info('request', {
      request_id: request.requestId,
      operation: request.route?.operationId ?? NO_OPERATION,
      method: request.message.method,
      path: readPath(request.message.url),
      status,
      ms: Math.round(elapsedMs * 10) / 10,
      ...nameTrace(request),
    })
  }

  const writeFailure = (request: AnsweredRequest, error: OperatingError): void => {
    const { route, requestId } = request
    const { cause } = error
    log.error(error.publicMessage, {
      code: error.code,
      request_id: requestId,
      operation: route?.operationId ?? NO_OPERATION,
      ...nameTrace(request),
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : cause,
    })
  }

  return {
    note(request, status, failure) {
      const { route } = request
      const elapsedMs = performance.now() - request.startedAtMs
      meter.note(route?.operationId ?? NO_OPERATION, status, elapsedMs / 1_000)
      if (failure !== null && status >= 500) writeFailure(request, failure)
      else if (isLogged(route, elapsedMs)) writeLine(request, status, elapsedMs)
    },
    noteRawFailure(error, requestId) {
      meter.note(NO_OPERATION, error.status, 0)
      log.debug('A request could not be read', { code: error.code, request_id: requestId })
    },
  }
}

function nameTrace({ traceId = null }: AnsweredRequest): object {
  return traceId === null ? {} : { trace_id: traceId }
}

/**
 * The path of a request target as sent, without query and without the scheme and host of an
 * absolute-form target (RFC 9112 section 3.2.2).
 */
export function readPath(target: string | undefined): string {
  const text = target ?? '/'
  const end = text.search(/[?#]/)
  const path = end === -1 ? text : text.slice(0, end)
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '') || '/'
}

export interface RequestMeter {
  readonly note: (operationId: string, status: number, seconds: number) => void
}

const BUCKETS_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
] as const

/** Plain numbers, because prom-client's own counting costs a tenth of a look-up. */
interface Tally {
  /** One count a bucket, not cumulative; the last is for what is slower than all. */
  readonly counts: Float64Array
  readonly byStatus: Map<number, number>
  sumSeconds: number
}

export function createRequestMeter(registry: Registry): RequestMeter {
  const tallies = new Map<string, Tally>()
  registry.registerMetric(new RequestSeconds(tallies))
  registry.registerMetric(new RequestTotal(tallies))
  return {
    note(operationId, status, seconds) {
      let tally = tallies.get(operationId)
      if (tally === undefined) {
        tally = {
          counts: new Float64Array(BUCKETS_SECONDS.length + 1),
          byStatus: new Map(),
          sumSeconds: 0,
        }
        tallies.set(operationId, tally)
      }
      const bucket = findBucket(seconds)
      tally.counts[bucket] = (tally.counts[bucket] ?? 0) + 1
      tally.sumSeconds += seconds
      tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1)
    },
  }
}

// Most requests fall into the first buckets, so a search from the left is the fastest.
function findBucket(seconds: number): number {
  let bucket = 0
  for (const bound of BUCKETS_SECONDS) {
    if (seconds <= bound) return bucket
    bucket += 1
  }
  return bucket
}

const SECONDS_NAME = 'casework_http_request_duration_seconds'
const TOTAL_NAME = 'casework_http_requests_total'

const SECONDS = {
  name: SECONDS_NAME,
  help: 'Seconds from the headers of a request to its answer.',
  labelNames: ['operation'] as const,
  registers: [],
}

/** A histogram that is read from the tallies; it does not observe each request. */
class RequestSeconds extends Histogram<'operation' | 'le'> {
  readonly #tallies: ReadonlyMap<string, Tally>
  readonly #empty = new Histogram<'operation' | 'le'>(SECONDS)

  constructor(tallies: ReadonlyMap<string, Tally>) {
    super(SECONDS)
    this.#tallies = tallies
  }

  override async get(): ReturnType<Histogram<'operation' | 'le'>['get']> {
    const values = [...this.#tallies].flatMap(([operation, tally]) =>
      presentTally(operation, tally),
    )
    return { ...(await this.#empty.get()), values }
  }

  /** Histograms of prom-client are printed from this, not from `get`. */
  getForPromString(): ReturnType<Histogram<'operation' | 'le'>['get']> {
    return this.get()
  }
}

function presentTally(operation: string, tally: Tally) {
  let count = 0
  const buckets = [...tally.counts].map((inBucket, index) => {
    count += inBucket
    const le = BUCKETS_SECONDS[index] ?? '+Inf'
    return { metricName: `${SECONDS_NAME}_bucket`, labels: { le, operation }, value: count }
  })
  const labels = { operation }
  return [
    ...buckets,
    { metricName: `${SECONDS_NAME}_sum`, labels, value: tally.sumSeconds },
    { metricName: `${SECONDS_NAME}_count`, labels, value: count },
  ]
}

class RequestTotal extends Counter<'operation' | 'status'> {
  readonly #tallies: ReadonlyMap<string, Tally>

  constructor(tallies: ReadonlyMap<string, Tally>) {
    super({
      name: TOTAL_NAME,
      help: 'Requests answered.',
      labelNames: ['operation', 'status'],
      registers: [],
    })
    this.#tallies = tallies
  }

  override async get(): ReturnType<Counter<'operation' | 'status'>['get']> {
    const values = [...this.#tallies].flatMap(([operation, tally]) =>
      [...tally.byStatus].map(([status, value]) => ({ labels: { operation, status }, value })),
    )
    return { ...(await super.get()), values }
  }
}

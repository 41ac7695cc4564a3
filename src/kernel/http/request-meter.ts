// Counts and times requests by route and status, for /metrics. Label sets are bounded: routes are
// our table, statuses are HTTP's. The counts are plain numbers: counting by
// prom-client costs about a tenth of a look-up.

import { Counter, Histogram, type Registry } from 'prom-client'

export interface RequestMeter {
  readonly note: (operationId: string, status: number, seconds: number) => void
}

const BUCKETS_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
] as const

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

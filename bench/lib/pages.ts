// Pages of lists over HTTP on one connection, beside the least that any page costs: one round trip
// to the database.

import { buildRequest, readPercentile, runLoad } from './load.ts'
import type { ServerProcess } from './process.ts'
import { type Figure, findMedian } from './report.ts'
import type { Stage } from './stage.ts'

const ROUND_TRIPS = 2_000

export interface PageLoad {
  readonly name: string
  /** Asked for in turns. */
  readonly paths: readonly string[]
  readonly requestsMax: number
  readonly durationMs: number
  /** As `measureRoundTrips` gives it. */
  readonly bareMs: number
}

/** Throws when a path does not answer 200 every time. */
export async function measurePage(
  stage: Stage,
  server: ServerProcess,
  { name, paths, requestsMax, durationMs, bareMs }: PageLoad,
): Promise<Figure> {
  const headers = { authorization: `Bearer ${stage.token}` }
  const requests = paths.map((path) => buildRequest('GET', path, headers))
  const empty = Buffer.alloc(0)
  let sent = 0
  const load = await runLoad({
    port: server.port,
    connections: 1,
    durationMs,
    requestsMax,
    next: () => requests[sent++ % requests.length] ?? empty,
  })
  if (Object.keys(load.statuses).join() !== '200') {
    throw new Error(`${paths[0]} answered ${JSON.stringify(load.statuses)}`)
  }
  const median = readPercentile(load.latenciesMs, 0.5)
  const slow = readPercentile(load.latenciesMs, 0.99)
  // On a machine with other work, the least says more of the program than the slowest does.
  const least = readPercentile(load.latenciesMs, 0)
  return {
    name,
    ours: `p50 ${median.toFixed(2)} ms, p99 ${slow.toFixed(2)} ms, least ${least.toFixed(2)} ms`,
    calibration: `p50 of "select 1" on one connection ${bareMs.toFixed(2)} ms`,
    ratio: median / bareMs,
  }
}

/** Median milliseconds. */
export async function measureRoundTrips(stage: Stage): Promise<number> {
  const client = await stage.pool.connect()
  try {
    const latenciesMs: number[] = []
    for (let count = 0; count < ROUND_TRIPS; count += 1) {
      const startedAt = performance.now()
      await client.query('select 1')
      latenciesMs.push(performance.now() - startedAt)
    }
    return findMedian(latenciesMs)
  } finally {
    client.release()
  }
}

/** The path of the page behind this one, by its cursor; null when it is the last, or no list. */
export async function findNextPath(
  stage: Stage,
  server: ServerProcess,
  path: string,
): Promise<string | null> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${stage.token}` },
  })
  const body: unknown = await answer.json()
  if (answer.status !== 200) throw new Error(`${path} answered ${JSON.stringify(body)}`)
  const cursor =
    typeof body === 'object' && body !== null && 'next_cursor' in body ? body.next_cursor : ''
  if (typeof cursor !== 'string' || cursor === '') return null
  return `${path}&cursor=${encodeURIComponent(cursor)}`
}

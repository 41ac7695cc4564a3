// Pages of lists over HTTP on one connection, beside the least that any page costs: one round trip
// to the database.

import { createCaller } from './call.ts'
import { buildRequest, createCycle, runLoad } from './load.ts'
import type { ServerProcess } from './process.ts'
import type { Figure } from './report.ts'
import type { Stage } from './stage.ts'
import { readPercentile } from './statistics.ts'

export interface PageLoad {
  readonly name: string
  /** Asked for in turns. */
  readonly paths: readonly string[]
  readonly requestsMax: number
  readonly durationMs: number
  /** As `measureRoundTrips` gives it, for one statement. */
  readonly bareMs: number
}

/** Throws when a path does not answer 200 every time. */
export async function measurePage(
  stage: Stage,
  server: ServerProcess,
  { name, paths, requestsMax, durationMs, bareMs }: PageLoad,
): Promise<Figure> {
  const headers = { authorization: `Bearer ${stage.token}` }
  const next = createCycle(paths.map((path) => buildRequest('GET', path, headers)))
  const { latenciesMs } = await runLoad({
    port: server.port,
    connections: 1,
    durationMs,
    requestsMax,
    next,
  })
  const median = readPercentile(latenciesMs, 0.5)
  const slow = readPercentile(latenciesMs, 0.99)
  // On a machine with other work, the least says more of the program than the slowest does.
  const least = readPercentile(latenciesMs, 0)
  return {
    name,
    ours: `p50 ${median.toFixed(2)} ms, p99 ${slow.toFixed(2)} ms, least ${least.toFixed(2)} ms`,
    calibration: `p50 of "select 1" on one connection ${bareMs.toFixed(2)} ms`,
    ratio: median / bareMs,
  }
}

/** The path of the page behind this one, by its cursor; null when it is the last, or no list. */
export async function findNextPath(
  stage: Stage,
  server: ServerProcess,
  path: string,
): Promise<string | null> {
  const body = await createCaller(server.port, stage.token)('GET', path)
  const cursor =
    typeof body === 'object' && body !== null && 'next_cursor' in body ? body.next_cursor : ''
  if (typeof cursor !== 'string' || cursor === '') return null
  return `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
}

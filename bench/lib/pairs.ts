// The same kinds of requests to two servers in turn, so that what the neighbours of the machine do
// meanwhile meets both.

import type { ServerProcess } from './process.ts'
import type { Figure } from './report.ts'
import { readPercentile, sortNumbers } from './statistics.ts'

export interface RequestKind {
  readonly name: string
  readonly mediaType: string
  /** The next request of this kind. */
  readonly next: () => { readonly path: string; readonly body?: string }
}

/** GET requests; `path` gives that of the next one. */
export function get(name: string, path: () => string): RequestKind {
  return { name, mediaType: 'application/json', next: () => ({ path: path() }) }
}

export interface Pair {
  readonly ours: ServerProcess
  readonly other: ServerProcess
  readonly token: string
  /** What the other one is, behind "of that": `of one partition`. */
  readonly otherIs: string
  /** Requests to each, those that warm it up included; never fewer than `PAIRS_MIN`. */
  readonly pairs: number
  /** A slow kind of request ends by time, with fewer pairs; 30 s when left out. */
  readonly kindMs?: number
}

const WARM_UP_PAIRS = 10
// Five are measured, however slow a kind of request is.
const PAIRS_MIN = WARM_UP_PAIRS + 5
const KIND_MS = 30_000

/**
 * Sends the requests of one kind to both servers in turns; compares their medians and their fastest
 * tenths. Throws at an answer other than 200.
 */
export async function comparePaired(pair: Pair, kind: RequestKind): Promise<Figure> {
  const headers = { authorization: `Bearer ${pair.token}`, 'content-type': kind.mediaType }
  return await compareTurns(pair, kind.name, () => {
    const request = kind.next()
    // Events that a shared database has already cost less, so each server gets a push of its own.
    const requests = { ours: request, other: request.body === undefined ? request : kind.next() }
    return async (which) => {
      const { path, body } = requests[which]
      const answer = await fetch(`http://127.0.0.1:${pair[which].port}${path}`, {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body }),
      })
      const text = await answer.text()
      if (answer.status !== 200) {
        throw new Error(`${path} answered ${answer.status} from ${which}: ${text.slice(0, 300)}`)
      }
    }
  })
}

type Which = 'ours' | 'other'

/** The same for any work: `next` gives the work of the next pair, which is done for both. */
export async function compareTurns(
  { otherIs, pairs, kindMs = KIND_MS }: Pick<Pair, 'otherIs' | 'pairs' | 'kindMs'>,
  name: string,
  next: () => (which: Which) => Promise<unknown>,
): Promise<Figure> {
  const times = { ours: [] as number[], other: [] as number[] }
  const startedAt = performance.now()
  const isOver = (pair: number): boolean =>
    pair >= PAIRS_MIN && performance.now() >= startedAt + kindMs
  for (let pair = 0; pair < Math.max(pairs, PAIRS_MIN) && !isOver(pair); pair += 1) {
    // The second may find pages of the database that the first has read, so they take turns.
    const order = pair % 2 === 0 ? (['ours', 'other'] as const) : (['other', 'ours'] as const)
    const work = next()
    for (const which of order) {
      const startedTurnAt = performance.now()
      await work(which)
      if (pair >= WARM_UP_PAIRS) times[which].push(performance.now() - startedTurnAt)
    }
  }
  const [mine, others] = [sortNumbers(times.ours), sortNumbers(times.other)]
  const tenth = readPercentile(mine, 0.1) / readPercentile(others, 0.1)
  const [median, otherMedian] = [readPercentile(mine, 0.5), readPercentile(others, 0.5)]
  return {
    name,
    ours: `p50 ${median.toFixed(2)} ms, fastest tenth ${tenth.toFixed(2)} of that ${otherIs}, ${mine.length} pairs`,
    calibration: `p50 ${otherMedian.toFixed(2)} ms ${otherIs}`,
    ratio: median / otherMedian,
  }
}

// The same kinds of requests to two servers in turn, so that what the neighbours of the machine do
// meanwhile meets both.

import { readPercentile } from './load.ts'
import type { ServerProcess } from './process.ts'
import type { Figure } from './report.ts'

export interface RequestKind {
  readonly name: string
  readonly mediaType: string
  /** The next request of this kind. */
  readonly next: () => { readonly path: string; readonly body?: string }
}

export function get(name: string, path: () => string): RequestKind {
  return { name, mediaType: 'application/json', next: () => ({ path: path() }) }
}

export interface Pair {
  readonly ours: ServerProcess
  readonly other: ServerProcess
  readonly token: string
  /** What the other one is, behind "of that". */
  readonly otherIs: string
  /** Requests to each. */
  readonly pairs: number
  /** A slow kind of request ends by time, with fewer pairs; 30 s when left out. */
  readonly kindMs?: number
}

const WARM_UP_PAIRS = 10
// Of the slowest kinds some are measured after all.
const PAIRS_MIN = WARM_UP_PAIRS + 5
const KIND_MS = 30_000

/** Medians of the two are compared, and the fastest tenth. */
export async function comparePaired(pair: Pair, kind: RequestKind): Promise<Figure> {
  const headers = { authorization: `Bearer ${pair.token}`, 'content-type': kind.mediaType }
  return await compareTurns(pair, kind.name, () => {
    let request = kind.next()
    return async (which) => {
      const { path, body } = request
      // A push that was there already costs less.
      if (body !== undefined) request = kind.next()
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

/** The same for any act: `next` gives that of a pair, which both do in turn. */
export async function compareTurns(
  { otherIs, pairs, kindMs = KIND_MS }: Pick<Pair, 'otherIs' | 'pairs' | 'kindMs'>,
  name: string,
  next: () => (which: Which) => Promise<unknown>,
): Promise<Figure> {
  const times = { ours: [] as number[], other: [] as number[] }
  const startedAt = performance.now()
  const isOver = (pair: number): boolean =>
    pair >= PAIRS_MIN && performance.now() >= startedAt + kindMs
  for (let pair = 0; pair < pairs && !isOver(pair); pair += 1) {
    // Which one comes first changes, since the second may find pages that the first has read.
    const order = pair % 2 === 0 ? (['ours', 'other'] as const) : (['other', 'ours'] as const)
    const act = next()
    for (const which of order) {
      const startedTurnAt = performance.now()
      await act(which)
      if (pair >= WARM_UP_PAIRS) times[which].push(performance.now() - startedTurnAt)
    }
  }
  const [mine, others] = [times.ours.toSorted(byNumber), times.other.toSorted(byNumber)]
  const tenth = readPercentile(mine, 0.1) / readPercentile(others, 0.1)
  const [median, otherMedian] = [readPercentile(mine, 0.5), readPercentile(others, 0.5)]
  return {
    name,
    ours: `p50 ${median.toFixed(2)} ms, fastest tenth ${tenth.toFixed(2)} of that ${otherIs}, ${mine.length} pairs`,
    calibration: `p50 ${otherMedian.toFixed(2)} ms ${otherIs}`,
    ratio: median / otherMedian,
  }
}

const byNumber = (a: number, b: number): number => a - b

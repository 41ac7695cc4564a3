// Questions about ranges cost a pass over the set, so a thread answers them one after the other.

import { limit, QueueFull } from '../../kernel/async/limit.ts'
import { tooManyRanges } from '../errors.ts'

/**
 * Runs one piece of work after the other. At most `unfinishedMax` of them are unfinished at once,
 * the running one included; one more is refused with INTEL_TOO_MANY_RANGES.
 */
export function inTurn(
  unfinishedMax: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const turns = limit(1, { queueMax: unfinishedMax - 1 })
  return async (work) => {
    try {
      return await turns.run(work)
    } catch (error) {
      throw error instanceof QueueFull ? tooManyRanges() : error
    }
  }
}

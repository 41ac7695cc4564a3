// Counts per key and minute, in memory of this thread, with a bound on how many keys are kept.

import { type Clock, systemClock } from '../clock.ts'

export interface RateLimiter {
  /** False when everything is allowed, so that a caller need not even work out the key. */
  readonly isOn: boolean
  /** Counts one and answers 0 when allowed, else the seconds until the window ends. */
  readonly take: (key: string) => number
}

const WINDOW_MS = 60_000
// 100,000 addresses × about 100 bytes: 10 MB at the worst; past that the window starts anew for
// everyone.
const KEYS_MAX = 100_000

/** A fixed window: at most `limit` a minute and key. A `limit` of 0 allows everything. */
export function createRateLimiter(limit: number, clock: Clock = systemClock): RateLimiter {
  let windowEndMs = 0
  let counts = new Map<string, number>()
  const roll = (): number => {
    const nowMs = clock.nowMs()
    if (nowMs >= windowEndMs || counts.size >= KEYS_MAX) {
      windowEndMs = nowMs + WINDOW_MS
      counts = new Map()
    }
    return Math.max(1, Math.ceil((windowEndMs - nowMs) / 1_000))
  }
  return {
    isOn: limit > 0,
    take(key) {
      if (limit === 0) return 0
      const restSeconds = roll()
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count > limit ? restSeconds : 0
    },
  }
}

// Limits of requests per key and minute, counted in a table that all threads share. A fixed window:
// a client learns exactly when it may go on, and at the worst sends two budgets in one minute.

import { type Clock, systemClock } from '../clock.ts'
import { createRateTable, type RateTable } from './rate-table.ts'

export interface RateLimiter {
  /** False when everything is allowed, so that a caller need not even work out the key. */
  readonly isOn: boolean
  /** Counts one and answers 0 when allowed, else the seconds until the window of the key ends. */
  readonly take: (key: string) => number
}

export interface RateLimiterOptions {
  /** Of a key in a minute; 0 allows everything. */
  readonly limit: number
  readonly clock?: Clock | undefined
  /** Shared by several limiters, whose `name` keeps their keys apart. */
  readonly table?: RateTable
  readonly name?: string
}

export function createRateLimiter({
  limit,
  clock = systemClock,
  table = createRateTable(),
  name = '',
}: RateLimiterOptions): RateLimiter {
  return {
    isOn: limit > 0,
    take(key) {
      if (limit === 0) return 0
      return Math.ceil(table.take(`${name} ${key}`, limit, clock.nowMs()) / 1_000)
    },
  }
}

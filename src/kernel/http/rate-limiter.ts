// Limits of requests per key and minute, counted in a table that all threads share. A fixed window:
// a client learns exactly when it may go on, and at the worst sends two budgets in one minute.

import { type Clock, systemClock } from '../clock.ts'
import { createRateTable, RATE_WINDOW_MS, type RateTable } from './rate-table.ts'

export interface RateLimiter {
  /** False when everything is allowed, so that a caller need not even work out the key. */
  readonly isOn: boolean
  /** Counts one and answers 0 when allowed, else the seconds until the window of the key ends. */
  readonly take: (key: string) => number
  /** What is left of the budget of the key; counts nothing. */
  readonly look: (key: string) => RateState
}

export interface RateState {
  readonly limit: number
  readonly remaining: number
  readonly windowSeconds: number
  /** Until the budget is whole again, at least 1. */
  readonly resetSeconds: number
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
    look(key) {
      const { counted, restMs } = table.look(`${name} ${key}`, clock.nowMs())
      return {
        limit,
        remaining: Math.max(0, limit - counted),
        windowSeconds: RATE_WINDOW_MS / 1_000,
        resetSeconds: Math.max(1, Math.ceil(restMs / 1_000)),
      }
    },
  }
}

// Single-flight: callers of one piece of work that come at the same time share a run of it.

import { setTimeout as delay } from 'node:timers/promises'

/**
 * Calls during a run of `work` share the next run, so that each call sees all changes before it. A
 * run that fails fails for its callers only.
 */
export function singleFlight(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const run = (): Promise<void> => {
    if (running === null) {
      running = work().finally(() => {
        running = null
      })
      return running
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null
        return run()
      })
    return next
  }
  return run
}

/**
 * Calls within `pauseMs` after the last start share the start at its end. `nowMs` is a clock that
 * never goes back.
 */
export function withPause(
  pauseMs: number,
  work: () => Promise<void>,
  nowMs: () => number = () => performance.now(),
): () => Promise<void> {
  let waiting: Promise<void> | null = null
  let startedAtMs = Number.NEGATIVE_INFINITY
  const start = (): Promise<void> => {
    waiting = null
    startedAtMs = nowMs()
    return work()
  }
  return () => {
    if (waiting !== null) return waiting
    // The clock is read once. Were the pause over at a second reading, `start` would clear
    // `waiting` before it is set, and every later call would get this finished run.
    const waitMs = startedAtMs + pauseMs - nowMs()
    if (waitMs <= 0) return start()
    waiting = delay(waitMs).then(start)
    return waiting
  }
}

// Many callers of one piece of work: those who come at the same time share a run instead of
// starting their own.

import { setTimeout as delay } from 'node:timers/promises'

/**
 * Calls that come while `work` runs share one run after it, so that each sees all that was there
 * when it came.
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
    // The clock is read once: were the pause over at a second look, the start would come before the
    // note that it is waited for, and every later call would be given that one.
    const waitMs = startedAtMs + pauseMs - nowMs()
    if (waitMs <= 0) return start()
    waiting = delay(waitMs).then(start)
    return waiting
  }
}

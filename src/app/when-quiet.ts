// Delays work that stops the thread for a moment until the service is idle.

import { performance } from 'node:perf_hooks'

// An idle service has some 2 % with its polls. 5 % are some 150 look-ups a second.
const QUIET_MAX = 0.05
// A client that waited for the start has sent its first requests by then.
const LOOK_MS = 2_000
// Two minutes.
const LOOKS_MAX = 60

export interface QuietOptions {
  /** How long it has to be quiet; 2,000 when left out. */
  readonly lookMs?: number
  /** After so many looks the work is dropped; 60 when left out. */
  readonly looksMax?: number
}

export interface QuietWork {
  /** True once the work is done, false when it was dropped or called off. */
  readonly whenOver: Promise<boolean>
  readonly callOff: () => void
}

/** Does the work once, after a while in which the event loop of this thread was nearly idle. */
export function whenQuiet(work: () => void, options: QuietOptions = {}): QuietWork {
  const { lookMs = LOOK_MS, looksMax = LOOKS_MAX } = options
  const over = Promise.withResolvers<boolean>()
  const end = (isDone: boolean): void => {
    clearInterval(timer)
    over.resolve(isDone)
  }
  let looks = 0
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    looks += 1
    if (utilization < QUIET_MAX) {
      work()
      end(true)
    } else if (looks >= looksMax) end(false)
  }, lookMs)
  timer.unref()
  return { whenOver: over.promise, callOff: () => end(false) }
}

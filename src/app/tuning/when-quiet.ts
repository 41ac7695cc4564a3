// Delays work that blocks the thread until the service is idle.

import { performance } from 'node:perf_hooks'

// The polls of an idle service use some 2 %; 5 % are some 150 look-ups a second.
const QUIET_MAX = 0.05
// Within this time a client that waited for the start has sent its first requests.
const LOOK_MS = 2_000
// Two minutes in total.
const LOOKS_MAX = 60

export interface QuietOptions {
  /** How long the service has to be idle; 2,000 when left out. */
  readonly lookMs?: number
  /** The work is dropped after this many checks; 60 when left out. */
  readonly looksMax?: number
  /** The part of the time since the last check that this thread was at work, from 0 to 1. */
  readonly measureUse?: () => number
}

export interface QuietWork {
  /** True after the work is done, false when it was dropped or cancelled. */
  readonly whenOver: Promise<boolean>
  readonly callOff: () => void
}

/** Does the work once, after a period in which the event loop of this thread was nearly idle. */
export function whenQuiet(work: () => void, options: QuietOptions = {}): QuietWork {
  const { lookMs = LOOK_MS, looksMax = LOOKS_MAX, measureUse = createUseMeter() } = options
  const over = Promise.withResolvers<boolean>()
  const end = (isDone: boolean): void => {
    clearInterval(timer)
    over.resolve(isDone)
  }
  let looks = 0
  const timer = setInterval(() => {
    looks += 1
    if (measureUse() < QUIET_MAX) {
      work()
      end(true)
    } else if (looks >= looksMax) end(false)
  }, lookMs)
  timer.unref()
  return { whenOver: over.promise, callOff: () => end(false) }
}

/** Each call gives the use since the call before, the first one that since now. */
export function createUseMeter(): () => number {
  let before = performance.eventLoopUtilization()
  return () => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    return utilization
  }
}

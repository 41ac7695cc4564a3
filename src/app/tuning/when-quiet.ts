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
}

export interface QuietWork {
  /** True after the work is done, false when it was dropped or cancelled. */
  readonly whenOver: Promise<boolean>
  readonly callOff: () => void
}

/** Does the work once, after a period in which the event loop of this thread was nearly idle. */
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

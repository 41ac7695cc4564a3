// Work that stops everything for a moment, kept for a moment in which nobody asks anything.

import { performance } from 'node:perf_hooks'

// Measured idle, with its polls: 1.3 to 2.1 % on two shared cores. 5 % are some 150 look-ups a
// second.
const QUIET_MAX = 0.05
// Whoever waited for the start has asked its first questions by then.
const LOOK_MS = 2_000
// Two minutes.
const LOOKS_MAX = 60

export interface QuietOptions {
  /** How long it has to be quiet; 2,000 unless told. */
  readonly lookMs?: number
  /** After so many looks it is not done at all; 60 unless told. */
  readonly looksMax?: number
}

export interface QuietWork {
  /** True once it was done, false when there was no quiet or it was called off. */
  readonly whenOver: Promise<boolean>
  readonly callOff: () => void
}

/** Does it once, after a while in which the event loop of this thread had next to nothing to do. */
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

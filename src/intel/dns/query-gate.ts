// Bounds how many questions are under way at once; the others wait in line for as long as somebody
// may still want their answer.

import type { Clock } from '../../kernel/clock.ts'

export interface QueryGateOptions {
  readonly clock: Clock
  readonly runningMax: number
  readonly waitingMax: number
  /** A question that has waited longer is turned away: whoever asked it has gone. */
  readonly waitMaxMs: number
}

export interface QueryGate {
  /** True when the question may be asked: `leave` must follow. False when it was turned away. */
  readonly enter: () => Promise<boolean>
  readonly leave: () => void
}

interface Waiting {
  readonly sinceMs: number
  readonly decide: (mayAsk: boolean) => void
}

export function createQueryGate(options: QueryGateOptions): QueryGate {
  const { clock, runningMax, waitingMax, waitMaxMs } = options
  let running = 0
  const waiting: Waiting[] = []
  return {
    enter() {
      if (running < runningMax) {
        running += 1
        return Promise.resolve(true)
      }
      if (waiting.length >= waitingMax) return Promise.resolve(false)
      return new Promise((decide) => {
        waiting.push({ sinceMs: clock.nowMs(), decide })
      })
    },
    leave() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const isWanted = clock.nowMs() - next.sinceMs <= waitMaxMs
        next.decide(isWanted)
        // The place goes straight to the one let in, so the count stays.
        if (isWanted) return
      }
      running -= 1
    },
  }
}

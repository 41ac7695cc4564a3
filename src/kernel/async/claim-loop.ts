// The loop of a worker that shares its work through leases: claims what is due, works on it at
// once, and claims again when a piece of work has ended or the time of the next poll has come.

import { setTimeout as delay } from 'node:timers/promises'
import { outsideScopes } from '../db/row-scope.ts'

export interface ClaimLoopOptions {
  /**
   * Claims as much as there is room for, and begins to work on it. Returns how much; while that is
   * more than 0, the loop claims again at once.
   */
  readonly begin: () => Promise<number>
  /** Is told why a claim failed; the next poll claims again. */
  readonly onTrouble: (error: unknown) => void
  readonly pollMs: number
  /** Work that ends within this time makes room for one claim together. */
  readonly gatherMs: number
}

export interface ClaimLoop {
  /** Call it when a piece of work has ended: there is room for another one. */
  readonly wake: () => void
  /** Claims no more. Resolves when no claim is under way. */
  readonly stop: () => Promise<void>
}

export function startClaimLoop({
  begin,
  onTrouble,
  pollMs,
  gatherMs,
}: ClaimLoopOptions): ClaimLoop {
  const stopping = new AbortController()
  let isWoken = false
  let endWait: (() => void) | null = null
  const wake = (): void => {
    isWoken = true
    endWait?.()
  }
  const wait = async (): Promise<void> => {
    // Work may have ended while the claim was under way.
    if (!isWoken) {
      const poll = new AbortController()
      const woken = new Promise<void>((resolve) => (endWait = resolve))
      const passed = delay(pollMs, undefined, { ref: false, signal: poll.signal })
      await Promise.race([woken, passed.catch(() => undefined)])
      poll.abort()
      endWait = null
    }
    if (!stopping.signal.aborted) await delay(gatherMs, undefined, { ref: false })
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      isWoken = false
      const begun = await begin().catch((error: unknown) => {
        onTrouble(error)
        return 0
      })
      if (begun === 0 && !stopping.signal.aborted) await wait()
    }
  }
  const running = outsideScopes(loop)
  return {
    wake,
    async stop() {
      stopping.abort()
      wake()
      await running
    },
  }
}

// Where the idle loops of a worker wait. A wake-up that finds no loop waiting is kept, so that none
// is lost between an empty claim and the wait after it.

export interface WaitQueue {
  /** Waits for the next wake-up. Returns at once when one was kept, or when the queue is closed. */
  readonly wait: () => Promise<void>
  /** Waits this long, or until the queue is closed. */
  readonly pause: (pauseMs: number) => Promise<void>
  readonly wakeOne: () => void
  /** Wakes every loop, now and later. */
  readonly close: () => void
}

export function createWaitQueue(): WaitQueue {
  const waiting: (() => void)[] = []
  const closing = Promise.withResolvers<void>()
  let isKept = false
  let isClosed = false
  return {
    wait() {
      if (isClosed || isKept) {
        isKept = false
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        waiting.push(resolve)
      })
    },
    async pause(pauseMs) {
      let timer: NodeJS.Timeout | undefined
      const elapsed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, pauseMs)
        timer.unref()
      })
      await Promise.race([elapsed, closing.promise])
      clearTimeout(timer)
    },
    wakeOne() {
      const next = waiting.pop()
      if (next === undefined) isKept = true
      else next()
    },
    close() {
      isClosed = true
      closing.resolve()
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

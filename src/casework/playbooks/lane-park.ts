// Where the lanes of a worker wait for work. A wake-up that finds nobody waiting is kept, so that
// none is lost between an empty claim and the wait.

export interface LanePark {
  /** Until the next wake-up; at once when one was kept, or the park is closed. */
  readonly wait: () => Promise<void>
  /** For this long, or until the park is closed. */
  readonly pause: (pauseMs: number) => Promise<void>
  readonly wakeOne: () => void
  /** Wakes everyone, now and later. */
  readonly close: () => void
}

export function createLanePark(): LanePark {
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

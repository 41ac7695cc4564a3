// Concurrency limits: so many jobs run at once, the others wait in a bounded queue in the order in
// which they came.

/** The reason of a job that was refused since the queue was full, or was too slow for it. */
export class QueueFull extends Error {
  constructor(message = 'Too many jobs are waiting') {
    super(message)
    this.name = 'QueueFull'
  }
}

export interface LimitOptions {
  /** Jobs that may wait. One more is refused with `QueueFull`. */
  readonly queueMax: number
  /** Weight of all waiting jobs together, where jobs have a weight. Beyond it a job is refused. */
  readonly queueWeightMax?: number
  /** A job that has waited longer when its turn comes is refused: its caller has gone. */
  readonly queueWaitMaxMs?: number
  /** The clock of `queueWaitMaxMs`; one that never goes back when left out. */
  readonly nowMs?: () => number
  /** Weight of all running jobs together. A job that is heavier by itself runs alone. */
  readonly weightMax?: number
}

interface JobOptions {
  /** 1 when left out. Bytes or rows, as the owner of the limit counts. */
  readonly weight?: number
  /** A waiting job is refused with the reason of this signal; a running job must listen itself. */
  readonly signal?: AbortSignal
}

export interface Limit {
  /**
   * The result of `work`. Rejects with `QueueFull`, with the reason of the signal, or with the
   * reason given to `close`; the work was not started then.
   */
  readonly run: <Result>(work: () => Promise<Result>, options?: JobOptions) => Promise<Result>
  readonly waitingCount: () => number
  readonly waitingWeight: () => number
  /** Refuses the waiting jobs and all later ones, and resolves when the running ones are done. */
  readonly close: (reason: Error) => Promise<void>
}

interface Waiting {
  readonly sinceMs: number
  readonly weight: number
  readonly start: () => void
  readonly refuse: (reason: unknown) => void
}

/** At most `runningMax` jobs at once. */
export function limit(runningMax: number, options: LimitOptions): Limit {
  const { queueMax, queueWeightMax = Infinity, weightMax = Infinity } = options
  const { queueWaitMaxMs = Infinity, nowMs = () => performance.now() } = options
  const waiting: Waiting[] = []
  const idle = Promise.withResolvers<void>()
  let waitingWeight = 0
  let runningCount = 0
  let runningWeight = 0
  let closedBy: Error | null = null

  const hasRoom = (weight: number): boolean =>
    runningCount < runningMax && (runningCount === 0 || runningWeight + weight <= weightMax)
  const enter = (weight: number): void => {
    runningCount += 1
    runningWeight += weight
  }
  const leave = (weight: number): void => {
    runningCount -= 1
    runningWeight -= weight
    startWaiting()
    if (closedBy !== null && runningCount === 0) idle.resolve()
  }
  const startWaiting = (): void => {
    for (let [next] = waiting; next !== undefined && hasRoom(next.weight); [next] = waiting) {
      remove(next)
      if (nowMs() - next.sinceMs > queueWaitMaxMs) {
        next.refuse(new QueueFull('The job has waited too long'))
        continue
      }
      enter(next.weight)
      next.start()
    }
  }
  const remove = (job: Waiting): void => {
    waiting.splice(waiting.indexOf(job), 1)
    waitingWeight -= job.weight
  }
  const waitForTurn = async (weight: number, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted()
    if (waiting.length >= queueMax || waitingWeight + weight > queueWeightMax) throw new QueueFull()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const job: Waiting = { sinceMs: nowMs(), weight, start: resolve, refuse: reject }
    const onAbort = (): void => {
      // A job that was started meanwhile is none of the waiting ones.
      if (!waiting.includes(job)) return
      remove(job)
      reject(signal?.reason)
      // It may have been too heavy to start while those behind it are not.
      startWaiting()
    }
    waiting.push(job)
    waitingWeight += weight
    signal?.addEventListener('abort', onAbort, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }
  return {
    async run(work, { weight = 1, signal } = {}) {
      if (closedBy !== null) throw closedBy
      if (waiting.length === 0 && hasRoom(weight)) enter(weight)
      else await waitForTurn(weight, signal)
      try {
        return await work()
      } finally {
        leave(weight)
      }
    },
    waitingCount: () => waiting.length,
    waitingWeight: () => waitingWeight,
    async close(reason) {
      closedBy = reason
      for (const job of waiting.splice(0)) job.refuse(reason)
      waitingWeight = 0
      if (runningCount > 0) await idle.promise
    },
  }
}

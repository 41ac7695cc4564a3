// Concurrency limits: so many jobs run at once, the others wait in a bounded queue in the order in
// which they came. Jobs of several keys (tenants) take turns, and a key that fills the queue makes
// room for others.

import { TurnQueue } from './turn-queue.ts'

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
  /** Whose turn it takes; all jobs without one are of one key. */
  readonly key?: string
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
  const waiting = new TurnQueue<Waiting>()
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
    for (let next = waiting.peek(); next !== undefined; next = waiting.peek()) {
      if (!hasRoom(next.weight)) return
      waiting.shift()
      waitingWeight -= next.weight
      if (nowMs() - next.sinceMs > queueWaitMaxMs) {
        next.refuse(new QueueFull('The job has waited too long'))
        continue
      }
      enter(next.weight)
      next.start()
    }
  }
  const isFull = (weight: number): boolean =>
    waiting.size >= queueMax || waitingWeight + weight > queueWeightMax
  /** The newest jobs of a key that has more waiting than this one would have are refused for it. */
  const makeRoom = (key: string, weight: number): void => {
    while (isFull(weight)) {
      const newest = waiting.findNewestOfLongest()
      if (newest === null || waiting.countOf(newest.key) <= waiting.countOf(key) + 1) return
      waiting.remove(newest.key, newest.item)
      waitingWeight -= newest.item.weight
      newest.item.refuse(new QueueFull())
    }
  }
  const waitForTurn = async ({ key = '', weight = 1, signal }: JobOptions): Promise<void> => {
    signal?.throwIfAborted()
    makeRoom(key, weight)
    if (isFull(weight)) throw new QueueFull()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const job: Waiting = { sinceMs: nowMs(), weight, start: resolve, refuse: reject }
    const onAbort = (): void => {
      // A job that was started meanwhile is none of the waiting ones.
      if (!waiting.remove(key, job)) return
      waitingWeight -= job.weight
      reject(signal?.reason)
      // It may have been too heavy to start while those behind it are not.
      startWaiting()
    }
    waiting.push(key, job)
    waitingWeight += weight
    signal?.addEventListener('abort', onAbort, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }
  return {
    async run(work, job = {}) {
      const { weight = 1 } = job
      if (closedBy !== null) throw closedBy
      if (waiting.size === 0 && hasRoom(weight)) enter(weight)
      else await waitForTurn(job)
      try {
        return await work()
      } finally {
        leave(weight)
      }
    },
    waitingCount: () => waiting.size,
    waitingWeight: () => waitingWeight,
    async close(reason) {
      closedBy = reason
      for (const job of waiting.clear()) job.refuse(reason)
      waitingWeight = 0
      if (runningCount > 0) await idle.promise
    },
  }
}

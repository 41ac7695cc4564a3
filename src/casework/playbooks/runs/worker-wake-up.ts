// Wakes the workers of this process, in every thread, after a commit that made tokens due. Workers
// poll as well, so a lost wake-up costs a fraction of a second and nothing else.

import { BroadcastChannel } from 'node:worker_threads'

export interface WorkerWakeUp {
  /** Call it after the commit, never inside the transaction. */
  readonly wake: () => void
  /** `listener` must not throw; the returned function removes it. */
  readonly listen: (listener: () => void) => () => void
  readonly close: () => void
}

export function createWorkerWakeUp(): WorkerWakeUp {
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  // HTTP threads accept triggers, and the main thread runs the workers. Each thread has a wake-up
  // of its own; this channel joins them.
  const channel = new BroadcastChannel('casework-due')
  channel.addEventListener('message', notify)
  channel.unref()
  return {
    wake() {
      notify()
      // The rule is about browser windows; a channel has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      channel.postMessage(null)
    },
    listen(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    close: () => channel.close(),
  }
}

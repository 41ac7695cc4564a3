// Tells the workers of this process, in whichever of its threads they run, that a commit has made
// tokens due. A hint only: workers poll as well, so a lost one costs a part of a second and nothing
// else.

import { BroadcastChannel } from 'node:worker_threads'

export interface DueHint {
  /** Call it after the commit, never inside the transaction. */
  readonly raise: () => void
  /** `listener` must not throw; the returned function takes it away again. */
  readonly listen: (listener: () => void) => () => void
  readonly close: () => void
}

export function createDueHint(): DueHint {
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  // HTTP threads accept triggers, the main thread works: each has a hint of its own, joined by this
  // channel.
  const channel = new BroadcastChannel('casework-due')
  channel.addEventListener('message', tell)
  channel.unref()
  return {
    raise() {
      tell()
      // The rule means windows of browsers; a channel has no origin.
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

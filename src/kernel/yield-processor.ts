// What works in the background goes behind the serving thread where both want the same processor.

import { constants, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * Lowers the priority of the calling worker thread. Only Linux has priorities of threads (setpriority(2), "C library/kernel differences");
 * elsewhere the whole process would be slowed, so nothing is done there, nor in a main thread.
 */
export function yieldProcessor(): void {
  if (isMainThread || process.platform !== 'linux') return
  // The number 0 is the calling thread.
  lower(0, constants.priority.PRIORITY_BELOW_NORMAL)
}

/** Lowers the priority of a child process as far as it goes; it may also have ended already. */
export function yieldChildProcessor(pid: number): void {
  lower(pid, constants.priority.PRIORITY_LOW)
}

function lower(pid: number, priority: number): void {
  try {
    setPriority(pid, priority)
  } catch {
    // Where it is forbidden, each is merely an equal.
  }
}

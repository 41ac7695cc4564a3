// Background threads go behind the serving one where both want the same processor.

import { constants, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * Lowers the priority of the calling worker thread. Only Linux has priorities of threads (setpriority(2), "C library/kernel differences");
 * elsewhere the whole process would be slowed, so nothing is done there, nor in a main thread.
 */
export function yieldProcessor(): void {
  if (isMainThread || process.platform !== 'linux') return
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where it is forbidden the thread is merely an equal.
  }
}

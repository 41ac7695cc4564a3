// Ends a child process whose parent is gone, also in the middle of a long calculation: a killed
// parent tells its children nothing, but its end of the pipe at their standard input is closed.

import { Worker } from 'node:worker_threads'
import { locateScript } from './worker-host.ts'

/**
 * For the main thread of a child whose standard input is a pipe that the parent holds open. The
 * thread that watches it does not keep the process from ending.
 */
export function endWithParent(): void {
  new Worker(locateScript('parent-thread', import.meta.url)).unref()
}

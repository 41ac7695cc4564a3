// Background threads and processes get a lower priority than the serving threads.

import { readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Background } from '../../kernel/async/background.ts'

/**
 * Starts a worker thread with a lower priority from its first step on. Otherwise it would compete
 * with the serving thread while it loads its modules, for 100 ms and more. Only Linux has
 * priorities of threads (setpriority(2), "C library/kernel differences"); elsewhere the priority is
 * the same.
 */
function startLowered(script: URL, options: WorkerOptions): Worker {
  // A thread inherits the priority of its parent, and the parent could not raise its own again.
  // Node does not give the number of the thread, so it is found by comparison.
  const before = listThreads()
  const worker = new Worker(script, options)
  for (const thread of listThreads()) {
    if (!before.has(thread)) lower(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  }
  return worker
}

export const LOW_PRIORITY: Background = {
  startWorker: startLowered,
  // As low as it goes. The child may also have ended already.
  yieldChild: (pid) => lower(pid, constants.priority.PRIORITY_LOW),
}

/** Their numbers for `setPriority`; none where threads have no priority. */
function listThreads(): ReadonlySet<number> {
  if (process.platform !== 'linux') return new Set()
  return new Set(readdirSync('/proc/self/task').map(Number))
}

/**
 * By so many steps, from the priority that this thread has: a service that was started with more
 * than the usual priority would otherwise keep its own background from running at all.
 */
function lower(pid: number, steps: number): void {
  try {
    setPriority(pid, Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW))
  } catch {
    // Where it is forbidden, the priority stays the same.
  }
}

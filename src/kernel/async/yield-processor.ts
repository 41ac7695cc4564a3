// Background threads and processes get a lower priority than the serving threads.

import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a worker thread with a lower priority from its first step on. Otherwise it would compete
 * with the serving thread while it loads its modules, for 100 ms and more. Only Linux has
 * priorities of threads (setpriority(2), "C library/kernel differences"); elsewhere the priority is
 * the same.
 */
export function startWorkerBehind(script: URL, options: WorkerOptions = {}): Worker {
  // A thread inherits the priority of its parent, and the parent could not raise its own again.
  // Node does not give the number of the thread, so it is found by comparison.
  const before = listThreads()
  const worker = new Worker(script, options)
  for (const thread of listThreads()) {
    if (!before.has(thread)) lower(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  }
  return worker
}

/** Lowers the priority of a child process as far as it goes; it may also have ended already. */
export function yieldChildProcessor(pid: number): void {
  lower(pid, constants.priority.PRIORITY_LOW)
}

/** Their numbers for `setPriority`; none where threads have no priority. */
function listThreads(): ReadonlySet<number> {
  if (process.platform !== 'linux') return new Set()
  return new Set(readdirSync('/proc/self/task').map(Number))
}

function lower(pid: number, priority: number): void {
  try {
    setPriority(pid, priority)
  } catch {
    // Where it is forbidden, the priority stays the same.
  }
}

// What works in the background goes behind the serving thread where both want the same processor.

import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a worker thread that has a lower priority from its first step on: left to itself it would
 * load its modules, for 100 ms and more, in turns with the serving thread (measured). Only Linux
 * has priorities of threads (setpriority(2), "C library/kernel differences"); elsewhere it is a
 * thread like any other.
 */
export function startWorkerBehind(script: URL, options: WorkerOptions = {}): Worker {
  // A thread inherits the priority of the one that starts it, which cannot take its own back; and
  // it does not say its number.
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
    // Where it is forbidden, each is merely an equal.
  }
}

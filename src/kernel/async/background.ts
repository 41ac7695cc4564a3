// How threads and child processes in the background are started. The app may hand in a way with a
// lower priority (app/tuning/yield-processor.ts).

import { Worker, type WorkerOptions } from 'node:worker_threads'

export interface Background {
  readonly startWorker: (script: URL, options: WorkerOptions) => Worker
  /** For a child process that has just been started. */
  readonly yieldChild: (pid: number) => void
}

let background: Background = {
  startWorker: (script, options) => new Worker(script, options),
  yieldChild: () => undefined,
}

/** For all that this thread starts from now on. */
export function setBackground(next: Background): void {
  background = next
}

export function startWorkerBehind(script: URL, options: WorkerOptions): Worker {
  return background.startWorker(script, options)
}

export function yieldChildProcessor(pid: number): void {
  background.yieldChild(pid)
}

// Periodic work inside a process: polls and flushes. Work that must not be lost is a row in the
// database or a job of kernel/jobs.ts.

import { outsideScopes } from '../db/row-scope.ts'

/**
 * Runs `work` again and again with `pauseMs` between, never two at once; the returned function
 * stops it and waits for the last.
 */
export function every(
  pauseMs: number,
  work: () => Promise<void>,
  onTrouble: (error: unknown) => void,
): () => Promise<void> {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const schedule = (): void => {
    if (isStopped) return
    // It outlives its caller, whose tenant is none of its business.
    const next = outsideScopes(() =>
      setTimeout(() => {
        running = work().catch(onTrouble).finally(schedule)
      }, pauseMs),
    )
    next.unref()
    timer = next
  }
  schedule()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}

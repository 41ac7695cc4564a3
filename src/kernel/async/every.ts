// Periodic work inside a process: polls and flushes. Work that must not be lost is a row in the
// database or a job of kernel/jobs.ts.

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
    timer = setTimeout(() => {
      running = work().catch(onTrouble).finally(schedule)
    }, pauseMs)
    timer.unref()
  }
  schedule()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}

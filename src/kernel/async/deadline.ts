// A bound in time that everything a request waits for listens to.

/** The reason that a deadline aborts with. */
export class DeadlineTrouble extends Error {
  constructor(timeoutMs: number) {
    super(`Not done within ${timeoutMs} ms`)
    this.name = 'DeadlineTrouble'
  }
}

export interface Deadline {
  /**
   * Aborts with `DeadlineTrouble` when the time is up, or with the reason of whichever outer signal
   * aborts first.
   */
  readonly signal: AbortSignal
  readonly clear: () => void
}

// Not AbortSignal.timeout: its timer does not keep the process alive, so a program that only waits
// for this would end instead.
export function startDeadline(timeoutMs: number, outer: readonly AbortSignal[]): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DeadlineTrouble(timeoutMs)), timeoutMs)
  return {
    signal: AbortSignal.any([controller.signal, ...outer]),
    clear: () => clearTimeout(timer),
  }
}

/** What `work` gives, or the signal's reason as soon as it aborts, even when `work` goes on. */
export async function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(toError(signal.reason))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
  }
}

export function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}

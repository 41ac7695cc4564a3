// Deadlines: a bound in time for work that may never answer, such as a server that was stopped or
// a network that swallows packets.

/** The reason with which a deadline aborts. Whether the work is done is not known. */
export class DeadlinePassed extends Error {
  constructor(limitMs: number) {
    super(`Not done within ${limitMs} ms`)
    this.name = 'DeadlinePassed'
  }
}

export interface Deadline {
  /** Aborts with `DeadlinePassed` when the time is up, or with the reason of an outer signal. */
  readonly signal: AbortSignal
  readonly clear: () => void
}

// Not AbortSignal.timeout: its timer does not keep the process alive, so a program that only waits
// for this would end instead.
export function startDeadline(limitMs: number, outer: readonly AbortSignal[] = []): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DeadlinePassed(limitMs)), limitMs)
  return {
    signal: outer.length === 0 ? controller.signal : AbortSignal.any([controller.signal, ...outer]),
    clear: () => clearTimeout(timer),
  }
}

/**
 * The result of `work`, or DeadlinePassed when the work takes longer; the signal then aborts too.
 * A work that checks the signal before it commits leaves nothing behind, unless the commit was on
 * its way already.
 */
export async function withDeadline<Result>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = startDeadline(limitMs)
  try {
    return await untilAborted(work(deadline.signal), deadline.signal)
  } finally {
    deadline.clear()
  }
}

/**
 * The result of `work`. Rejects with the reason of the signal as soon as it aborts; the work itself
 * may go on, and its end is ignored.
 */
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

// Keeps the result of a question for a while, so that pages which anybody may ask for cost a
// bounded number of statements.

/**
 * Calls within `keptMs` after the start of `work` share that run, also one that fails. `nowMs` is a
 * clock that never goes back.
 */
export function keepResult<Result>(
  keptMs: number,
  work: () => Promise<Result>,
  nowMs: () => number = () => performance.now(),
): () => Promise<Result> {
  let kept: { readonly atMs: number; readonly result: Promise<Result> } | null = null
  return () => {
    if (kept === null || nowMs() - kept.atMs >= keptMs) kept = { atMs: nowMs(), result: work() }
    return kept.result
  }
}

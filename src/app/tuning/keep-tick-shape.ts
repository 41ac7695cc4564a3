// Keeps V8 from forgetting the shape of what `process.nextTick` makes for each of its callbacks. An
// answer needs several ticks, and at a moment without one every full collection forgets the shape;
// the code that makes them then goes a slow way for good, which is a twentieth of a look-up and
// more (measured: bench/results/2026-11-22.md). One that is never let go keeps it.

import { executionAsyncResource } from 'node:async_hooks'

let kept: Promise<object> | undefined

/** For each thread that serves. Gives the one tick that it keeps. */
export function keepTickShape(): Promise<object> {
  kept ??= new Promise((resolve) => {
    process.nextTick(() => resolve(executionAsyncResource()))
  })
  return kept
}

// Keeps V8 from forgetting the shape of what `process.nextTick` makes for each of its callbacks. An answer needs several ticks, and at a moment
// without one every full collection forgets the shape; the code that makes them then goes a slow way for good, which is a twentieth of a look-up and
// more (measured: docs/internals/performance.md). One that is never let go keeps it.

import { executionAsyncResource } from 'node:async_hooks'

const kept: object[] = []

/** Once for each thread that serves. Gives what it keeps, when it has it. */
export function keepTickShape(): Promise<readonly object[]> {
  return new Promise((resolve) => {
    process.nextTick(() => {
      if (kept.length === 0) kept.push(executionAsyncResource())
      resolve(kept)
    })
  })
}

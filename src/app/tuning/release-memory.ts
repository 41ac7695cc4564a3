// Releases the memory that only the start needed. V8 alone would keep it until there is load, some
// 35 MB of an idle service.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects all garbage of this thread. This stops the thread for some 200 ms on two shared cores,
 * so neither the start nor a request should wait for it.
 */
export function releaseStartMemory(): void {
  // The flag adds the function `gc` only to contexts that are created later, so the program itself
  // does not get it. "last-resort" also empties V8's pools of freed pages; without it no memory is
  // released.
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
}

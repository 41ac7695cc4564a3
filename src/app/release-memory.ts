// Gives back the memory that only the start needed. V8 alone would keep it until there is load: an
// idle service would hold some 35 MB more.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects all garbage of this thread. It stops the thread for some 200 ms on two shared cores, too
 * long for a start or a caller.
 */
export function releaseStartMemory(): void {
  // The flag adds the function to contexts that are made after it, so the program itself does not
  // have it. "last-resort" also empties V8's pools of freed pages; without it no memory is given
  // back.
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
}

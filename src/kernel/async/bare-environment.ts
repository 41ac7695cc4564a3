// The environment of threads and processes that get no settings and secrets of the service.

import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * Nothing but the folder of compiled sources, where there is one: without it each start of a report
 * reader compiles all of its modules anew, which is half of its processor time.
 */
export function buildBareEnvironment(): Readonly<Record<string, string>> {
  // A folder of this Node within the one that it was told of.
  const own = getCompileCacheDir()
  return own === undefined ? {} : { NODE_COMPILE_CACHE: dirname(own) }
}

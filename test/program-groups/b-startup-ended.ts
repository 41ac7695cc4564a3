// Starts of the real program: how it ends, a database elsewhere, and the published package.

import { runGroup } from '../group.ts'

runGroup([
  'test/startup/{stop,database-url,full-disk,stream-threads}.test.ts',
  'test/package.test.ts',
])

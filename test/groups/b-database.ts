// The database that is brought along, and the published package.

import { runGroup } from '../group.ts'

runGroup(['src/kernel/postgres/*.test.ts', 'test/package.test.ts'])

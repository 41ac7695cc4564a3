// The database that is brought along.

import { runGroup } from '../group.ts'

runGroup(['src/kernel/postgres/*.test.ts'])

// The embedded PostgreSQL.

import { runGroup } from '../group.ts'

runGroup(['src/kernel/postgres/*.test.ts'])

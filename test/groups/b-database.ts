// The embedded PostgreSQL, and the helpers of the benches, which start it too.

import { runGroup } from '../group.ts'

runGroup(['src/kernel/postgres/*.test.ts', 'bench/lib/*.test.ts'])

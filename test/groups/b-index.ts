// The intel set in memory, and what follows the database.

import { runGroup } from '../group.ts'

runGroup(['src/intel/store/*.test.ts'])

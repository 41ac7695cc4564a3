// The intel set in memory, and how it follows the database.

import { runGroup } from '../group.ts'

runGroup(['src/intel/index/*.test.ts'])

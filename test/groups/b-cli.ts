// The command line, against the program in this process.

import { runGroup } from '../group.ts'

runGroup(['src/cli/*.test.ts'])

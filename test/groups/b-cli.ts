// The commands in files of their own.

import { runGroup } from '../group.ts'

runGroup(['src/cli/*.test.ts'])

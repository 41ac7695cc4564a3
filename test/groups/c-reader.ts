// How a report is read.

import { runGroup } from '../group.ts'

runGroup(['src/reader/**/*.test.ts'])

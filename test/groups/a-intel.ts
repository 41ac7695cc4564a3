// Routes of intel, their models, and the sources.

import { runGroup } from '../group.ts'

runGroup(['src/intel/!(index)/**/*.test.ts'])

// Routes of intel, its models, and where it gets what it knows.

import { runGroup } from '../group.ts'

runGroup(['src/intel/!(store)/**/*.test.ts'])

// How a report is read.

import { runGroup } from '../group.ts'

runGroup(['src/casework/intake/*.test.ts', 'src/casework/intake/!(worker)/**/*.test.ts'])

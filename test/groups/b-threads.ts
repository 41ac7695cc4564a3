// The threads that read reports, and the processes that work playbooks.

import { runGroup } from '../group.ts'

runGroup(['src/casework/reports/reading/*.test.ts', 'src/casework/playbooks/**/*.test.ts'])

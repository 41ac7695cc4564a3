// Reports: mail, the threads that read them, and corrections.

import { runGroup } from '../group.ts'

runGroup(['src/casework/reports/**/*.test.ts'])

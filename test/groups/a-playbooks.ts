// Playbooks, and the processes that work them.

import { runGroup } from '../group.ts'

runGroup(['src/casework/playbooks/**/*.test.ts'])

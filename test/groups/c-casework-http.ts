// Routes of casework.

import { runGroup } from '../group.ts'

runGroup(['src/casework/http/*.test.ts'])

// What casework tells others, and what it does outside.

import { runGroup } from '../group.ts'

runGroup(['src/casework/{changes,secrets,webhooks,notices,mitigations}/**/*.test.ts'])

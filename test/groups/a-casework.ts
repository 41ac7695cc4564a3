// Cases and events: routes, use cases, stores.

import { runGroup } from '../group.ts'

runGroup(['src/casework/{cases,events}/**/*.test.ts'])

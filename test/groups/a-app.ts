// How the program is put together, and what holds for every route.

import { runGroup } from '../group.ts'

runGroup(['src/app/*.test.ts', 'src/app/!(backup|demo|lookup-node)/**/*.test.ts'])

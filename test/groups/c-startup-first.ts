// Starts of the real program: the first one, and those on a database elsewhere.

import { runGroup } from '../group.ts'

runGroup(['test/startup/first-start.test.ts', 'test/startup/database-url.test.ts'])

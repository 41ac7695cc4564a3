// Starts of the real program: what is killed, also in an upgrade, and what is restored.

import { runGroup } from '../group.ts'

runGroup(['test/startup/{crash,import-crash,upgrade-crash,backup}.test.ts'])

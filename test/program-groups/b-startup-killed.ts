// Starts of the real program: what is killed, and what is restored.

import { runGroup } from '../group.ts'

runGroup(['test/startup/{crash,import-crash,backup}.test.ts'])

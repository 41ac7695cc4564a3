// Starts of the real program: its commands, its refusals and its end.

import { runGroup } from '../group.ts'

runGroup(['test/startup/{commands,launcher,refusal,stop}.test.ts'])

// Starts of the real program: its commands, its refusals, and the first start.

import { runGroup } from '../group.ts'

runGroup(['test/startup/{commands,first-start,launcher,refusal}.test.ts'])

// The pages of the console one by one, with one server and one browser. Some stand in the other
// group, so that both take as long.

import { runConsoleGroup } from '../console-kit.ts'

runConsoleGroup(['console/src/pages/[a-m]*/*.console.ts', 'console/src/pages/play*/*.console.ts'])

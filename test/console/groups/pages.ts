// The pages of the console one by one, with one server and one browser. Those from R on stand in
// the other group, so that both take as long.

import { runConsoleGroup } from '../console-kit.ts'

runConsoleGroup(['console/src/pages/[a-q]*/*.console.ts'])

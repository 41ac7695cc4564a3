// The pages of the console from `account` to `check`, with one server and one browser. The groups
// are divided so that all three take as long.

import { runConsoleGroup } from '../console-kit.ts'

runConsoleGroup(['console/src/pages/[a-b]*/*.console.ts', 'console/src/pages/c[ah]*/*.console.ts'])

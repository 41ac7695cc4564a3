// The other pages of the console, with one server and one browser.

import { runConsoleGroup } from '../console-kit.ts'

runConsoleGroup([
  'console/src/pages/c[!ah]*/*.console.ts',
  'console/src/pages/[d-o]*/*.console.ts',
  'console/src/pages/parts/*.console.ts',
  'console/src/pages/[q-z]*/*.console.ts',
])

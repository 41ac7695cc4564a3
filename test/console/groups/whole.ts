// What holds for all pages of the console, its frame, and the other pages, with one server and one
// browser.

import { runConsoleGroup } from '../console-kit.ts'

runConsoleGroup([
  'console/src/*.console.ts',
  'console/src/frame/*.console.ts',
  'console/src/pages/[no]*/*.console.ts',
  'console/src/pages/parts/*.console.ts',
  'console/src/pages/[q-z]*/*.console.ts',
])

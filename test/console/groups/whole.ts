// What holds for all pages of the console, its frame, and the pages from R on, with one server and
// one browser.

import { runConsoleGroup } from '../console-kit.ts'

runConsoleGroup([
  'console/src/*.console.ts',
  'console/src/frame/*.console.ts',
  'console/src/pages/[r-z]*/*.console.ts',
])

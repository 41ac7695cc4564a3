// What holds for all pages of the console, its frame, and the pages from S on, with one server and
// one browser.

import { runConsoleGroup } from '../console-kit.ts'

runConsoleGroup([
  'console/src/*.console.ts',
  'console/src/frame/*.console.ts',
  'console/src/pages/[s-z]*/*.console.ts',
])

// What holds for all pages of the console, its frame, and the pages of playbooks, with one server
// and one browser.

import { runConsoleGroup } from '../console-kit.ts'

runConsoleGroup([
  'console/src/*.console.ts',
  'console/src/frame/*.console.ts',
  'console/src/pages/play*/*.console.ts',
])

// What holds for all pages of the console, and its frame, with one server and one browser.

import { runConsoleGroup } from '../console-kit.ts'

runConsoleGroup(['console/src/*.console.ts', 'console/src/frame/*.console.ts'])

// The pages of the console one by one, with one server and one browser.

import { runConsoleGroup } from '../console-kit.ts'

runConsoleGroup(['console/src/pages/**/*.console.ts'])

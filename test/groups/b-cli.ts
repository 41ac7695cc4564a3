// The command line and the client, against the program in this process.

import { runGroup } from '../group.ts'

runGroup(['src/{cli,client}/**/*.test.ts'])

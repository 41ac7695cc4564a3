// The command line, the client and the tools for assistants, against the program in this process.

import { runGroup } from '../group.ts'

runGroup(['src/{cli,client,mcp}/**/*.test.ts'])

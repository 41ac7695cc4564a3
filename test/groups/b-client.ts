// The client, the MCP server, and the commands in folders: operations, profiles, logs.

import { runGroup } from '../group.ts'

runGroup(['src/{client,mcp}/**/*.test.ts', 'src/cli/*/**/*.test.ts'])

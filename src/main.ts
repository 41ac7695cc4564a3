// The program `casework`: everything it can do is a command (src/cli).

import { runCli } from './cli/cli.ts'

process.exitCode = await runCli(process.argv.slice(2))

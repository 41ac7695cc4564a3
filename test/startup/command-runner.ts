// The program for several command lines, one after the other (runCommands in program.ts).

import { writeSync } from 'node:fs'
import { runCli } from '../../src/cli/cli.ts'
import { COMMAND_END, EXIT_CODE } from './command-marks.ts'
import type { CommandLine } from './program.ts'

const lines: readonly CommandLine[] = JSON.parse(process.argv[2] ?? '[]')
const environment = { ...process.env }
// Each command listens for readers that go, as a process that runs one alone does.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(4 * lines.length + 10)
for (const line of lines) {
  process.env = { ...environment, ...line.environment }
  const code = await runCli(line.args)
  for (const stream of [1, 2]) writeSync(stream, `${EXIT_CODE}${code}${COMMAND_END}`)
}

// The program `casework`: everything it can do is a command (src/cli).

import { readPackageVersion } from './values/resources.ts'

const args = process.argv.slice(2)
// A version is asked by scripts, over and over: it is there before any command is loaded.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${readPackageVersion()}\n`)
} else {
  const { runCli } = await import('./cli/cli.ts')
  process.exitCode = await runCli(args)
}

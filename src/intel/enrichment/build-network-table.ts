// The program that builds the network table: 1.6 s of one core and some 300 MB (measured with the
// packages of 2026-06), started by build-in-process.ts with its order as the one argument. What it
// says on standard error is the reason of a failure.

import type { BuildOrder } from './build-in-process.ts'
import { buildNetworkTable } from './network-table-build.ts'

const [, , argument] = process.argv
if (argument !== undefined) await run(argument)

async function run(text: string): Promise<void> {
  // Written by build-in-process.ts of this same program.
  const order: BuildOrder = JSON.parse(text)
  try {
    await buildNetworkTable({ packageDirs: order.packageDirs, targetFile: order.file })
  } catch (error) {
    process.stderr.write(String(error))
    process.exitCode = 1
  }
}

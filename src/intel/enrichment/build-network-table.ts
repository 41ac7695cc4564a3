// The program that builds the network table, in about two seconds and 300 MB. Started by
// build-in-process.ts with its order as the only argument. Writes the reason of a failure to
// standard error. Ends when its parent is gone.

import { endWithParent } from '../../kernel/async/end-with-parent.ts'
import type { BuildOrder } from './build-in-process.ts'
import { buildNetworkTable } from './network-table-build.ts'

const [, , argument] = process.argv
if (argument !== undefined) await run(argument)

async function run(text: string): Promise<void> {
  endWithParent()
  // Written by build-in-process.ts of this same program.
  const order: BuildOrder = JSON.parse(text)
  try {
    await buildNetworkTable({
      packageDirs: order.packageDirs,
      mmdbFiles: order.mmdbFiles,
      targetFile: order.file,
    })
  } catch (error) {
    process.stderr.write(String(error))
    process.exitCode = 1
  }
}

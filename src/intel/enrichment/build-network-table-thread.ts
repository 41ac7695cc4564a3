// The thread that builds the network table: 1.6 s of one core and some 300 MB, which must not hold up a request nor stay in memory
// (measured with the packages of 2026-06). Started by asn.ts, ends by itself.

import { parentPort, workerData } from 'node:worker_threads'
import { buildNetworkTable, type NetworkPackageDirs } from './network-table-build.ts'

export interface BuildStart {
  readonly file: string
  readonly packageDirs: NetworkPackageDirs
}

export type BuildMessage =
  | { readonly kind: 'built' }
  | { readonly kind: 'failed'; readonly reason: string }

if (parentPort !== null) {
  // Given by asn.ts of this same program.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  await runThread(workerData as BuildStart, parentPort)
}

async function runThread(start: BuildStart, parent: NonNullable<typeof parentPort>): Promise<void> {
  // A port between threads knows no origins; the rule means windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parent.postMessage(await build(start))
}

async function build({ file, packageDirs }: BuildStart): Promise<BuildMessage> {
  try {
    await buildNetworkTable({ packageDirs, targetFile: file })
    return { kind: 'built' }
  } catch (error) {
    return { kind: 'failed', reason: String(error) }
  }
}

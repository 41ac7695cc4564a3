// `npm run test:citus`: runs test/citus/*.citus.ts where there is a Citus cluster, else says why it
// did not run.

import { spawnSync } from 'node:child_process'
import { findMissing } from './cluster.ts'

const missing = findMissing()
if (missing !== null) {
  process.stdout.write(`test:citus did not run: ${missing}.\n`)
} else {
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      '--test-timeout=900000',
      // A worker is killed in some of them.
      '--test-concurrency=1',
      '--test-global-setup=test/citus/setup.ts',
      ...(process.argv.length > 2 ? process.argv.slice(2) : ['test/citus/*.citus.ts']),
    ],
    { stdio: 'inherit' },
  )
  process.exitCode = status ?? 1
}

// `npm run test:citus`: runs test/citus/*.citus.ts where there is a Citus cluster, else says why it
// did not run. With `-- all` it runs the whole suite of casework there as well, and with names of
// files those. left-out.ts has the tests that cannot hold there.

import { spawnSync } from 'node:child_process'
import { findMissing } from './cluster.ts'
import { skipLeftOut } from './left-out.ts'

// As test/groups divides them.
const CASEWORK = ['a-casework', 'a-playbooks', 'b-casework-rest', 'b-notices', 'b-reports']

function listFiles(names: readonly string[]): readonly string[] {
  if (names.length === 0) return ['test/citus/*.citus.ts']
  if (names[0] !== 'all') return names
  return ['test/citus/*.citus.ts', ...CASEWORK.map((name) => `test/groups/${name}.ts`)]
}

const missing = findMissing()
if (missing !== null) {
  process.stdout.write(`test:citus did not run: ${missing}.\n`)
} else {
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      '--test-timeout=3600000',
      // A worker is killed in some of them.
      '--test-concurrency=1',
      '--test-global-setup=test/citus/setup.ts',
      ...skipLeftOut(),
      ...listFiles(process.argv.slice(2)),
    ],
    { stdio: 'inherit' },
  )
  process.exitCode = status ?? 1
}

// `npm run test:console`: the tests of the web console in Debian's Chromium, in three processes
// that have a server and a browser each. With `--again`, as in CI, what failed is run once more by
// itself: a browser on a busy machine is slower than a page now and then.

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isStale } from '../../src/app/console/refresh-console.ts'
import { findPackageRoot } from '../../src/values/resources.ts'
import { findOverlooked, forgetLookedOver } from './looked-over.ts'

const root = findPackageRoot()
const FAILED = join(root, 'coverage', 'console-failed.json')

process.exitCode = runConsoleTests(process.argv.includes('--again'))

/** The exit code. */
function runConsoleTests(isRepeated: boolean): number {
  forgetLookedOver()
  mkdirSync(join(root, 'coverage'), { recursive: true })
  rmSync(FAILED, { force: true })
  // Once, instead of by both processes.
  if (isStale(root) && !runNode(['scripts/build-console.ts'])) return 1
  const isPassed = runTests() || (isRepeated && runTests({ CASEWORK_TESTS_AGAIN: 'yes' }))
  if (!isPassed) return 1
  const overlooked = findOverlooked()
  if (overlooked.length === 0) return 0
  process.stderr.write(`No test looks these pages over: ${overlooked.join(', ')}\n`)
  return 1
}

function runTests(environment: Record<string, string> = {}): boolean {
  return runNode(
    [
      '--test',
      '--test-timeout=1800000',
      '--test-concurrency=3',
      `--test-rerun-failures=${FAILED}`,
      '--test-global-setup=test/setup.ts',
      'test/console/groups/*.ts',
    ],
    environment,
  )
}

function runNode(values: readonly string[], environment: Record<string, string> = {}): boolean {
  const { status } = spawnSync(process.execPath, values, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  })
  return status === 0
}

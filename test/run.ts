// `npm test` and `npm run test:program`: test files in groups, one process each. With `--again`, as
// in CI, the files that failed are run once more, whole and by themselves, and must pass then: more
// than 5,000 tests share two cores, and a wait of one of them ends too early now and then. The
// first failure stays in the output.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findPackageRoot } from '../src/values/resources.ts'

const root = findPackageRoot()
const FAILED = join(root, 'coverage', 'failed-files.json')
// A change that breaks more than these broke for a reason.
const AGAIN_MAX = 5

process.exitCode = runTests(process.argv.slice(2))

/** The exit code. */
function runTests(values: readonly string[]): number {
  const [groups = '', option] = values
  mkdirSync(join(root, 'coverage'), { recursive: true })
  rmSync(FAILED, { force: true })
  if (runFiles([`test/${groups}/*.ts`], 4)) return 0
  const failed = option === '--again' ? readFailed() : []
  if (failed.length === 0 || failed.length > AGAIN_MAX) return 1
  process.stdout.write(`\nOnce more, by themselves:\n${failed.join('\n')}\n\n`)
  return runFiles(failed, 1) ? 0 : 1
}

function runFiles(files: readonly string[], concurrency: number): boolean {
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      '--test-timeout=1800000',
      `--test-concurrency=${String(concurrency)}`,
      '--test-global-setup=test/setup.ts',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./test/report-failures.ts',
      '--test-reporter-destination=stdout',
      ...files,
    ],
    {
      cwd: root,
      env: { ...process.env, CASEWORK_TEST_FAILED: FAILED },
      stdio: 'inherit',
    },
  )
  return status === 0
}

/** Nothing when the run itself did not begin. */
function readFailed(): readonly string[] {
  try {
    return JSON.parse(readFileSync(FAILED, 'utf8')) as readonly string[]
  } catch {
    return []
  }
}

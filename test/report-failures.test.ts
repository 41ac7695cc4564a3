// What the reporter of `npm test` says of a process that failed, and which files it names for
// another run.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPackageRoot } from '../src/values/resources.ts'

const root = findPackageRoot()

interface Run {
  readonly text: string
  /** Without the folder of the checkout. */
  readonly failed: readonly string[]
}

function runFixture(name: string): Run {
  const folder = mkdtempSync(join(tmpdir(), 'casework-failures-'))
  const target = join(folder, 'failed.json')
  // Of the process of this test, which would make the child a part of its own report.
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  try {
    const { stdout } = spawnSync(
      process.execPath,
      [
        '--test',
        '--test-reporter=./test/report-failures.ts',
        '--test-reporter-destination=stdout',
        join('test/fixtures', name),
      ],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...environment, CASEWORK_TEST_FAILED: target },
      },
    )
    const files = JSON.parse(readFileSync(target, 'utf8')) as readonly string[]
    return { text: stdout, failed: files.map((file) => file.replace(`${root}/`, '')) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a process whose tests passed is named with the error that one of them left behind', () => {
  const { text, failed } = runFixture('late-error.ts')
  assert.match(text, /the process of \S+\/test\/fixtures\/late-error\.ts ended with exit code 1/)
  assert.match(text, /Test "passes and leaves a promise behind".+"Error: too late"/)
  assert.deepEqual(failed, ['test/fixtures/late-error.ts'])
})

test('a group with a failed test is run again by the file of that test alone', () => {
  assert.deepEqual(runFixture('failing-group.ts').failed, ['test/fixtures/failing-file.ts'])
})

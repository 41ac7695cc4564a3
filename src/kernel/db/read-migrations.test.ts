// Proves what a folder of migrations may hold.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readMigrations } from './migrate.ts'

function readFolder(names: readonly string[]): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), 'casework-test-'))
  try {
    for (const name of names) writeFileSync(join(folder, name), 'select 1')
    return readMigrations(folder).map(({ version }) => version)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('migrations are read by their numbers, which may have gaps', () => {
  assert.deepEqual(readFolder(['0007-c.sql', '0001-a.sql', '0002-b.sql']), [1, 2, 7])
})

test('a number that is used twice and a name of another kind are refused', () => {
  assert.throws(() => readFolder(['0001-a.sql', '0001-b.sql']), /no number of its own/)
  for (const name of ['a.sql', '1-a.sql', '0001-A.sql', '0001-a.txt', '0000-a.sql']) {
    assert.throws(() => readFolder([name]), /no number of its own/)
  }
})

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { test } from 'node:test'
import { findPackageRoot, readResource } from './resources.ts'

test('the package root holds package.json and the resources', () => {
  assert.ok(existsSync(join(findPackageRoot(), 'package.json')))
  assert.ok(readResource('event-types.json').startsWith('{'))
})

test('a resource that is not shipped is an error that names the file', () => {
  assert.throws(() => readResource('no-such-file.json'), /no-such-file\.json/)
})

test('a folder outside every package is an error that says so', () => {
  const folder = mkdtempSync(join(parse(tmpdir()).root, 'tmp', 'casework-resources-'))
  try {
    assert.throws(() => findPackageRoot(folder), /no package\.json/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

// Proves when a start builds the console. That it builds is proved by every run of test:console.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isStale } from './refresh-console.ts'

const root = mkdtempSync(join(tmpdir(), 'casework-console-'))
after(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, atSeconds: number): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), 'x')
  utimesSync(join(root, path), atSeconds, atSeconds)
}

test('the published package has no sources, so there is nothing to build', () => {
  write('dist/console/index.html', 1_000)
  assert.equal(isStale(root), false)
})

test('a checkout builds what is missing or older than console, client or lockfile', () => {
  write('console/src/main.tsx', 900)
  assert.equal(isStale(root), false)
  write('console/src/pages/cases/view.tsx', 1_001)
  assert.equal(isStale(root), true)
  write('dist/console/index.html', 1_002)
  assert.equal(isStale(root), false)
  write('src/client/client.ts', 1_003)
  assert.equal(isStale(root), true)
  write('dist/console/index.html', 1_004)
  write('package-lock.json', 1_005)
  assert.equal(isStale(root), true)
  rmSync(join(root, 'dist'), { recursive: true })
  assert.equal(isStale(root), true)
})

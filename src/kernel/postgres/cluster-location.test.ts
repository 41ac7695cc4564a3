import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  assertRowKept,
  type ClusterTemplate,
  createClusterTemplate,
  makeDataFolder,
  OUTSIDE_ROOT,
  readPointer,
  startPostgres,
  writeRow,
} from '../../../test/postgres-harness.ts'
import { isRoot } from './account.ts'

// Only root needs another account for the database, and thereby perhaps another place; an ordinary
// user's lies inside always. The tests below say what each of the two gets, so they mean something
// whoever runs them.

let template: ClusterTemplate
before(async () => {
  template = await createClusterTemplate()
})
after(() => template.remove())

test('a data folder below a closed one (0700) works, and is found again', async (t) => {
  const dataDir = makeDataFolder(t, 'closed', 'data')
  chmodSync(dirname(dataDir), 0o700)
  chmodSync(dataDir, 0o700)
  const first = await startPostgres(t, dataDir)
  await writeRow(first)
  await first.stop()
  await assertRowKept(await startPostgres(t, dataDir))
  const outside = readPointer(dataDir)
  assert.equal(outside?.startsWith(`${OUTSIDE_ROOT}/`) ?? false, isRoot())
  assert.equal(existsSync(join(dataDir, 'postgres')), !isRoot())
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
})

test('a data folder that is 0700 itself is opened for passing through, if root needs that', async (t) => {
  const dataDir = template.copy(t)
  chmodSync(dataDir, 0o700)
  await assertRowKept(await startPostgres(t, dataDir))
  assert.equal(statSync(dataDir).mode & 0o777, isRoot() ? 0o711 : 0o700)
  assert.equal(readPointer(dataDir), null)
})

test('a moved data folder keeps its database; a copy never shares it', async (t) => {
  const dataDir = makeDataFolder(t, 'closed', 'data')
  const first = await startPostgres(t, dataDir)
  await writeRow(first)
  await first.stop()
  const copy = join(dirname(dataDir), 'copy')
  cpSync(dataDir, copy, { recursive: true })
  if (isRoot()) {
    await assert.rejects(
      startPostgres(t, copy),
      /POSTGRES_CLUSTER_OF_ANOTHER_FOLDER.*casework restore/,
    )
  } else {
    await assertRowKept(await startPostgres(t, copy))
  }
  const moved = join(dirname(dataDir), 'moved')
  renameSync(dataDir, moved)
  const second = await startPostgres(t, moved)
  await assertRowKept(second)
  await second.stop()
  // The clean-up looks for the pointer where the folder was made.
  renameSync(moved, dataDir)
})

test('a data folder made anew at the same path starts empty, and the old database stays', async (t) => {
  const dataDir = makeDataFolder(t, 'closed', 'data')
  const first = await startPostgres(t, dataDir)
  await writeRow(first)
  await first.stop()
  const pointer = join(dataDir, 'postgres.location')
  const outside = isRoot() ? readFileSync(pointer, 'utf8') : null
  rmSync(isRoot() ? pointer : join(dataDir, 'postgres'), { recursive: true })
  const second = await startPostgres(t, dataDir)
  await writeRow(second)
  await second.stop()
  if (outside === null) return
  assert.equal(readPointer(dataDir), `${outside.trim()}-2`)
  rmSync(`${outside.trim()}-2`, { recursive: true })
  writeFileSync(pointer, outside)
  await assertRowKept(await startPostgres(t, dataDir))
})

test('a pointer that leads elsewhere is refused', async (t) => {
  for (const location of [
    '/etc',
    `${OUTSIDE_ROOT}/../../etc`,
    `${OUTSIDE_ROOT}/0123456789abcdef`,
  ]) {
    const dataDir = makeDataFolder(t)
    writeFileSync(join(dataDir, 'postgres.location'), `${location}\n`)
    await assert.rejects(startPostgres(t, dataDir), /POSTGRES_POINTER_NOT_READABLE/)
    rmSync(join(dataDir, 'postgres.location'))
  }
})

test('a cluster that its account can reach no more is refused, and nothing new is made', async (t) => {
  const dataDir = template.copy(t)
  const closed = makeDataFolder(t, 'closed', 'data')
  rmSync(closed, { recursive: true })
  renameSync(dataDir, closed)
  if (isRoot()) {
    await assert.rejects(
      startPostgres(t, closed),
      /POSTGRES_CLUSTER_NOT_REACHABLE.* is closed to the account.*chmod o\+x/,
    )
  } else {
    await assertRowKept(await startPostgres(t, closed))
  }
  assert.equal(readPointer(closed), null)
})

test('a data folder deeper than a socket address works', async (t) => {
  const dataDir = makeDataFolder(t, 'd'.repeat(90), 'e'.repeat(90))
  chmodSync(dirname(dirname(dataDir)), 0o711)
  const postgres = await startPostgres(t, dataDir)
  assert.equal(existsSync(join(dataDir, 'postgres', 'cluster')), true)
  await writeRow(postgres)
  await assertRowKept(postgres)
})

// What the operator does on the machine stands in the audit log, and a restored log is intact.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildTestConfig, createTestDatabase, type SocketConnection } from '../../test/harness.ts'
import { createEmptyDatabase, query } from '../../test/query.ts'
import { openClient } from '../kernel/db/open-client.ts'
import { silentLog } from '../kernel/log.ts'
import { createSecretKeyText } from '../kernel/secrets/secret-keys.ts'
import { backUp, restore } from './backup/backup-data.ts'
import { ensureFirstToken } from './first-token.ts'
import { LOCAL_ACTOR, recordMigration } from './record-operator-acts.ts'
import { verifyDatabase } from './verify-audit-log.ts'

const key = createSecretKeyText()

function configOf(connection: SocketConnection, folder: string, more: Record<string, string> = {}) {
  const { host, port, user, database } = connection
  const url = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  return buildTestConfig({
    DATABASE_URL: url,
    CASEWORK_DATA_DIR: folder,
    CASEWORK_SECRET_KEY: key,
    ...more,
  })
}

const listActs = async (connection: SocketConnection) =>
  (
    await query(connection, 'select act, actor_kind, actor_id from audit_entry order by at, seq')
  ).map((row: Record<string, unknown>) => Object.values(row).join(' '))

test('the first token, a bootstrap token, a backup and a restore are recorded', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'casework-acts-'))
  const store = await createTestDatabase()
  t.after(async () => {
    await store.drop()
    rmSync(folder, { recursive: true })
  })
  const { connection } = store
  const config = configOf(connection, folder)
  assert.ok((await ensureFirstToken(config, connection, silentLog)) !== null)
  assert.equal(await ensureFirstToken(config, connection, silentLog), null)
  const bootstrap = configOf(connection, folder, { CASEWORK_BOOTSTRAP_TOKEN: 'b'.repeat(40) })
  for (let start = 0; start < 2; start += 1) {
    await ensureFirstToken(bootstrap, connection, silentLog)
  }
  const file = join(folder, 'one.backup')
  await backUp(config, silentLog, file, new AbortController().signal)
  const acts = [
    'token.create program start',
    'token.replace program start',
    'backup.create local local',
  ]
  assert.deepEqual(await listActs(connection), acts)

  const target = await createEmptyDatabase(t)
  const restored = configOf(target, folder)
  await restore(restored, silentLog, file)
  assert.deepEqual(await listActs(target), [...acts, 'backup.restore local local'])
  const options = { chain: null, expectedHead: null, trustedKeys: [] }
  const chains = await verifyDatabase(restored, silentLog, options)
  assert.deepEqual(
    chains.map(({ tenant_id: id, intact, entries }) => [id, intact, entries]),
    [
      ['*', true, 2],
      ['default', true, 2],
    ],
  )
})

test('a migration of a database that is in use is recorded, and that of a new one is not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'casework-acts-'))
  const store = await createTestDatabase()
  const { client, close } = await openClient(store.connection, 'test')
  t.after(async () => {
    await close()
    await store.drop()
    rmSync(folder, { recursive: true })
  })
  const config = configOf(store.connection, folder)
  const record = async (): Promise<void> => {
    await client.query('begin')
    await recordMigration(config, client, ['0999-last.sql'], LOCAL_ACTOR)
    await client.query('commit')
  }
  await record()
  assert.deepEqual(await listActs(store.connection), [])
  await ensureFirstToken(config, store.connection, silentLog)
  await record()
  const last = (await listActs(store.connection)).at(-1)
  assert.equal(last, 'schema.migrate local local')
})

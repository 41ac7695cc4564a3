// What was erased after a backup was taken is in the backup. It is looked for in the restored
// tables, by its text and in the bytes of reports.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import {
  buildTestConfig,
  openTestApp,
  type SocketConnection,
  type TestApp,
} from '../../../test/harness.ts'
import {
  ANA,
  CASEWORK,
  erase,
  fillWithAddress,
  openTenant,
  type Tenant,
} from '../../../test/privacy-kit.ts'
import { createEmptyDatabase, query } from '../../../test/query.ts'
import { type LoggedErasure, readErasureLog } from '../../casework/privacy/erasure/erasure-log.ts'
import { openRawSearcher } from '../../casework/privacy/erasure/raw-searcher.ts'
import { continueRepeats } from '../../casework/privacy/erasure/repeat-erasures.ts'
import { createDatabase } from '../../kernel/db/database.ts'
import { readMigrations } from '../../kernel/db/migrate.ts'
import { createIdSource } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { MIGRATIONS_FOLDER } from '../migrations-folder.ts'
import { eraseAgain, finishErasures, planErasures } from '../repeat-lost-erasures.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const BOB = 'bob@example.net'
const { signal } = new AbortController()

let app: TestApp
let folder: string
let log: string
let tenant: Tenant
let backup: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'casework-again-'))
  log = join(folder, 'erasures.jsonl')
  app = await openTestApp({ environment: { CASEWORK_ERASURE_LOG: log } })
  tenant = await openTenant(app, 'restored')
  // Bob was erased, and has reported again since: that is his to do, and no matter of a restore.
  await erase(tenant, {}, { address: BOB })
  const event = { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z', ip: '192.0.2.9' }
  await tenant.send('POST', '/events', { ...event, sender_email: BOB })
  await fillWithAddress(tenant)
  backup = join(folder, 'backup')
  await writeBackup({ connection: app.connection, place: 'here', file: backup, signal })
  await erase(tenant)
})
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

async function restoreIt(t: TestContext, logged: readonly LoggedErasure[]) {
  const connection = await createEmptyDatabase(t)
  const planned = { missing: 0, foreign: 0, known: 0 }
  await restoreBackup({
    connection,
    place: 'there',
    file: backup,
    migrations: readMigrations(MIGRATIONS_FOLDER),
    complete: async (client) => void Object.assign(planned, await planErasures(client, logged)),
  })
  return { connection, planned }
}

/** Of the columns that are no ids: how many rows hold the address, in a table each. */
async function findIn(connection: SocketConnection, address: string): Promise<readonly unknown[]> {
  const found = await query(
    connection,
    `select 'event' as name from event where sender_email ilike $1 or details::text ~ $2
     union select 'case' from abuse_case where array_to_string(event_reporters, ' ') ~* $2
     union select 'comment' from case_comment where text ~ $2
     union select 'history' from case_history where reason ~ $2
     union select 'raw' from report_raw where position($1::bytea in bytes) > 0 or position($3::bytea in bytes) > 0`,
    [
      address,
      `(^|[^a-z])${address}([^.]|$)`,
      Buffer.from(`Write to ${address}`).toString('base64').slice(0, 24),
    ],
  )
  return found
    .map((row) => row['name'])
    .toSorted((one, other) => (String(one) < String(other) ? -1 : 1))
}

async function readLog(): Promise<readonly LoggedErasure[]> {
  const logged = await readErasureLog(log)
  assert.ok(logged !== null && logged.length >= 2)
  return logged
}

describe('an address that was erased after the backup', () => {
  test('is erased again from the restored database, and one that was erased before it is left', async (t) => {
    const { connection, planned } = await restoreIt(t, await readLog())
    assert.deepEqual(planned, { missing: 1, foreign: 0, known: 1 })
    assert.deepEqual(await findIn(connection, ANA), ['case', 'comment', 'event', 'history', 'raw'])
    const done = await finishErasures(connection, silentLog)
    assert.equal(done.addresses, 1)
    assert.deepEqual([done.onLegalHold, done.changed['report_raw']], [{}, 3])
    assert.deepEqual(await findIn(connection, ANA), [])
    assert.deepEqual(await findIn(connection, BOB), ['case', 'event'])
    // The same words stand in its place as before the restore.
    const select = `select array(select unnest(event_reporters) order by 1) as list from abuse_case
      where tenant_id = 'restored' order by id`
    assert.deepEqual(await query(connection, select), await query(app.connection, select))
    const again = await finishErasures(connection, silentLog)
    assert.equal(again.addresses, 0)
  })

  test('is erased by the next start when the restore was broken off', async (t) => {
    const { connection } = await restoreIt(t, await readLog())
    const database = createDatabase({ connection, poolMax: 2, log: silentLog })
    t.after(() => database.close())
    const rawSearcher = openRawSearcher({ log: silentLog })
    t.after(() => rawSearcher.close())
    const deps = { db: database.kysely, log: silentLog, ids: createIdSource(), rawSearcher }
    const limits = { erasuresMax: 1, budgetMs: 0 }
    let steps = 0
    while ((await continueRepeats(deps, limits)).isMore) steps += 1
    assert.ok(steps > 10)
    assert.deepEqual(await findIn(connection, ANA), [])
  })

  test('is erased once, and not again from what has come since, when the log is applied later', async (t) => {
    const { connection } = await restoreIt(t, [])
    assert.ok((await findIn(connection, ANA)).length > 0)
    const { host, user, database, port } = connection
    const url = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    const config = buildTestConfig({ DATABASE_URL: url, CASEWORK_DATA_DIR: folder })
    const first = await eraseAgain(config, silentLog, log)
    assert.deepEqual([first.missing, first.foreign, first.addresses], [1, 0, 1])
    assert.deepEqual(await findIn(connection, ANA), [])
    await query(
      connection,
      `insert into case_comment (tenant_id, case_id, id, text, author, created_at)
       values ('restored', 'C-0', gen_random_uuid(), $1, 'test', now())`,
      [`${ANA} is back`],
    )
    const second = await eraseAgain(config, silentLog, log)
    assert.deepEqual([second.missing, second.addresses], [0, 0])
    assert.deepEqual(await findIn(connection, ANA), ['comment'])
    await assert.rejects(eraseAgain(config, silentLog, join(folder, 'none')), {
      code: 'APP_NO_ERASURE_LOG',
    })
  })

  test('of another instance is told and not looked for', async (t) => {
    const logged = (await readLog()).map((entry) => ({ ...entry, key: '0123456789abcdef' }))
    const { planned } = await restoreIt(t, logged)
    assert.deepEqual(planned, { missing: 0, foreign: logged.length, known: 1 })
  })

  test('200 for the list of erasures afterwards, which tells that a restore asked', async (t) => {
    const { connection } = await restoreIt(t, await readLog())
    await finishErasures(connection, silentLog)
    const rows = await query(
      connection,
      `select requested_by, cardinality(repeats) as repeats from erasure where repeats <> '{}'`,
    )
    assert.deepEqual(rows, [{ requested_by: 'restore', repeats: 1 }])
    const listed = await app.send('GET', `${CASEWORK}/erasures`, { token: tenant.token })
    assert.equal(listed.json().items.length, 2)
  })
})

// Upgrades a database of 0.1.0 with the real program, which is killed at random moments of the
// upgrade: no row is lost, and the schema is that of a fresh database in the end.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, Pool } from 'pg'
import { MIGRATIONS_FOLDER } from '../../src/app/migrations-folder.ts'
import { migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import {
  createTestDatabase,
  ROWS_OF_ALL_TENANTS,
  readTestConnection,
  type SocketConnection,
  SUPERUSER,
} from '../harness.ts'
import { atEnd } from '../postgres-harness.ts'
import { createEmptyDatabase, query } from '../query.ts'
import { waitUntil } from '../wait.ts'
import {
  buildSocketUrl,
  makeOpenFolder,
  type Program,
  ROOT,
  startServe,
  stopServer,
} from './program.ts'

const KILLS = 20
// A kill that came too early or too late does not count.
const ROUNDS_MAX = 100
// The last migration of 0.1.0.
const RELEASED_VERSION = 31
// Migration 0038 shows whom a waiting run waits for, and 0042 computes another deadline. A start
// writes down whether the tenant shares sightings, and seeds the shipped tags.
const CHANGED = [
  'abuse_case.due_at',
  'abuse_case.waiting_on',
  'intel_serial.serial',
  'intel_serial.tag_serial',
  'tenant.settings',
]

// The name of a table after the upgrade. Migration 0099 renames it; its rows are summed up later.
const RENAMED: Readonly<Record<string, string>> = { sighting: 'former_sighting' }

test('an upgrade from 0.1.0 that is killed midway 20 times loses no row, and ends with the schema of a fresh database', async (t) => {
  const released = await createReleased(t)
  const before = await readRows(released)
  assert.ok(before.size > 50 && [...before.values()].flat().length > 5_000)
  const durationMs = await upgradeUndisturbed(await clone(t, released))

  const database = await clone(t, released)
  const environment = { DATABASE_URL: buildSocketUrl(database), CASEWORK_ROLES: 'api' }
  const dataDir = makeOpenFolder(t)
  let kills = 0
  for (let round = 0; kills < KILLS; round += 1) {
    assert.ok(round < ROUNDS_MAX, `only ${kills} of ${round} kills came midway`)
    const server = startServe(t, dataDir, [], { environment })
    await untilUpgrading(database, server)
    await delay(Math.random() * durationMs)
    const isMidway = await withClient(database, hasTransaction)
    server.signalGroup('SIGKILL')
    await server.whenExited
    await untilDisconnected(database)
    if ((await withClient(database, readVersion)) > RELEASED_VERSION) {
      // The commit was faster than the kill: the next round starts from the old schema again.
      await recreate(database, released)
    } else if (isMidway) {
      kills += 1
    }
  }
  assert.deepEqual(await readRows(database), before)

  const server = startServe(t, dataDir, [], { environment })
  await server.whenReady
  await stopServer(server)
  const columns = await listKeptColumns(released, database)
  assertKept(await readRows(released, columns), await readRows(database, columns, RENAMED))
  const fresh = await createTestDatabase()
  atEnd(t, fresh.drop)
  assert.deepEqual(await readSchema(database), await readSchema(fresh.connection))
})

async function createReleased(t: TestContext): Promise<SocketConnection> {
  const released = await createEmptyDatabase(t)
  const all = readMigrations(MIGRATIONS_FOLDER)
  await migrateWith(released, (pool) =>
    migrate(
      pool,
      all.filter(({ version }) => version <= RELEASED_VERSION),
    ),
  )
  await query(released, readFileSync(join(ROOT, 'test', 'startup', 'rows-of-0-1-0.sql'), 'utf8'))
  return released
}

async function upgradeUndisturbed(database: SocketConnection): Promise<number> {
  const startedAt = performance.now()
  await migrateWith(database, (pool) => migrate(pool, readMigrations(MIGRATIONS_FOLDER)))
  return performance.now() - startedAt
}

async function migrateWith(
  database: SocketConnection,
  work: (pool: Pool) => Promise<unknown>,
): Promise<void> {
  const pool = new Pool({ ...database, options: ROWS_OF_ALL_TENANTS, max: 1 })
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}

async function clone(t: TestContext, original: SocketConnection): Promise<SocketConnection> {
  const copy = { ...original, database: `test_${randomBytes(8).toString('hex')}` }
  await recreate(copy, original)
  atEnd(t, () => asAdmin(`drop database if exists ${copy.database} with (force)`))
  return copy
}

async function recreate(copy: SocketConnection, original: SocketConnection): Promise<void> {
  await asAdmin(`drop database if exists ${copy.database} with (force)`)
  await asAdmin(
    `create database ${copy.database} template ${original.database} owner ${original.user}`,
  )
}

async function asAdmin(statement: string): Promise<void> {
  await query({ ...readTestConnection(), user: SUPERUSER, database: 'postgres' }, statement)
}

/** Waits until the program is in the middle of the upgrade, or has done it. */
async function untilUpgrading(
  database: SocketConnection,
  { child, stderr }: Program,
): Promise<void> {
  await withClient(database, async (client) => {
    await waitUntil(async () => {
      assert.equal(child.exitCode, null, stderr())
      return (await hasTransaction(client)) || (await readVersion(client)) > RELEASED_VERSION
    }, 'the upgrade')
  })
}

/** Whether a transaction of the program holds the lock of the upgrade. */
async function hasTransaction(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_locks where relation = 'schema_lock'::regclass and mode = 'RowShareLock' and pid <> pg_backend_pid()`,
  )
  return rowCount !== 0
}

/** Waits until PostgreSQL has noticed that its client is gone, at its next message to it. */
async function untilDisconnected({ database }: SocketConnection): Promise<void> {
  const admin = { ...readTestConnection(), database: 'postgres' }
  const sessions = 'select from pg_stat_activity where datname = $1'
  await waitUntil(async () => (await query(admin, sessions, [database])).length === 0)
}

async function readVersion(client: Client): Promise<number> {
  const found = await client.query<{ version: number }>(
    'select max(version) as version from schema_migration',
  )
  return found.rows[0]?.version ?? 0
}

async function withClient<Result>(
  database: SocketConnection,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ ...database, options: ROWS_OF_ALL_TENANTS })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

type Columns = ReadonlyMap<string, readonly string[]>

async function listColumns(database: SocketConnection): Promise<Columns> {
  const rows = await query(
    database,
    `select table_name as name, array_agg(column_name::text order by column_name) as columns
     from information_schema.columns where table_schema = 'public' group by table_name order by table_name`,
  )
  return new Map(rows.map(({ name, columns }) => [String(name), columns as string[]]))
}

/** The columns that both have, without those whose values an upgrade or a start may change. */
async function listKeptColumns(
  database: SocketConnection,
  upgraded: SocketConnection,
): Promise<Columns> {
  const all = await listColumns(database)
  const left = await listColumns(upgraded)
  return new Map(
    [...all].map(([table, columns]) => [
      table,
      columns.filter(
        (column) =>
          left.get(RENAMED[table] ?? table)?.includes(column) === true &&
          !CHANGED.includes(`${table}.${column}`),
      ),
    ]),
  )
}

/** Each row as text, by table; of these columns only. */
async function readRows(
  database: SocketConnection,
  wanted?: Columns,
  renamed: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  return await withClient(database, async (client) => {
    const rows = new Map<string, readonly string[]>()
    for (const [name, columns] of wanted ?? (await listColumns(database))) {
      if (columns.length === 0) continue
      const list = columns.map((column) => `"${column}"`).join(', ')
      const found = await client.query<{ text: string }>(
        `select to_jsonb(one)::text as text from (select ${list} from "${renamed[name] ?? name}") as one order by 1`,
      )
      rows.set(
        name,
        found.rows.map(({ text }) => text),
      )
    }
    return rows
  })
}

function assertKept(
  before: ReadonlyMap<string, readonly string[]>,
  after: ReadonlyMap<string, readonly string[]>,
): void {
  const lost = [...before].flatMap(([table, rows]) => {
    const left = new Set(after.get(table))
    const missing = rows.filter((row) => !left.has(row))
    return missing.length === 0 ? [] : [`${missing.length} rows of ${table}, such as ${missing[0]}`]
  })
  assert.deepEqual(lost, [])
}

/** Everything that the migrations make. */
async function readSchema(database: SocketConnection): Promise<readonly unknown[]> {
  return await query(
    database,
    `select 'column ' || table_name || '.' || column_name as name, concat_ws(' ', data_type, udt_name, is_nullable, column_default, collation_name, generation_expression) as text
     from information_schema.columns where table_schema = 'public'
     union all
     select 'index ' || indexname, indexdef from pg_indexes where schemaname = 'public'
     union all
     select 'constraint ' || conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
     union all
     select 'policy ' || tablename || ' ' || policyname, concat_ws(' ', qual, with_check) from pg_policies where schemaname = 'public'
     union all
     select 'table ' || relname, concat_ws(' ', relrowsecurity, relforcerowsecurity, reloptions) from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
     union all
     select 'function ' || oid::regprocedure, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
     union all
     select 'trigger ' || tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     order by 1, 2`,
  )
}

// With a table of its own, so that it can be as it was before migration 0118, and with the tables
// of the program.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Pool } from 'pg'
import { Registry } from 'prom-client'
import {
  createTestDatabase,
  ROWS_OF_ALL_TENANTS,
  type TestDatabase,
} from '../../../../test/harness.ts'
import { buildUuidFloor, createIdSource } from '../../ids.ts'
import { silentLog } from '../../log.ts'
import { createDatabase, type Database, inTransaction } from '../database.ts'
import { readErrorCode } from '../trouble-codes.ts'
import { createMonthGauges, keepMonths } from './keep-months.ts'
import {
  bindToFirstMonth,
  divide,
  findFirstMonth,
  readMonths,
  validateFirstMonth,
} from './month-store.ts'
import { MONTHLY_TABLES, startOfMonth } from './months.ts'

const NOW = Date.parse('2026-11-10T12:00:00Z')
const clock = { atMs: NOW, nowMs: () => clock.atMs }
const DAY_MS = 24 * 60 * 60 * 1_000

let database: TestDatabase
let pool: Pool
let program: Database
before(async () => {
  database = await createTestDatabase()
  pool = new Pool({ ...database.connection, options: ROWS_OF_ALL_TENANTS, max: 6 })
  const connection = { ...database.connection, options: ROWS_OF_ALL_TENANTS }
  program = createDatabase({ connection, poolMax: 2, log: silentLog })
})
after(async () => {
  await program.close()
  await pool.end()
  await database.drop()
})

const gauges = createMonthGauges(new Registry())

async function makeTable(name: string, rows: number): Promise<{ name: string; key: string }> {
  clock.atMs = NOW
  ids = createIdSource(clock)
  await pool.query(`
    create table ${name} (
      tenant_id text collate "C" not null, id uuid not null, text text not null default 'x' check (text <> ''),
      primary key (tenant_id, id) include (text)
    );
    create index ${name}_by_text on ${name} (tenant_id, lower(text)) where text <> 'y';
    grant select on ${name} to pg_monitor;
    select protect_rows_of_tenants()`)
  await insert(name, rows)
  return { name, key: 'id' }
}

// The ids of a source never go back.
let ids = createIdSource(clock)

async function insert(name: string, rows: number): Promise<readonly string[]> {
  const made = Array.from({ length: rows }, () => ids.nextUuid())
  await pool.query(`insert into ${name} (tenant_id, id) select 'default', unnest($1::uuid[])`, [
    made,
  ])
  return made
}

async function keep(table: { name: string; key: string }): Promise<void> {
  const deps = { pool, clock, log: silentLog, gauges, tables: [table] }
  await keepMonths(deps, new AbortController().signal)
}

async function readPartitions(table: { name: string; key: string }) {
  const [found] = await readMonths(pool, [table])
  return found?.partitions?.map(({ name }) => name) ?? null
}

interface Insertion {
  readonly text?: string
  readonly meanwhile?: () => Promise<void>
}

/** As the program writes a row. */
async function insertBy(
  { kysely }: Database,
  name: string,
  id: string,
  { text = 'x', meanwhile = async () => undefined }: Insertion = {},
): Promise<void> {
  const inserted = inTransaction(kysely, (tx) =>
    sql`insert into ${sql.table(name)} (tenant_id, id, text) values ('default', ${id}, ${text})`.execute(
      tx,
    ),
  )
  await Promise.all([inserted, meanwhile()])
}

async function count(name: string): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(`select count(*) as count from ${name}`)
  return Number(rows[0]?.count)
}

/** What a table has, without its name. */
async function describeTable(name: string): Promise<unknown> {
  const { rows } = await pool.query(
    `select relrowsecurity, relforcerowsecurity, relacl::text,
       array(select replace(pg_get_indexdef(indexrelid), $1, 'one') from pg_index where indrelid = c.oid order by 1) as indexes,
       array(select pg_get_constraintdef(oid) from pg_constraint where conrelid = c.oid and contype in ('c', 'p') order by 1) as constraints,
       array(select concat_ws(' ', polname, pg_get_expr(polqual, c.oid), pg_get_expr(polwithcheck, c.oid)) from pg_policy where polrelid = c.oid) as policies,
       array(select concat_ws(' ', attname, atttypid::regtype, attnotnull, attcollation, atthasdef) from pg_attribute where attrelid = c.oid and attnum > 0 order by attnum) as columns
     from pg_class c where oid = $1::regclass`,
    [name],
  )
  return rows[0]
}

describe('a table of an existing installation', () => {
  test('is divided without a copy, with its indexes, constraints, policies and grants', async () => {
    const table = await makeTable('growing', 1_000)
    const earlier = await describeTable('growing')
    const file = `select pg_relation_filenode($1::regclass) as node`
    const [heap] = (await pool.query(file, ['growing'])).rows
    await keep(table)
    assert.deepEqual(await readPartitions(table), ['growing_other', 'growing_until_2026_12'])
    const { rows } = await pool.query(file, ['growing_until_2026_12'])
    assert.deepEqual(rows[0], heap)
    const now = JSON.stringify(await describeTable('growing')).replaceAll('ON ONLY', 'ON')
    assert.deepEqual(JSON.parse(now), earlier)
    assert.equal(await count('growing'), 1_000)
    // A row is in one place, and its key is still unique.
    const [id] = await insert('growing', 1)
    await assert.rejects(
      pool.query(`insert into growing (tenant_id, id) values ('default', $1)`, [id]),
      { code: '23505' },
    )
  })

  test('is written to while its rows are looked at, and while it is divided', async () => {
    const table = await makeTable('busy', 50_000)
    const over = new AbortController()
    let written = 0
    let worstMs = 0
    const write = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const startedMs = performance.now()
        // One after the other, as a client does.
        // oxlint-disable-next-line eslint/no-await-in-loop
        await insert('busy', 10)
        worstMs = Math.max(worstMs, performance.now() - startedMs)
        written += 10
      }
    }
    const writers = [write(), write()]
    await keep(table)
    over.abort()
    await Promise.all(writers)
    assert.deepEqual(await readPartitions(table), ['busy_other', 'busy_until_2026_12'])
    assert.ok(written > 0)
    assert.equal(await count('busy'), 50_000 + written)
    assert.ok(worstMs < 5_000, `a write waited for ${worstMs} ms`)
  })

  test('is looked at while a transaction writes to it: validation takes no lock that stops it', async () => {
    const table = await makeTable('read', 100)
    await bindToFirstMonth(pool, table, startOfMonth(NOW, 1))
    const writer = await pool.connect()
    try {
      await writer.query('begin')
      await writer.query(`update read set text = 'z' where tenant_id = 'default'`)
      await validateFirstMonth(pool, table)
      await writer.query('commit')
    } finally {
      writer.release()
    }
  })

  for (const step of ['begun', 'validated']) {
    test(`is divided after a kill when the division was ${step}`, async () => {
      const table = await makeTable(`killed_${step}`, 100)
      await bindToFirstMonth(pool, table, startOfMonth(NOW, 1))
      if (step === 'validated') await validateFirstMonth(pool, table)
      await keep(table)
      const names = [`${table.name}_other`, `${table.name}_until_2026_12`]
      assert.deepEqual(await readPartitions(table), names)
      assert.equal(await count(table.name), 100)
    })
  }

  test('keeps all as it was when the process dies in the division', async () => {
    const table = await makeTable('died', 100)
    const client = await pool.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    client.on('error', () => undefined)
    await client.query('begin')
    await client.query(`select divide_by_month('died', 'id', '2026-12-01')`)
    await pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    client.release(true)
    assert.equal(await readPartitions(table), null)
    assert.equal(await count('died'), 100)
    await keep(table)
    assert.deepEqual(await readPartitions(table), ['died_other', 'died_until_2026_12'])
  })

  test('is divided later when a long transaction has it: nobody waits behind the division for long', async () => {
    const table = await makeTable('held', 10)
    await bindToFirstMonth(pool, table, startOfMonth(NOW, 1))
    await validateFirstMonth(pool, table)
    const reader = await pool.connect()
    try {
      await reader.query('begin')
      await reader.query('select from held')
      const stop = new AbortController()
      const running = keepMonths(
        { pool, clock, log: silentLog, gauges, tables: [table] },
        stop.signal,
      )
      const startedMs = performance.now()
      await insert('held', 1)
      assert.ok(performance.now() - startedMs < 5_000)
      stop.abort()
      await running
      assert.equal(await readPartitions(table), null)
      await reader.query('rollback')
    } finally {
      reader.release()
    }
    await keep(table)
    assert.deepEqual(await readPartitions(table), ['held_other', 'held_until_2026_12'])
  })

  test('stores a row of a clock far ahead while it is prepared for a month before that', async () => {
    const table = await makeTable('early', 10)
    await bindToFirstMonth(pool, table, startOfMonth(NOW, 1))
    await insertBy(program, 'early', buildUuidFloor(NOW + 100 * DAY_MS))
    assert.equal(await findFirstMonth(pool, table), null)
    // A division that was about to be made is not.
    assert.equal(await divide(pool, table, startOfMonth(NOW, 1)), false)
    await keep(table)
    assert.deepEqual(await readPartitions(table), ['early_other', 'early_until_2027_03'])
    assert.equal(await count('early'), 11)
  })

  test('stores such a row while a validation holds the table, which ends', async () => {
    const table = await makeTable('checked', 10)
    await bindToFirstMonth(pool, table, startOfMonth(NOW, 1))
    // A validation of a large table takes minutes.
    const validating = await pool.connect()
    try {
      await validating.query('begin')
      await validating.query('alter table checked validate constraint checked_before_month')
      const reading = validating
        .query('select pg_sleep(60) /* alter table x validate constraint y */')
        .then(() => null, readErrorCode)
      await insertBy(program, 'checked', buildUuidFloor(NOW + 100 * DAY_MS), {
        meanwhile: async () => {
          assert.equal(await reading, '57014')
          await validating.query('rollback')
        },
      })
    } finally {
      validating.release()
    }
    assert.equal(await count('checked'), 11)
    await keep(table)
    assert.deepEqual(await readPartitions(table), ['checked_other', 'checked_until_2027_03'])
  })

  test('refuses a row that breaks another constraint, and keeps what it was prepared for', async () => {
    const table = await makeTable('strict', 10)
    await bindToFirstMonth(pool, table, startOfMonth(NOW, 1))
    await assert.rejects(insertBy(program, 'strict', ids.nextUuid(), { text: '' }), {
      code: '23514',
    })
    assert.notEqual(await findFirstMonth(pool, table), null)
  })

  test('is divided at a later month when the first one has come too near', async () => {
    const table = await makeTable('late', 10)
    await bindToFirstMonth(pool, table, startOfMonth(NOW, 1))
    clock.atMs = Date.parse('2026-11-29T00:00:00Z')
    await keep(table)
    assert.deepEqual(await readPartitions(table), ['late_other', 'late_until_2027_01'])
  })
})

describe('a table that is divided', () => {
  test('gets the partition of the coming month, which row security protects', async () => {
    const table = await makeTable('coming', 10)
    await keep(table)
    clock.atMs = Date.parse('2026-11-20T00:00:00Z')
    await keep(table)
    const names = ['coming_2026_12', 'coming_other', 'coming_until_2026_12']
    assert.deepEqual(await readPartitions(table), names)
    assert.equal(await readCovered('coming'), Date.parse('2027-01-01T00:00:00Z') / 1_000)
    clock.atMs = Date.parse('2026-12-05T00:00:00Z')
    await insert('coming', 3)
    assert.equal(await count('coming_2026_12'), 3)
    const other = new Pool({
      ...database.connection,
      options: '-c casework.tenant_id=other',
      max: 1,
    })
    try {
      for (const name of names) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        assert.equal((await other.query(`select from ${name}`)).rowCount, 0)
        // oxlint-disable-next-line eslint/no-await-in-loop
        await assert.rejects(
          other.query(`insert into ${name} (tenant_id, id) values ('default', $1)`, [
            ids.nextUuid(),
          ]),
        )
      }
    } finally {
      await other.end()
    }
  })

  test('takes rows of a clock far ahead, and gives them to their month when it is made', async () => {
    const table = await makeTable('ahead', 10)
    await keep(table)
    await pool.query(`insert into ahead (tenant_id, id) values ('default', $1), ('default', $2)`, [
      buildUuidFloor(NOW + 40 * DAY_MS),
      buildUuidFloor(NOW + 4_000 * DAY_MS),
    ])
    assert.deepEqual([await count('ahead'), await count('ahead_other')], [12, 2])
    // No worker ran when December came.
    clock.atMs = Date.parse('2026-12-10T00:00:00Z')
    await insert('ahead', 5)
    assert.equal(await count('ahead_other'), 7)
    await keep(table)
    assert.deepEqual(
      [await count('ahead'), await count('ahead_other'), await count('ahead_2026_12')],
      [17, 1, 6],
    )
  })

  test('is kept by several nodes at once', async () => {
    const table = await makeTable('shared', 10)
    await Promise.all([keep(table), keep(table), keep(table)])
    await keep(table)
    assert.deepEqual(await readPartitions(table), ['shared_other', 'shared_until_2026_12'])
    clock.atMs = Date.parse('2026-11-20T00:00:00Z')
    await Promise.all([keep(table), keep(table), keep(table)])
    await keep(table)
    assert.equal((await readPartitions(table))?.length, 3)
  })
})

test('a new installation has its tables divided, and each partition the policy', async () => {
  const tables = await readMonths(pool, MONTHLY_TABLES)
  assert.equal(tables.length, MONTHLY_TABLES.length)
  for (const { table, partitions } of tables) {
    assert.ok(partitions !== null && partitions.length >= 2, table.name)
    for (const { name } of partitions) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      const { rowCount } = await pool.query(
        `select from pg_policy join pg_class c on c.oid = polrelid where relname = $1 and relforcerowsecurity`,
        [name],
      )
      assert.equal(rowCount, 1, name)
    }
  }
})

async function readCovered(table: string): Promise<number | undefined> {
  const { values } = await gauges.coveredUntil.get()
  return values.find(({ labels }) => labels.table === table)?.value
}

// Every table of the program has its place in a database that is sharded by tenant, and can have
// it.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { findPackageRoot } from '../../values/resources.ts'
import { checkCluster, shardNewTables } from './shard-database.ts'
import { LOCAL_TABLES, REFERENCE_TABLES, SHARDED_TABLES } from './table-kinds.ts'

const app = withApp()

async function query(text: string, values: readonly unknown[] = []): Promise<readonly string[]> {
  const { pool } = app.services.foundation.database
  const { rows } = await pool.query<{ name: string }>(text, [...values])
  return rows.map(({ name }) => name)
}

test('a migration that makes a table names it in one of the lists', async () => {
  const found = await query(
    `select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace
       and relkind in ('r', 'p') and not relispartition order by relname`,
  )
  const listed = [...SHARDED_TABLES, ...REFERENCE_TABLES, ...LOCAL_TABLES]
  assert.deepEqual(listed.toSorted(), [...found])
  assert.equal(new Set(listed).size, listed.length)
})

test('each unique key of a sharded table has its tenant, which is compared byte by byte', async () => {
  const without = await query(
    `select i.indexrelid::regclass::text as name from pg_index i
     where i.indrelid = any ($1::regclass[]) and i.indisunique and not exists (
       select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'tenant_id'
         and a.attnum = any (i.indkey::smallint[]))`,
    [SHARDED_TABLES],
  )
  assert.deepEqual(without, [])
  // Citus places tables together only if their tenants are compared in one way.
  const otherwise = await query(
    `select name from unnest($1::text[]) as name where not exists (
       select from pg_attribute a join pg_collation l on l.oid = a.attcollation
       where a.attrelid = name::regclass and a.attname = 'tenant_id' and l.collname = 'C')`,
    [SHARDED_TABLES],
  )
  assert.deepEqual(otherwise, [])
})

test('a foreign key of a sharded table leads to the same tenant or to a reference table, and nothing local leads to one', async () => {
  const keys = await query(
    `select conrelid::regclass || ' ' || conname as name from pg_constraint
     where contype = 'f' and conrelid = any ($1::regclass[])
       and (confrelid <> all (($1 || $2)::regclass[])
         or confrelid = any ($1::regclass[]) and pg_get_constraintdef(oid) not like 'FOREIGN KEY (tenant_id, %')
     union all
     select conrelid::regclass || ' ' || conname from pg_constraint
     where contype = 'f' and confrelid = any ($1::regclass[]) and conrelid <> all ($1::regclass[])`,
    [SHARDED_TABLES, REFERENCE_TABLES],
  )
  assert.deepEqual(keys, [])
})

test('a sharded table has no trigger, which Citus refuses', async () => {
  const triggers = await query(
    `select tgname::text as name from pg_trigger where not tgisinternal and tgrelid = any ($1::regclass[])`,
    [SHARDED_TABLES],
  )
  assert.deepEqual(triggers, [])
})

test('a later migration adds foreign keys behind the definition of a table of tenants', () => {
  const folder = join(findPackageRoot(), 'migrations')
  const faults = readdirSync(folder)
    .filter((name) => name > FIRST_AFTER_SHARDING)
    .flatMap((name) => findEarlyKeys(readFileSync(join(folder, name), 'utf8')))
  assert.deepEqual(faults, [])
  const early = 'create table note (\n  tenant_id text not null references tenant,\n  id text\n);'
  assert.deepEqual(findEarlyKeys(early), ['note leads to tenant'])
})

// No database was sharded before the versions that have all of these.
const FIRST_AFTER_SHARDING = '0119'

/** Foreign keys with which a table could not be made on Citus (migration 0115 says what to do). */
function findEarlyKeys(sql: string): readonly string[] {
  const known = [...SHARDED_TABLES, ...REFERENCE_TABLES]
  return [...sql.matchAll(/^create table (\w+) \((.*?)^\)/gms)].flatMap(([, table, columns]) =>
    [...(columns ?? '').matchAll(/\breferences (\w+)/g)].flatMap(([, target = '']) =>
      known.includes(target) ? [`${table} leads to ${target}`] : [],
    ),
  )
}

test('APP_NO_CITUS: a database without the extension is not sharded, and is served as before', async () => {
  await assert.rejects(checkCluster(app.connection, 'PostgreSQL at a test'), {
    code: 'APP_NO_CITUS',
    message: /at a test cannot be sharded: it has no extension citus/,
  })
  assert.equal(await shardNewTables(app.connection), null)
})

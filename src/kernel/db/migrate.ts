// Plain SQL migrations, forward only, never edited. Several nodes may start at once: a one-row
// table taken FOR UPDATE lets one of them migrate while the others wait (no advisory locks: design
// section 1, row 4).

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { migrationWasEdited, schemaIsNewer } from '../errors.ts'
import { inInstance } from './instance-acts.ts'
import { isKeyTaken, readErrorCode } from './trouble-codes.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

export interface MigrationResult {
  readonly applied: readonly string[]
  /** How many migrations the schema has. The number of the last is higher: some are left out. */
  readonly version: number
}

// Made from the others, for readers.
const SUM = 'schema.sql'
const FILE_NAME_PATTERN = /^(\d{4})-[a-z0-9-]+\.sql$/

/**
 * Reads `NNNN-name.sql` files, and not their sum `schema.sql`. Throws when a number is used twice,
 * or a file has another kind of name. Numbers may be left out: changes that are made at the same
 * time take theirs ahead.
 */
export function readMigrations(folder: string): readonly Migration[] {
  let former = 0
  return readdirSync(folder)
    .toSorted()
    .filter((name) => name !== SUM)
    .map((name) => {
      const version = Number(FILE_NAME_PATTERN.exec(name)?.[1] ?? Number.NaN)
      if (!(version > former)) throw new Error(`migration ${name} has no number of its own`)
      former = version
      const sql = readFileSync(join(folder, name), 'utf8')
      return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/**
 * Brings the schema to the newest version this program knows. Throws when the database is newer, or
 * was made with other files. `complete` is called in the same transaction if there was one to
 * apply.
 */
export async function migrate(
  pool: pg.Pool,
  migrations: readonly Migration[],
  complete: (client: pg.ClientBase, applied: readonly string[]) => Promise<void> = async () =>
    undefined,
): Promise<MigrationResult> {
  const client = await pool.connect()
  try {
    await prepareLedger(client)
    // One transaction for all: a process that is killed leaves the old schema unchanged.
    await inInstance('migrate', () => client.query('begin'))
    // The pool's limit on statements is for requests; an index over millions of rows takes longer.
    await client.query('set local statement_timeout = 0')
    // On Citus several changes of one sharded table in a transaction need it. Other servers keep it
    // as a name that means nothing to them.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    const applied = await applyMigrations(client, migrations)
    if (applied.length > 0) await complete(client, applied)
    await client.query('commit')
    return { applied, version: migrations.length }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

/**
 * Applies the migrations that are missing, in the transaction the caller has opened, and returns
 * their names. Other nodes that migrate wait until the transaction ends. Throws as `migrate` does.
 */
export async function applyMigrations(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const applied: string[] = []
  await client.query('select 1 from schema_lock where id = 1 for update')
  const done = await client.query<{ version: number; checksum: string }>(
    'select version, checksum from schema_migration order by version',
  )
  checkHistory(done.rows, migrations)
  for (const migration of migrations.slice(done.rows.length)) {
    await client.query(migration.sql)
    await client.query(
      'insert into schema_migration (version, name, checksum) values ($1, $2, $3)',
      [migration.version, migration.name, migration.checksum],
    )
    applied.push(migration.name)
  }
  if (applied.length > 0) await protectRows(client)
  return applied
}

/** Whatever table a migration made, its rows of tenants are held apart (migration 0083). */
async function protectRows(client: pg.ClientBase): Promise<void> {
  const found = await client.query<{ is_there: boolean }>(
    `select to_regprocedure('protect_rows_of_tenants()') is not null as is_there`,
  )
  if (found.rows[0]?.is_there === true) await client.query('select protect_rows_of_tenants()')
}

/**
 * How many migrations the schema lacks, for a node that applies none; null for a database that is
 * not casework's. Throws as `migrate` does when the schema is newer or was made with other files.
 */
export async function countMissingMigrations(
  pool: pg.Pool,
  migrations: readonly Migration[],
): Promise<number | null> {
  const ledger = await pool.query<{ is_there: boolean }>(
    `select to_regclass('schema_migration') is not null as is_there`,
  )
  if (ledger.rows[0]?.is_there !== true) return null
  const { rows } = await pool.query<{ version: number; checksum: string }>(
    'select version, checksum from schema_migration order by version',
  )
  checkHistory(rows, migrations)
  return migrations.length - rows.length
}

/** Makes the tables in which the database keeps its own schema version, unless they are there. */
export async function prepareLedger(client: pg.ClientBase): Promise<void> {
  try {
    await client.query(`
      create table if not exists schema_lock (id integer primary key);
      create table if not exists schema_migration (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz(3) not null default now()
      );
      insert into schema_lock (id) values (1) on conflict do nothing`)
  } catch (error) {
    // At two simultaneous first starts "if not exists" still conflicts in the catalogue. The other
    // process has then made the tables.
    if (!isCatalogueClash(error)) throw error
    await client.query('insert into schema_lock (id) values (1) on conflict do nothing')
  }
}

const DUPLICATE_TABLE = '42P07'

function isCatalogueClash(error: unknown): boolean {
  return isKeyTaken(error) || readErrorCode(error) === DUPLICATE_TABLE
}

function checkHistory(
  done: readonly { version: number; checksum: string }[],
  migrations: readonly Migration[],
): void {
  if (done.length > migrations.length) throw schemaIsNewer(done.length, migrations.length)
  for (const [index, row] of done.entries()) {
    const migration = migrations[index]
    if (migration === undefined || migration.checksum !== row.checksum) {
      throw migrationWasEdited(migration?.name ?? String(row.version))
    }
  }
}

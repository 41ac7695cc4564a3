// Shards the schema by tenant on Citus: `casework migrate --distribute`, and each upgrade after it.
// Every step is a transaction of its own, since all of them together take more locks than a server
// is set up for. An interrupted run is resumed by the next one.

import type { ClientBase } from 'pg'
import { escapeIdentifier } from 'pg'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { readErrorCode } from '../../kernel/db/trouble-codes.ts'
import { migrationUnderWay } from './errors.ts'
import { REFERENCE_TABLES, SHARDED_TABLES } from './table-kinds.ts'

export interface ShardingResult {
  /** The tables that this run distributed. */
  readonly tables: readonly string[]
  readonly foreignKeyCount: number
}

/** Two connections to the coordinator: one holds the lock of migrations, one works. */
export interface ShardingClients {
  readonly guard: ClientBase
  readonly client: ClientBase
}

// The keys that are dropped for the time of a run; gone when all of them are back.
const DROPPED_KEYS = 'sharding_dropped_key'

const LOCK_NOT_AVAILABLE = '55P03'

/** True for a database that was sharded, or whose sharding was interrupted. */
export async function isSharded(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ is_sharded: boolean }>('select is_sharded() as is_sharded')
  return rows[0]?.is_sharded === true
}

/**
 * Distributes every table that is not yet as table-kinds.ts says, and does nothing when there is
 * none. Another migration is refused (`now`), or waited for.
 */
export async function shardSchema(
  { guard, client }: ShardingClients,
  whenLocked: 'now' | 'wait',
): Promise<ShardingResult> {
  await takeMigrationLock(guard, whenLocked)
  try {
    return await shardTables(client)
  } finally {
    await guard.query('rollback').catch(() => undefined)
  }
}

/** Throws APP_MIGRATION_UNDER_WAY, if it shall not wait. The lock ends with the transaction. */
export async function takeMigrationLock(
  guard: ClientBase,
  whenLocked: 'now' | 'wait',
): Promise<void> {
  await guard.query('begin')
  await guard.query('set local statement_timeout = 0')
  // The work is done on the other connection meanwhile.
  await guard.query('set local idle_in_transaction_session_timeout = 0')
  try {
    await guard.query(
      `select 1 from schema_lock where id = 1 for update ${whenLocked === 'now' ? 'nowait' : ''}`,
    )
  } catch (error) {
    await guard.query('rollback')
    throw readErrorCode(error) === LOCK_NOT_AVAILABLE ? migrationUnderWay(error) : error
  }
}

async function shardTables(client: ClientBase): Promise<ShardingResult> {
  await planEachTime(client)
  const waiting = await listWaitingTables(client)
  const all = [...waiting.reference, ...waiting.sharded]
  if (all.length > 0) await dropForeignKeys(client, waiting.sharded)
  for (const table of waiting.reference) {
    await inStep(client, () => client.query('select create_reference_table($1)', [table]))
  }
  for (const table of waiting.sharded) {
    await inStep(client, () => client.query('select shard_by_tenant($1)', [table]))
  }
  return { tables: all, foreignKeyCount: await addForeignKeys(client) }
}

/** Citus makes a plan for the values of a statement only, and none that a connection keeps. */
async function planEachTime(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_catalog.pg_proc
     where pronamespace = current_schema()::regnamespace
       and proconfig @> array['plan_cache_mode=force_generic_plan'] order by 1`,
  )
  for (const { name } of rows) {
    await inStep(client, () =>
      client.query(`alter function ${name} set plan_cache_mode = force_custom_plan`),
    )
  }
}

interface WaitingTables {
  readonly reference: readonly string[]
  readonly sharded: readonly string[]
}

async function listWaitingTables(client: ClientBase): Promise<WaitingTables> {
  const { rows } = await client.query<{ name: string; kind: string }>(
    `select name, kind from (
       select name, 'n' as kind from unnest($1::text[]) as name
       union all select name, 'h' from unnest($2::text[]) as name) as wanted
     where not exists (select from pg_catalog.pg_dist_partition
       where logicalrelid = name::regclass and partmethod::text = kind and repmodel::text = case kind when 'n' then 't' else 's' end)
     order by name`,
    [REFERENCE_TABLES, SHARDED_TABLES],
  )
  const of = (kind: string): string[] =>
    rows.flatMap((row) => (row.kind === kind ? [row.name] : []))
  return { reference: of('n'), sharded: of('h') }
}

/**
 * Citus refuses a table with a foreign key to a table that is not distributed yet, and one that
 * such a key leads to. Drops those of the given tables and notes them for `addForeignKeys`.
 */
async function dropForeignKeys(client: ClientBase, tables: readonly string[]): Promise<void> {
  await inStep(client, async () => {
    await client.query(
      `create table if not exists ${DROPPED_KEYS} (table_name text, name text, definition text, primary key (table_name, name))`,
    )
    const { rows } = await client.query<{ table_name: string; name: string; definition: string }>(
      `select conrelid::regclass::text as table_name, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and conparentid = 0
         and (conrelid = any ($1::regclass[]) or confrelid = any ($1::regclass[]))`,
      [tables],
    )
    for (const { table_name, name, definition } of rows) {
      await client.query(`insert into ${DROPPED_KEYS} values ($1, $2, $3)`, [
        table_name,
        name,
        definition,
      ])
      await client.query(`alter table ${table_name} drop constraint ${escapeIdentifier(name)}`)
    }
  })
}

async function addForeignKeys(client: ClientBase): Promise<number> {
  const found = await client.query<{ is_there: boolean }>(
    'select to_regclass($1) is not null as is_there',
    [DROPPED_KEYS],
  )
  if (found.rows[0]?.is_there !== true) return 0
  const { rows } = await client.query<{ table_name: string; name: string; definition: string }>(
    `select table_name, name, definition from ${DROPPED_KEYS} order by table_name, name`,
  )
  for (const { table_name, name, definition } of rows) {
    await inStep(client, async () => {
      await client.query(
        `alter table ${table_name} add constraint ${escapeIdentifier(name)} ${definition}`,
      )
      await client.query(`delete from ${DROPPED_KEYS} where table_name = $1 and name = $2`, [
        table_name,
        name,
      ])
    })
  }
  await client.query(`drop table ${DROPPED_KEYS}`)
  return rows.length
}

/** One transaction without a limit: rows that are there already are moved in it. */
async function inStep(client: ClientBase, work: () => Promise<unknown>): Promise<void> {
  await inInstance('migrate', async () => {
    await client.query('begin')
    try {
      await client.query('set local statement_timeout = 0')
      // A change of all shards and one of another kind may be in one transaction only so.
      await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
      await work()
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  })
}

// The contents of a backup, read from the catalogue of the database: the tables of our schema in
// the order in which they can be filled, and the sequences of numbered columns. A list by hand
// could miss a table of a later migration.

import type pg from 'pg'
import { parsePartition } from '../../kernel/db/months/months.ts'
import { buildUuidFloor } from '../../kernel/ids.ts'
import type { BackupMonth, BackupSequence, BackupTable } from './backup-format.ts'

/** The tables of the schema version; a restore writes them by migrating. */
const LEDGER = ['schema_lock', 'schema_migration']

/**
 * Settings of the session under which rows become text and text becomes rows again, whatever the
 * server or role has set.
 */
export const TEXT_SETTINGS = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = '10s';
  set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local extra_float_digits = 1;
  set local bytea_output = 'hex'`

interface TableRow {
  readonly name: string
  readonly columns: readonly string[]
  readonly parents: readonly string[]
}

/**
 * Tables of the current schema without the ledger; a table comes after the tables that it refers
 * to.
 */
export async function listTables(client: pg.ClientBase): Promise<readonly BackupTable[]> {
  const found = await client.query<TableRow>(
    `select c.relname::text as name,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             order by a.attnum) as columns,
       array(select distinct p.relname::text from pg_constraint k join pg_class p on p.oid = k.confrelid
             where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as parents
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all ($1)
       -- A month that retention has taken out of its table is no longer data.
       and not exists (select from pg_class t where t.relnamespace = n.oid and t.relkind = 'p'
         and c.relname ~ ('^' || t.relname || '_(until_)?[0-9]{4}_[0-9]{2}$'))
     order by c.relname`,
    [LEDGER],
  )
  return orderByParents(found.rows).map(({ name, columns }) => ({ name, columns }))
}

/**
 * Sorts parents before their children, otherwise keeps the order. Throws when tables refer to each
 * other in a circle.
 */
export function orderByParents<Table extends { name: string; parents: readonly string[] }>(
  tables: readonly Table[],
): readonly Table[] {
  const ordered: Table[] = []
  const placed = new Set<string>()
  let waiting = tables
  while (waiting.length > 0) {
    const ready = waiting.filter(({ parents }) => parents.every((parent) => placed.has(parent)))
    if (ready.length === 0) {
      throw new Error(
        `these tables refer to each other: ${waiting.map(({ name }) => name).join(', ')}`,
      )
    }
    for (const table of ready) placed.add(table.name)
    ordered.push(...ready)
    waiting = waiting.filter(({ name }) => !placed.has(name))
  }
  return ordered
}

export async function hasLedger(client: pg.ClientBase): Promise<boolean> {
  const found = await client.query(
    `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relname = 'schema_migration'`,
  )
  return found.rows.length > 0
}

export interface AppliedMigration {
  readonly name: string
  readonly checksum: string
}

export async function listAppliedMigrations(
  client: pg.ClientBase,
): Promise<readonly AppliedMigration[]> {
  const found = await client.query<AppliedMigration>(
    'select name, checksum from schema_migration order by version',
  )
  return found.rows
}

/** The partitions of tables that are divided by months, without those for all other ids. */
export async function listMonths(client: pg.ClientBase): Promise<readonly BackupMonth[]> {
  const found = await client.query<{ table: string; name: string; bound: string }>(
    `select t.relname::text as "table", p.relname::text as name, pg_get_expr(p.relpartbound, p.oid) as bound
     from pg_inherits i join pg_class t on t.oid = i.inhparent join pg_class p on p.oid = i.inhrelid
     where t.relkind = 'p' and t.relnamespace = current_schema()::regnamespace order by 1, 2`,
  )
  return found.rows.flatMap(({ table, name, bound }) => {
    const partition = parsePartition(name, bound)
    if (partition.kind === 'other') return []
    const { fromMs, untilMs } = partition
    const from = fromMs === null ? null : buildUuidFloor(fromMs)
    return [{ table, name, from, until: buildUuidFloor(untilMs) }]
  })
}

/** Sequences are not transactional, so they may be ahead of the rows, but never behind them. */
export async function listSequences(client: pg.ClientBase): Promise<readonly BackupSequence[]> {
  const found = await client.query<BackupSequence>(
    `select t.relname::text as "table", a.attname::text as "column", s.last_value::text as last
     from pg_class q
     join pg_namespace n on n.oid = q.relnamespace
     join pg_sequences s on s.schemaname = n.nspname and s.sequencename = q.relname
     join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = q.oid and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid
     join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where q.relkind = 'S' and n.nspname = current_schema()
     order by 1, 2`,
  )
  return found.rows
}

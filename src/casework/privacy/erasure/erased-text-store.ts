// Finds and replaces texts in the rows of any table of tenants, some pages of the table at a time.
// Which tables and columns there are is asked of the database and not listed by hand, so that no
// table of a later migration can be forgotten.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { isHeldRow } from '../legal-holds/legal-hold-store.ts'

type ColumnKind = 'text' | 'json' | 'list'

export interface ErasableColumn {
  readonly name: string
  readonly kind: ColumnKind
  /** Part of a key, or an id: others refer to it, so it is told and not changed. */
  readonly isKey: boolean
}

export interface ErasableTable {
  readonly name: string
  readonly columns: readonly ErasableColumn[]
  /** Columns that say what the row hangs on: `case_id`, `run_id` and the like. */
  readonly references: readonly string[]
  /** Pages of 8 kB at the moment. */
  readonly pages: number
}

// Free text of whoever assigns: nothing refers to it.
const ASSIGNEE = 'assignee_user_id'
// Bytes are searched in a way of their own; the record of erasures holds no address.
const OTHER_TABLES = ['report_raw', 'erasure']

/** By name. A column that an index only includes is none of its key. */
export async function listErasableTables(db: Db): Promise<readonly ErasableTable[]> {
  const found = await sql<ErasableTable>`
    select c.relname::text as name, (pg_relation_size(c.oid) / current_setting('block_size')::bigint)::integer as pages,
      json_agg(json_build_object('name', a.attname::text,
        'kind', case t.typname when 'text' then 'text' when 'jsonb' then 'json' else 'list' end,
        'isKey', a.attname = 'id' or (a.attname like '%\\_id' and a.attname <> ${ASSIGNEE}) or exists (
          select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any((i.indkey::int2[])[0 : i.indnkeyatts - 1])))
        order by a.attnum) as columns,
      array(select r.attname::text from pg_attribute r where r.attrelid = c.oid and not r.attisdropped and r.attname like '%\\_id') as "references"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    join pg_type t on t.oid = a.atttypid and t.typname in ('text', 'jsonb', '_text')
    where n.nspname = current_schema() and c.relkind = 'r' and a.attname <> 'tenant_id'
      and c.relname <> all(${OTHER_TABLES}::text[])
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'tenant_id')
    group by c.oid, c.relname order by c.relname`.execute(db)
  return found.rows
}

/**
 * What the planner knows of these tables holds values of theirs: it is made anew of what they hold
 * now.
 */
export async function renewStatistics(db: Db, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    // Each reads some ten thousand rows.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await sql`analyze ${sql.table(table)}`.execute(db)
  }
}

export interface PageRange {
  readonly from: number
  readonly before: number
}

/** Where a row is: it may be elsewhere by the next transaction. */
export interface RowText {
  readonly place: string
  /** Its columns one after the other. */
  readonly text: string
}

/**
 * Rows of these pages whose text, in lower case, matches one of the patterns; without patterns,
 * those with an at sign. Which of them hold what is looked for is the caller's to tell.
 */
export async function readRowTexts(
  db: Db,
  { tenantId }: TenantScope,
  { name, columns }: Pick<ErasableTable, 'name' | 'columns'>,
  { from, before }: PageRange,
  likes: readonly string[] | null,
): Promise<readonly RowText[]> {
  const text = sql`concat_ws(E'\\n', ${sql.join(columns.map(readText))})`
  const matches =
    likes === null
      ? sql`(${text} like '%@%' or ${text} like '%\\%40%')`
      : sql`lower(${text}) like any(${[...likes]}::text[])`
  const found = await sql<RowText>`
    select one.ctid::text as place, ${text} as text from ${sql.table(name)} as one
    where tenant_id = ${tenantId} and one.ctid >= ${`(${from},0)`}::tid and one.ctid < ${`(${before},0)`}::tid and ${matches}`.execute(
    db,
  )
  return found.rows
}

function readText({ name, kind }: ErasableColumn): RawBuilder<unknown> {
  const column = sql.ref(`one.${name}`)
  if (kind === 'list') return sql`array_to_string(${column}, E'\\n')`
  return kind === 'json' ? sql`${column}::text` : column
}

/** Of a JSON column: its text. */
export type ColumnValue = string | readonly string[] | null

export interface FoundRow {
  readonly place: string
  /** Of its columns, in their order. */
  readonly values: readonly ColumnValue[]
  /** Its case is held. */
  readonly isHeld: boolean
  /** What was asked for with `note`. */
  readonly note: string | null
}

export interface RowsWish {
  readonly places: readonly string[]
  /** Cases that are held. */
  readonly held: readonly string[]
  /** A column whose text is wanted as well. */
  readonly note: string
  readonly isLocked: boolean
}

/** Rows that have gone from their places meanwhile are left out. */
export async function readRows(
  db: Db,
  scope: TenantScope,
  table: ErasableTable,
  { places, held, note, isLocked }: RowsWish,
): Promise<readonly FoundRow[]> {
  if (places.length === 0) return []
  const values = table.columns.map(({ name, kind }, index) => {
    const column = sql.ref(`one.${name}`)
    return sql`${kind === 'json' ? sql`${column}::text` : column} as ${sql.ref(nameValue(index))}`
  })
  const found = await sql<Record<string, ColumnValue> & { place: string; is_held: boolean }>`
    select one.ctid::text as place, coalesce(${isHeldRow(scope, table, held)}, false) as is_held,
      ${sql.ref(`one.${note}`)}::text as note, ${sql.join(values)}
    from ${sql.table(table.name)} as one
    where tenant_id = ${scope.tenantId} and ctid = any(${[...places]}::tid[])
    ${isLocked ? sql`for update` : sql``}`.execute(db)
  return found.rows.map((row) => ({
    place: row.place,
    isHeld: row.is_held,
    note: typeof row['note'] === 'string' ? row['note'] : null,
    values: table.columns.map((_, index) => row[nameValue(index)] ?? null),
  }))
}

/** The rows as they are, but for the tenant. */
export async function readRecords(
  db: Db,
  { tenantId }: TenantScope,
  table: string,
  places: readonly string[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (places.length === 0) return []
  const found = await sql<{ record: Record<string, unknown> }>`
    select to_jsonb(one) - 'tenant_id' as record from ${sql.table(table)} as one
    where tenant_id = ${tenantId} and ctid = any(${[...places]}::tid[])`.execute(db)
  return found.rows.map((row) => row.record)
}

function nameValue(index: number): string {
  return `value_${index}`
}

/** Writes these columns of rows that the caller has locked. */
export async function writeRows(
  tx: Tx,
  { tenantId }: TenantScope,
  table: string,
  columns: readonly ErasableColumn[],
  rows: readonly Pick<FoundRow, 'place' | 'values'>[],
): Promise<void> {
  if (rows.length === 0 || columns.length === 0) return
  const given = rows.map(({ place, values }) => ({
    place,
    ...Object.fromEntries(values.map((value, index) => [nameValue(index), value])),
  }))
  const types = columns.map(
    ({ kind }, index) => sql`${sql.ref(nameValue(index))} ${sql.raw(SENT_AS[kind])}`,
  )
  const changes = columns.map(({ name, kind }, index) => {
    const value = sql.ref(`given.${nameValue(index)}`)
    return sql`${sql.ref(name)} = ${kind === 'json' ? sql`${value}::jsonb` : value}`
  })
  await sql`
    update ${sql.table(table)} as one set ${sql.join(changes)}
    from json_to_recordset(${JSON.stringify(given)}::json) as given (place text, ${sql.join(types)})
    where one.tenant_id = ${tenantId} and one.ctid = given.place::tid
      and one.ctid = any(${rows.map((row) => row.place)}::tid[])`.execute(tx)
}

const SENT_AS: Readonly<Record<ColumnKind, string>> = { text: 'text', json: 'text', list: 'text[]' }

/** Rows that the caller has locked. */
export async function deleteRows(
  tx: Tx,
  { tenantId }: TenantScope,
  table: string,
  places: readonly string[],
): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where tenant_id = ${tenantId} and ctid = any(${[...places]}::tid[])`.execute(
    tx,
  )
}

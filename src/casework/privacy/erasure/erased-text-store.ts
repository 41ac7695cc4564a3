// Finds and replaces texts in the rows of any table of tenants, some pages of a table at a time.
// The database lists the tables and columns, so that no table of a later migration can be
// forgotten.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { isRowOnLegalHold } from '../legal-holds/legal-hold-store.ts'

type ColumnKind = 'text' | 'json' | 'list'

export interface ErasableColumn {
  readonly name: string
  readonly kind: ColumnKind
  /** Part of a key, or an id. Other rows refer to it, so it is counted and not changed. */
  readonly isKey: boolean
}

export interface ErasableTable {
  readonly name: string
  /** The table that it is a partition of (migration 0118); its own name for any other. */
  readonly table: string
  readonly columns: readonly ErasableColumn[]
  /** Columns that name the record to which the row belongs: `case_id`, `run_id` and the like. */
  readonly references: readonly string[]
  /** Its size in pages of 8 kB. */
  readonly pages: number
}

// Ends in _id, but is free text: no row refers to it.
const ASSIGNEE = 'assignee_user_id'
// Raw bytes are searched by raw-report-scan.ts; the record of erasures contains no address, and
// neither does the chain of the audit log: its details do.
const OTHER_TABLES = ['report_raw', 'erasure', 'audit_entry', 'audit_checkpoint', 'audit_head']

/** In the order of names. A column that an index only includes does not belong to its key. */
export async function listErasableTables(db: Db): Promise<readonly ErasableTable[]> {
  const found = await sql<ErasableTable>`
    select c.relname::text as name,
      coalesce((select p.relname::text from pg_inherits i join pg_class p on p.oid = i.inhparent where i.inhrelid = c.oid), c.relname::text) as "table",
      (pg_relation_size(c.oid) / current_setting('block_size')::bigint)::integer as pages,
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
 * The planner's statistics contain values of these tables, so they are rebuilt after an erasure.
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

/** A row and its text. The ctid is valid in this transaction only. */
export interface RowText {
  readonly ctid: string
  /** Its columns, one a line. */
  readonly text: string
}

/**
 * Candidate rows of these pages: their text in lower case matches one of the patterns, or, without
 * patterns, contains an at sign. The caller checks which rows contain an address.
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
    select one.ctid::text as ctid, ${text} as text from ${sql.table(name)} as one
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

/** A JSON column is given as its text. */
export type ColumnValue = string | readonly string[] | null

export interface FoundRow {
  readonly ctid: string
  /** In the order of the columns of the table. */
  readonly values: readonly ColumnValue[]
  readonly isOnLegalHold: boolean
  /** The text of `extraColumn`. */
  readonly extra: string | null
}

export interface RowsRequest {
  readonly ctids: readonly string[]
  readonly casesOnLegalHold: readonly string[]
  /** A column whose text is returned as well. */
  readonly extraColumn: string
  readonly isLocked: boolean
}

/** Rows that moved or were deleted meanwhile are left out. */
export async function readRows(
  db: Db,
  scope: TenantScope,
  table: ErasableTable,
  { ctids, casesOnLegalHold, extraColumn, isLocked }: RowsRequest,
): Promise<readonly FoundRow[]> {
  if (ctids.length === 0) return []
  const values = table.columns.map(({ name, kind }, index) => {
    const column = sql.ref(`one.${name}`)
    return sql`${kind === 'json' ? sql`${column}::text` : column} as ${sql.ref(nameValue(index))}`
  })
  const found = await sql<Record<string, ColumnValue> & { ctid: string; is_on_hold: boolean }>`
    select one.ctid::text as ctid, coalesce(${isRowOnLegalHold(scope, table, casesOnLegalHold)}, false) as is_on_hold,
      ${sql.ref(`one.${extraColumn}`)}::text as extra, ${sql.join(values)}
    from ${sql.table(table.name)} as one
    where tenant_id = ${scope.tenantId} and ctid = any(${[...ctids]}::tid[])
    ${isLocked ? sql`for update` : sql``}`.execute(db)
  return found.rows.map((row) => ({
    ctid: row.ctid,
    isOnLegalHold: row.is_on_hold,
    extra: typeof row['extra'] === 'string' ? row['extra'] : null,
    values: table.columns.map((_, index) => row[nameValue(index)] ?? null),
  }))
}

/** The rows as JSON, without the tenant id. */
export async function readRecords(
  db: Db,
  { tenantId }: TenantScope,
  table: string,
  ctids: readonly string[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (ctids.length === 0) return []
  const found = await sql<{ record: Record<string, unknown> }>`
    select to_jsonb(one) - 'tenant_id' as record from ${sql.table(table)} as one
    where tenant_id = ${tenantId} and ctid = any(${[...ctids]}::tid[])`.execute(db)
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
  rows: readonly Pick<FoundRow, 'ctid' | 'values'>[],
): Promise<void> {
  if (rows.length === 0 || columns.length === 0) return
  const given = rows.map(({ ctid, values }) => ({
    ctid,
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
    from json_to_recordset(${JSON.stringify(given)}::json) as given (ctid text, ${sql.join(types)})
    where one.tenant_id = ${tenantId} and one.ctid = given.ctid::tid
      and one.ctid = any(${rows.map((row) => row.ctid)}::tid[])`.execute(tx)
}

const SENT_AS: Readonly<Record<ColumnKind, string>> = { text: 'text', json: 'text', list: 'text[]' }

/** Deletes rows that the caller has locked. */
export async function deleteRows(
  tx: Tx,
  { tenantId }: TenantScope,
  table: string,
  ctids: readonly string[],
): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where tenant_id = ${tenantId} and ctid = any(${[...ctids]}::tid[])`.execute(
    tx,
  )
}

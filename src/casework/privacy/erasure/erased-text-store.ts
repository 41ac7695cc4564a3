// Finds and replaces texts in the rows of a table, some rows at a time in the order of their key.
// personal-columns.ts has the tables.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { textArray } from '../../../kernel/db/sql-array.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { isRowOnLegalHold } from '../legal-holds/legal-hold-store.ts'
import type { PersonalColumn, PersonalTable } from './personal-columns.ts'

export interface ErasableColumn {
  readonly name: string
  readonly kind: 'text' | 'json' | 'list'
  /** Addresses in it are counted and stay. */
  readonly isKept: boolean
}

const KINDS: Readonly<Record<PersonalColumn, Omit<ErasableColumn, 'name'>>> = {
  text: { kind: 'text', isKept: false },
  json: { kind: 'json', isKept: false },
  list: { kind: 'list', isKept: false },
  'kept text': { kind: 'text', isKept: true },
  'kept json': { kind: 'json', isKept: true },
  'kept list': { kind: 'list', isKept: true },
}

export function listErasableColumns({ use, columns }: PersonalTable): readonly ErasableColumn[] {
  return Object.entries(columns).map(([name, column]) => {
    const { kind, isKept } = KINDS[column]
    return { name, kind, isKept: use !== 'copies' && (use === 'settings' || isKept) }
  })
}

/** The values of a row's key as texts, without the tenant. */
export type RowKey = readonly string[]

/** Rows after a key, up to and with another one. Null: from the start, or to the end. */
export interface KeyRange {
  readonly after: RowKey | null
  readonly until: RowKey | null
}

/** The key of the last of the next rows; null when there are no more than `rowsMax`. */
export async function findSliceEnd(
  db: Db,
  { tenantId }: TenantScope,
  table: PersonalTable,
  after: RowKey | null,
  rowsMax: number,
): Promise<RowKey | null> {
  const names = Object.keys(table.key)
  if (names.length === 0) return null
  const found = await sql<{ key: RowKey }>`
    select ${selectKey(table)} as key from ${sql.table(table.name)} as one
    where one.tenant_id = ${tenantId}${isInRange(table, { after, until: null })}
    order by ${sql.join(names.map((name) => sql.ref(`one.${name}`)))}
    offset ${rowsMax - 1} limit 1`.execute(db)
  return found.rows[0]?.key ?? null
}

function selectKey({ key }: PersonalTable): RawBuilder<unknown> {
  const texts = Object.keys(key).map((name) => sql`${sql.ref(`one.${name}`)}::text`)
  return sql`array[${sql.join(texts)}]::text[]`
}

function isInRange(table: PersonalTable, { after, until }: KeyRange): RawBuilder<unknown> {
  const row = sql.join(Object.keys(table.key).map((name) => sql.ref(`one.${name}`)))
  const bound = (key: RowKey): RawBuilder<unknown> =>
    sql.join(Object.values(table.key).map((type, at) => sql`${key[at]}::${sql.raw(type)}`))
  const isAfter = after === null ? sql`` : sql` and (${row}) > (${bound(after)})`
  const isBefore = until === null ? sql`` : sql` and (${row}) <= (${bound(until)})`
  return sql`${isAfter}${isBefore}`
}

export interface RowText {
  readonly key: RowKey
  /** Its columns, one a line. */
  readonly text: string
}

/**
 * Candidate rows of this range: their text in lower case matches one of the patterns, or, without
 * patterns, contains an at sign. The caller checks which rows contain an address.
 */
export async function readRowTexts(
  db: Db,
  { tenantId }: TenantScope,
  table: PersonalTable,
  range: KeyRange,
  likes: readonly string[] | null,
): Promise<readonly RowText[]> {
  const text = sql`concat_ws(E'\\n', ${sql.join(listErasableColumns(table).map(readText))})`
  const matches =
    likes === null
      ? sql`(${text} like '%@%' or ${text} like '%\\%40%')`
      : sql`lower(${text}) like any(${[...likes]}::text[])`
  const found = await sql<RowText>`
    select ${selectKey(table)} as key, ${text} as text from ${sql.table(table.name)} as one
    where one.tenant_id = ${tenantId}${isInRange(table, range)} and ${matches}`.execute(db)
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
  readonly key: RowKey
  /** In the order of the columns of the table. */
  readonly values: readonly ColumnValue[]
  readonly isOnLegalHold: boolean
  /** The text of `extraColumn`. */
  readonly extra: string | null
}

export interface RowsRequest {
  readonly keys: readonly RowKey[]
  readonly casesOnLegalHold: readonly string[]
  /** A column whose text is returned as well. */
  readonly extraColumn: string
  readonly isLocked: boolean
}

/** Rows that were deleted meanwhile are left out. */
export async function readRows(
  db: Db,
  scope: TenantScope,
  table: PersonalTable,
  { keys, casesOnLegalHold, extraColumn, isLocked }: RowsRequest,
): Promise<readonly FoundRow[]> {
  if (keys.length === 0) return []
  const columns = listErasableColumns(table)
  const values = columns.map(({ name, kind }, index) => {
    const column = sql.ref(`one.${name}`)
    return sql`${kind === 'json' ? sql`${column}::text` : column} as ${sql.ref(nameValue(index))}`
  })
  const found = await sql<Record<string, ColumnValue> & { key: RowKey; is_on_hold: boolean }>`
    select ${selectKey(table)} as key, coalesce(${isRowOnLegalHold(scope, table, casesOnLegalHold)}, false) as is_on_hold,
      ${sql.ref(`one.${extraColumn}`)}::text as extra, ${sql.join(values)}
    from ${sql.table(table.name)} as one
    where one.tenant_id = ${scope.tenantId} and ${isOneOf(table, keys)}
    ${isLocked ? sql`for update` : sql``}`.execute(db)
  return found.rows.map((row) => ({
    key: row.key,
    isOnLegalHold: row.is_on_hold,
    extra: typeof row['extra'] === 'string' ? row['extra'] : null,
    values: columns.map((_, index) => row[nameValue(index)] ?? null),
  }))
}

/** Each column by itself, for which the index is used, and then the key as a whole. */
function isOneOf({ key }: PersonalTable, keys: readonly RowKey[]): RawBuilder<unknown> {
  const names = Object.keys(key)
  if (names.length === 0) return sql`true`
  const arrays = Object.values(key).map(
    (type, at) => sql`${textArray(keys.map((one) => one[at] ?? null))}::${sql.raw(type)}[]`,
  )
  const each = names.map((name, at) => sql`${sql.ref(`one.${name}`)} = any(${arrays[at]})`)
  if (names.length === 1) return sql.join(each)
  const row = sql.join(names.map((name) => sql.ref(`one.${name}`)))
  return sql`${sql.join(each, sql` and `)} and (${row}) in (select * from unnest(${sql.join(arrays)}))`
}

/** The rows as JSON, without the tenant id. */
export async function readRecords(
  db: Db,
  { tenantId }: TenantScope,
  table: PersonalTable,
  keys: readonly RowKey[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (keys.length === 0) return []
  const order = sql.join(Object.keys(table.key).map((name) => sql.ref(`one.${name}`)))
  const found = await sql<{ record: Record<string, unknown> }>`
    select to_jsonb(one) - 'tenant_id' as record from ${sql.table(table.name)} as one
    where one.tenant_id = ${tenantId} and ${isOneOf(table, keys)}
    ${Object.keys(table.key).length === 0 ? sql`` : sql`order by ${order}`}`.execute(db)
  return found.rows.map((row) => row.record)
}

function nameValue(index: number): string {
  return `value_${index}`
}

/** Writes these columns of rows that the caller has locked. */
export async function writeRows(
  tx: Tx,
  { tenantId }: TenantScope,
  table: PersonalTable,
  columns: readonly ErasableColumn[],
  rows: readonly Pick<FoundRow, 'key' | 'values'>[],
): Promise<void> {
  if (rows.length === 0 || columns.length === 0) return
  const names = Object.entries(table.key)
  const given = rows.map(({ key, values }) => ({
    ...Object.fromEntries(key.map((value, index) => [`key_${index}`, value])),
    ...Object.fromEntries(values.map((value, index) => [nameValue(index), value])),
  }))
  const types = [
    ...names.map(([, type], index) => sql`${sql.ref(`key_${index}`)} ${sql.raw(type)}`),
    ...columns.map(
      ({ kind }, index) => sql`${sql.ref(nameValue(index))} ${sql.raw(SENT_AS[kind])}`,
    ),
  ]
  const changes = columns.map(({ name, kind }, index) => {
    const value = sql.ref(`given.${nameValue(index)}`)
    return sql`${sql.ref(name)} = ${kind === 'json' ? sql`${value}::jsonb` : value}`
  })
  const isGiven = names.map(
    ([name], index) => sql` and ${sql.ref(`one.${name}`)} = ${sql.ref(`given.key_${index}`)}`,
  )
  const keys = rows.map(({ key }) => key)
  await sql`
    update ${sql.table(table.name)} as one set ${sql.join(changes)}
    from json_to_recordset(${JSON.stringify(given)}::json) as given (${sql.join(types)})
    where one.tenant_id = ${tenantId}${sql.join(isGiven, sql``)} and ${isOneOf(table, keys)}`.execute(
    tx,
  )
}

const SENT_AS: Readonly<Record<ErasableColumn['kind'], string>> = {
  text: 'text',
  json: 'text',
  list: 'text[]',
}

/** Deletes rows that the caller has locked. */
export async function deleteRows(
  tx: Tx,
  { tenantId }: TenantScope,
  table: PersonalTable,
  keys: readonly RowKey[],
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    delete from ${sql.table(table.name)} as one
    where one.tenant_id = ${tenantId} and ${isOneOf(table, keys)}`.execute(tx)
}

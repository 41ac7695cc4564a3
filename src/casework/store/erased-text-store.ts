// Replaces an address in the rows of any table of tenants, some pages of the table at a time. Which tables and columns there are is asked of
// the database and not listed by hand, so that no table of a later migration can be forgotten.

import { type RawBuilder, sql } from 'kysely'
import type { TenantScope } from '../../kernel/auth/caller.ts'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { ErasedAddress } from '../model/erased-address.ts'

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
        order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    join pg_type t on t.oid = a.atttypid and t.typname in ('text', 'jsonb', '_text')
    where n.nspname = current_schema() and c.relkind = 'r' and a.attname <> 'tenant_id'
      and c.relname <> all(${OTHER_TABLES}::text[])
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'tenant_id')
    group by c.oid, c.relname order by c.relname`.execute(db)
  return found.rows
}

export interface PageRange {
  readonly from: number
  readonly before: number
}

/** Rows of these pages that hold the address in one of the columns. */
export async function countRows(
  db: Db,
  scope: TenantScope,
  table: string,
  columns: readonly ErasableColumn[],
  pages: PageRange,
  address: ErasedAddress,
): Promise<number> {
  if (columns.length === 0) return 0
  const where = findAddress(scope, columns, pages, address)
  const counted = await sql<{ count: number }>`
    select count(*) from ${sql.table(table)} where ${where}`.execute(db)
  return counted.rows[0]?.count ?? 0
}

/** Puts the replacement in place of the address; the values of `returning` for each row that was changed. */
export async function replaceInRows(
  tx: Tx,
  scope: TenantScope,
  table: string,
  columns: readonly ErasableColumn[],
  pages: PageRange,
  address: ErasedAddress,
  returning: string,
): Promise<readonly (string | null)[]> {
  if (columns.length === 0) return []
  const changes = columns.map(
    (column) => sql`${sql.ref(column.name)} = ${replaceIn(column, address)}`,
  )
  const changed = await sql<{ value: string | null }>`
    update ${sql.table(table)} set ${sql.join(changes)} where ${findAddress(scope, columns, pages, address)}
    returning ${sql.ref(returning)}::text as value`.execute(tx)
  return changed.rows.map((row) => row.value)
}

/** For rows that are only copies of an answer: they are asked for again. */
export async function deleteRows(
  tx: Tx,
  scope: TenantScope,
  table: string,
  columns: readonly ErasableColumn[],
  pages: PageRange,
  address: ErasedAddress,
): Promise<number> {
  const where = findAddress(scope, columns, pages, address)
  const deleted = await sql`delete from ${sql.table(table)} where ${where}`.execute(tx)
  return Number(deleted.numAffectedRows ?? 0n)
}

function findAddress(
  { tenantId }: TenantScope,
  columns: readonly ErasableColumn[],
  { from, before }: PageRange,
  { like, inText, inJson }: ErasedAddress,
): RawBuilder<unknown> {
  const texts = columns.map(readText)
  const matches = columns.map(
    (column, index) => sql`${texts[index]} ~* ${column.kind === 'json' ? inJson : inText}`,
  )
  // The pattern is slow; nearly every row ends at the first look.
  return sql`tenant_id = ${tenantId} and ctid >= ${`(${from},0)`}::tid and ctid < ${`(${before},0)`}::tid
    and lower(concat_ws(' ', ${sql.join(texts)})) like ${like} and (${sql.join(matches, sql` or `)})`
}

function readText({ name, kind }: ErasableColumn): RawBuilder<unknown> {
  const column = sql.ref(name)
  if (kind === 'list') return sql`array_to_string(${column}, E'\\n')`
  return kind === 'json' ? sql`${column}::text` : column
}

function replaceIn(
  { name, kind }: ErasableColumn,
  { inText, inJson, replacement }: ErasedAddress,
): RawBuilder<unknown> {
  const column = sql.ref(name)
  // Lists are sets: of an address in two spellings one is left, as a recount of the events finds it.
  switch (kind) {
    case 'text':
      return sql`regexp_replace(${column}, ${inText}, ${replacement}, 'gi')`
    case 'json':
      return sql`regexp_replace(${column}::text, ${inJson}, ${replacement}, 'gi')::jsonb`
    case 'list':
      return sql`case when ${column} is not null then array(
        select erased.word from unnest(${column}) with ordinality as list (word, place)
        cross join lateral (select regexp_replace(list.word, ${inText}, ${replacement}, 'gi') as word) as erased
        group by erased.word order by min(place)) end`
  }
}

interface RawSlice {
  readonly sha256: Buffer
  readonly isFound: boolean
}

/** The next raw reports by key, about `bytesMax` of them, and whether each holds the address: as it stands, in quoted-printable or base64. */
export async function searchRawReports(
  db: Db,
  scope: TenantScope,
  afterKey: string,
  { rowsMax, bytesMax }: { readonly rowsMax: number; readonly bytesMax: number },
  { inText, inBase64 }: ErasedAddress,
): Promise<readonly RawSlice[]> {
  const inWords = inBase64.map((part) => sql`packed like ${`%${part}%`}`)
  const found = await sql<RawSlice>`
    select slice.sha256, plain ~* ${inText} ${inWords.length === 0 ? sql`` : sql`or ${sql.join(inWords, sql` or `)}`} as "isFound"
    from (
      select sha256, row_number() over (order by sha256) as place, sum(octet_length(bytes)) over (order by sha256) as total
      from report_raw where tenant_id = ${scope.tenantId} and sha256 > decode(${afterKey}, 'hex')
      order by sha256 limit ${rowsMax}
    ) as slice
    join report_raw on report_raw.tenant_id = ${scope.tenantId} and report_raw.sha256 = slice.sha256
    cross join lateral (select encode(report_raw.bytes, 'escape') as text offset 0) as escaped
    cross join lateral (select replace(replace(replace(text, E'=\\r\\n', ''), E'=\\n', ''), '=40', '@') as plain,
      replace(replace(text, E'\\r', ''), E'\\n', '') as packed offset 0) as unfolded
    where place = 1 or total <= ${bytesMax}
    order by slice.sha256`.execute(db)
  return found.rows
}

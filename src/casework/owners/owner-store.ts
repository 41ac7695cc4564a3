// SQL of customers, contracts and resources: one set of statements for all three. `OwnerTable`
// describes where they differ.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { NOT_COPIED } from '../../kernel/db/not-copied.ts'
import { buildPage, type PageRequest } from '../../kernel/db/page-request.ts'
import { writeTexts } from '../../kernel/db/write-arrays.ts'
import { parseAddressSpan } from '../../values/address-span.ts'
import type { JsonObject } from '../../values/json-value.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { ResourceKind } from './owner.ts'

/**
 * The members of a customer, contract or resource that a caller writes. Members of the other kinds
 * are absent; a member without a value is null.
 */
export interface OwnerFields {
  readonly id: string
  readonly name?: string | null
  readonly parent_customer_id?: string | null
  readonly contacts?: readonly OwnerContact[]
  readonly metadata?: JsonObject
  readonly customer_id?: string
  readonly contract_id?: string | null
  readonly kind?: ResourceKind
  readonly value?: string
  /** ISO 8601; null without a limit. */
  readonly valid_from?: string | null
  readonly valid_until?: string | null
}

export interface OwnerContact {
  readonly email: string
  readonly language?: string
  readonly purpose?: string
  readonly state: 'active' | 'bounced' | 'disabled'
}

export interface OwnerRow extends OwnerFields {
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

export interface CustomerRow extends OwnerRow {
  readonly name: string | null
  readonly parent_customer_id: string | null
  readonly contacts: readonly OwnerContact[]
  readonly metadata: JsonObject
}

export interface ContractRow extends OwnerRow {
  readonly customer_id: string
  readonly name: string | null
  readonly valid_from: string | null
  readonly valid_until: string | null
  readonly metadata: JsonObject
}

export interface ResourceRow extends OwnerRow {
  readonly kind: ResourceKind
  readonly value: string
  readonly customer_id: string
  readonly contract_id: string | null
  readonly valid_from: string | null
  readonly valid_until: string | null
}

export interface OwnerTable {
  readonly name: 'customer' | 'contract' | 'resource'
  readonly idType: 'text' | 'uuid'
  /** Columns and their types, `id` aside. */
  readonly columns: Readonly<Record<string, 'text' | 'jsonb' | 'timestamptz'>>
  /** The columns that identify a row of a tenant. */
  readonly identity: readonly string[]
}

export const CUSTOMER_TABLE: OwnerTable = {
  name: 'customer',
  idType: 'text',
  columns: { name: 'text', parent_customer_id: 'text', contacts: 'jsonb', metadata: 'jsonb' },
  identity: ['id'],
}

export const CONTRACT_TABLE: OwnerTable = {
  name: 'contract',
  idType: 'text',
  columns: {
    customer_id: 'text',
    name: 'text',
    valid_from: 'timestamptz',
    valid_until: 'timestamptz',
    metadata: 'jsonb',
  },
  identity: ['id'],
}

export const RESOURCE_TABLE: OwnerTable = {
  name: 'resource',
  idType: 'uuid',
  columns: {
    kind: 'text',
    value: 'text',
    customer_id: 'text',
    contract_id: 'text',
    valid_from: 'timestamptz',
    valid_until: 'timestamptz',
  },
  identity: ['kind', 'value', 'valid_from'],
}

/** The columns of `OwnerRow`: an infinite limit is null, a time is text as JavaScript writes it. */
function selectColumns({ columns }: OwnerTable): RawBuilder<unknown> {
  const names = [
    'id',
    ...Object.entries(columns).map(([name, type]) =>
      type === 'timestamptz' ? isoTime(name) : name,
    ),
    'version',
    isoTime('created_at'),
    isoTime('updated_at'),
  ]
  return sql.raw(names.join(', '))
}

function isoTime(column: string): string {
  return `case when isfinite(${column}) then to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as ${column}`
}

export async function findOwner(
  db: Db,
  scope: TenantScope,
  table: OwnerTable,
  id: string,
): Promise<OwnerRow | null> {
  const found = await sql<OwnerRow>`
    select ${selectColumns(table)} from ${sql.raw(table.name)}
    where tenant_id = ${scope.tenantId} and id = ${id}::${sql.raw(table.idType)}`.execute(db)
  return found.rows[0] ?? null
}

/** By id; unknown ones are left out. */
export async function findCustomers(
  db: Db,
  { tenantId }: TenantScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CustomerRow>> {
  const found = await sql<CustomerRow>`
    select ${selectColumns(CUSTOMER_TABLE)} from customer
    where tenant_id = ${tenantId} and id = any(${writeTexts(ids)}::text[])`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}

/** Locks the rows until the transaction ends. In no order; unknown ids are left out. */
export async function lockOwners(
  tx: Tx,
  scope: TenantScope,
  table: OwnerTable,
  ids: readonly string[],
): Promise<readonly OwnerRow[]> {
  if (ids.length === 0) return []
  const found = await sql<OwnerRow>`
    select ${selectColumns(table)} from ${sql.raw(table.name)}
    where tenant_id = ${scope.tenantId} and id = any(${[...ids]}::${sql.raw(table.idType)}[])
    order by id for update`.execute(tx)
  return found.rows
}

export interface ResourceIdentity {
  readonly kind: ResourceKind
  readonly value: string
  readonly validFrom: string | null
}

/** The resources of these identities, locked; in no order. */
export async function lockResources(
  tx: Tx,
  scope: TenantScope,
  identities: readonly ResourceIdentity[],
): Promise<readonly OwnerRow[]> {
  if (identities.length === 0) return []
  // `lateral` makes one probe of the index for each. A join would read the whole table for each row
  // while the statistics are those of an empty table.
  const found = await sql<{ id: string }>`
    select present.id from unnest(
      ${identities.map((one) => one.kind)}::text[], ${identities.map((one) => one.value)}::text[],
      ${identities.map((one) => one.validFrom)}::timestamptz[]
    ) as given (kind, value, valid_from)
    cross join lateral (
      select id from resource where tenant_id = ${scope.tenantId} and kind = given.kind collate "C"
        and value = given.value collate "C" and valid_from = coalesce(given.valid_from, '-infinity') limit 1
    ) as present`.execute(tx)
  return await lockOwners(
    tx,
    scope,
    RESOURCE_TABLE,
    found.rows.map((row) => row.id),
  )
}

/** The filters of a list; every name but `text` and `values` is a column of its table. */
export type OwnerFilter = Readonly<
  Partial<Record<'parent_customer_id' | 'customer_id' | 'contract_id' | 'kind' | 'text', string>>
> & {
  /** Spellings of the value of a resource; one of them is stored. */
  readonly values?: readonly string[]
}

/** Up to `limit` rows and one more, by id. */
export async function listOwners(
  db: Db,
  scope: TenantScope,
  table: OwnerTable,
  filter: OwnerFilter,
  page: PageRequest,
): Promise<readonly OwnerRow[]> {
  const keyset = buildPage([{ name: 'id', type: table.idType }], page)
  const { text, values, ...columns } = filter
  const conditions = [
    sql`tenant_id = ${scope.tenantId}`,
    ...Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    ...(values === undefined ? [] : [matchValues(values)]),
    ...listParts(text),
    ...keyset.conditions,
  ]
  const found = await sql<OwnerRow>`
    select ${selectColumns(table)} from ${sql.raw(table.name)}
    where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`.execute(db)
  return found.rows
}

// The index of values starts with the kind.
function matchValues(values: readonly string[]): RawBuilder<unknown> {
  return sql`kind = any('{ip_range,domain,account}'::text[]) and value = any(${writeTexts(values)}::text[])`
}

// As the index `customer_by_part` has it (migration 0091), where the database has that index. The
// collation of ids lowers ASCII only, so the text is lowered by the same: an `Ö` finds an `Ö`.
function listParts(text: string | undefined): readonly RawBuilder<unknown>[] {
  return (text?.split(/\s+/) ?? []).map((word) => {
    const part = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    return sql`lower(id || ' ' || case when name is null then '' else name end) like lower(${part} collate "C")`
  })
}

/**
 * Returns the rows that were stored; a row whose id or identity is taken is left out. Rows are
 * stored in the order of their identity, because two imports of the same rows in different orders
 * would otherwise deadlock.
 */
export async function insertOwners(
  tx: Tx,
  scope: TenantScope,
  table: OwnerTable,
  rows: readonly OwnerFields[],
): Promise<readonly OwnerRow[]> {
  if (rows.length === 0) return []
  const names = Object.keys(table.columns)
  const stored = await sql<OwnerRow>`
    insert into ${sql.raw(table.name)} (tenant_id, id, ${sql.raw(names.join(', '))})
    select ${scope.tenantId}, given.id, ${listValues(table)} from ${listGiven(table, rows)}
    order by ${sql.raw(table.identity.map((name) => `given.${name}`).join(', '))}
    on conflict do nothing returning ${selectColumns(table)}`.execute(tx)
  if (table === RESOURCE_TABLE) await insertBlocks(tx, scope, stored.rows)
  return stored.rows
}

/**
 * Writes every column of locked rows, and raises their versions. The range of a resource never
 * changes.
 */
export async function updateOwners(
  tx: Tx,
  scope: TenantScope,
  table: OwnerTable,
  rows: readonly OwnerFields[],
): Promise<readonly OwnerRow[]> {
  if (rows.length === 0) return []
  const names = Object.keys(table.columns).join(', ')
  const ids = rows.map((row) => row.id)
  await sql`
    update ${sql.raw(table.name)} as stored set (${sql.raw(names)}) = row(${listValues(table)}),
      version = stored.version + 1, updated_at = now()
    from ${listGiven(table, rows)}
    where stored.tenant_id = ${scope.tenantId} and stored.id = given.id
      and stored.id = any(${ids}::${sql.raw(table.idType)}[])`.execute(tx)
  return await lockOwners(tx, scope, table, ids)
}

function listGiven(table: OwnerTable, rows: readonly OwnerFields[]): RawBuilder<unknown> {
  const types = [['id', table.idType], ...Object.entries(table.columns)]
  const definitions = types.map(([name, type]) => `${name} ${type}`).join(', ')
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as given (${sql.raw(definitions)})`
}

function listValues({ columns }: OwnerTable): RawBuilder<unknown> {
  const values = Object.keys(columns).map((name) => {
    if (name === 'valid_from') return `coalesce(given.${name}, '-infinity')`
    return name === 'valid_until' ? `coalesce(given.${name}, 'infinity')` : `given.${name}`
  })
  return sql.raw(values.join(', '))
}

/** False when there is no such row. Throws the database's 23503 when another row refers to it. */
export async function deleteOwner(
  tx: Tx,
  scope: TenantScope,
  table: OwnerTable,
  id: string,
): Promise<boolean> {
  const deleted = await sql<{ kind?: ResourceKind; value?: string }>`
    delete from ${sql.raw(table.name)}
    where tenant_id = ${scope.tenantId} and id = ${id}::${sql.raw(table.idType)} returning *`.execute(
    tx,
  )
  const row = deleted.rows[0]
  if (row?.kind === 'ip_range') await deleteBlocks(tx, scope, id, listBlocks(row.value))
  return row !== undefined
}

interface RangeBlock {
  readonly family: 4 | 6
  readonly prefixLength: number
  /** `first/length`, canonical. */
  readonly network: string
  /** The prefix length of the whole resource: its narrowness among others. */
  readonly rangeLength: number
}

/** The blocks of a stored value, which is canonical. */
function listBlocks(value: string | undefined): readonly RangeBlock[] {
  const span = parseAddressSpan(value ?? '')
  if (typeof span === 'string') throw new Error(`a stored range cannot be read: ${span}`)
  return span.ranges.map(({ kind, prefixLength, text }) => ({
    family: kind === 'ipv4-range' ? 4 : 6,
    prefixLength,
    network: text,
    rangeLength: span.prefixLength,
  }))
}

async function insertBlocks(tx: Tx, scope: TenantScope, rows: readonly OwnerRow[]): Promise<void> {
  const blocks = rows
    .filter((row) => row.kind === 'ip_range')
    .flatMap((row) => listBlocks(row.value).map((block) => ({ ...block, resourceId: row.id })))
  if (blocks.length === 0) return
  await sql`
    insert into resource_block (tenant_id, family, prefix_length, network, resource_id, range_length)
    select ${scope.tenantId}, given.* from unnest(
      ${blocks.map((block) => block.family)}::smallint[], ${blocks.map((block) => block.prefixLength)}::smallint[],
      ${blocks.map((block) => block.network)}::cidr[], ${blocks.map((block) => block.resourceId)}::uuid[],
      ${blocks.map((block) => block.rangeLength)}::smallint[]
    ) as given ${NOT_COPIED}`.execute(tx)
}

async function deleteBlocks(
  tx: Tx,
  scope: TenantScope,
  resourceId: string,
  blocks: readonly RangeBlock[],
): Promise<void> {
  await sql`
    delete from resource_block using unnest(
      ${blocks.map((block) => block.family)}::smallint[], ${blocks.map((block) => block.prefixLength)}::smallint[],
      ${blocks.map((block) => block.network)}::cidr[]
    ) as given (family, prefix_length, network)
    where resource_block.tenant_id = ${scope.tenantId} and resource_block.family = given.family
      and resource_block.prefix_length = given.prefix_length and resource_block.network = given.network
      and resource_block.resource_id = ${resourceId}::uuid`.execute(tx)
}

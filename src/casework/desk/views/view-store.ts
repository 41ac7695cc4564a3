// SQL of saved views. A caller sees those that are shared in the tenant, and those of its token.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { buildPage, type PageRequest } from '../../../kernel/db/page-request.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'

export interface ViewRecord {
  readonly id: string
  readonly name: string
  readonly list: 'cases' | 'events'
  readonly query: Readonly<Record<string, string | number | boolean>>
  readonly isShared: boolean
  readonly createdAt: Date
  readonly createdBy: string
  readonly updatedAt: Date
}

/** Who asks: the views of other tokens do not exist for it. */
export interface ViewReader extends TenantScope {
  readonly tokenId: string
}

const COLUMNS = sql`id, name, list, query, is_shared as "isShared", created_at as "createdAt", created_by as "createdBy",
  updated_at as "updatedAt"`

const isSeenBy = ({ tenantId, tokenId }: ViewReader) =>
  sql`tenant_id = ${tenantId} and (is_shared or created_by = ${tokenId})`

/** Up to `limit` views and one more, by the time at which they were made. */
export async function listViews(
  db: Db,
  reader: ViewReader,
  list: ViewRecord['list'] | null,
  page: PageRequest,
): Promise<readonly ViewRecord[]> {
  const keyset = buildPage([{ name: 'id', type: 'uuid' }], page)
  const conditions = [
    isSeenBy(reader),
    ...(list === null ? [] : [sql`list = ${list}`]),
    ...keyset.conditions,
  ]
  const found = await sql<ViewRecord>`
    select ${COLUMNS} from saved_view
    where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`.execute(db)
  return found.rows
}

export async function findView(db: Db, reader: ViewReader, id: string): Promise<ViewRecord | null> {
  const found = await sql<ViewRecord>`
    select ${COLUMNS} from saved_view where ${isSeenBy(reader)} and id = ${id}::uuid`.execute(db)
  return found.rows[0] ?? null
}

/** As findView, and nobody else changes it until the transaction ends. */
export async function lockView(tx: Tx, reader: ViewReader, id: string): Promise<ViewRecord | null> {
  const found = await sql<ViewRecord>`
    select ${COLUMNS} from saved_view
    where ${isSeenBy(reader)} and id = ${id}::uuid for update`.execute(tx)
  return found.rows[0] ?? null
}

/**
 * Removes the own views of tokens that were revoked, which nobody can see any more, and counts what
 * is left. Views are made one after the other, so that the limit holds.
 */
export async function countViews(tx: Tx, { tenantId }: TenantScope): Promise<number> {
  await sql`select from tenant where id = ${tenantId} for no key update`.execute(tx)
  const revoked = await listRevokedOwners(tx, tenantId)
  if (revoked.length > 0) {
    await sql`
      delete from saved_view
      where tenant_id = ${tenantId} and not is_shared and created_by = any(${revoked}::text[])`.execute(
      tx,
    )
  }
  const found = await sql<{ count: number }>`
    select count(*)::int as count from saved_view where tenant_id = ${tenantId}`.execute(tx)
  return found.rows[0]?.count ?? 0
}

// Tokens and views apart: a join of the two ends the coordinator's server process of Citus.
async function listRevokedOwners(tx: Tx, tenantId: string): Promise<readonly string[]> {
  const owners = await sql<{ created_by: string }>`
    select distinct created_by from saved_view where tenant_id = ${tenantId} and not is_shared`.execute(
    tx,
  )
  const ids = owners.rows.map(({ created_by: id }) => id)
  const tokens = await sql<{ id: string }>`
    select id from api_token where id = any(${ids}::text[]) and revoked_at is not null`.execute(tx)
  return tokens.rows.map(({ id }) => id)
}

export type ViewContent = Pick<ViewRecord, 'id' | 'name' | 'list' | 'query' | 'isShared'>

export async function insertView(
  tx: Tx,
  { tenantId, tokenId }: ViewReader,
  view: ViewContent,
): Promise<ViewRecord> {
  const stored = await sql<ViewRecord>`
    insert into saved_view (tenant_id, id, name, list, query, is_shared, created_by)
    values (${tenantId}, ${view.id}, ${view.name}, ${view.list}, ${JSON.stringify(view.query)}::jsonb, ${view.isShared}, ${tokenId})
    returning ${COLUMNS}`.execute(tx)
  return requireRow(stored.rows)
}

export async function updateView(
  tx: Tx,
  { tenantId }: TenantScope,
  view: ViewContent,
): Promise<ViewRecord> {
  const stored = await sql<ViewRecord>`
    update saved_view set name = ${view.name}, query = ${JSON.stringify(view.query)}::jsonb, is_shared = ${view.isShared},
      updated_at = now()
    where tenant_id = ${tenantId} and id = ${view.id}::uuid returning ${COLUMNS}`.execute(tx)
  return requireRow(stored.rows)
}

export async function deleteView(tx: Tx, { tenantId }: TenantScope, id: string): Promise<void> {
  await sql`delete from saved_view where tenant_id = ${tenantId} and id = ${id}::uuid`.execute(tx)
}

function requireRow(rows: readonly ViewRecord[]): ViewRecord {
  const [row] = rows
  if (row === undefined) throw new Error('a view was stored and not returned')
  return row
}

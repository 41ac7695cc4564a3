// SQL of tenants.

import { sql } from 'kysely'
import { type Db, seeTables } from '../kernel/db/database.ts'
import type { TenantSettings } from './tenant-wire.ts'

interface TenantTables {
  tenant: { id: string; name: string; settings: TenantSettings; created_at: Date }
}

export interface TenantRecord {
  readonly id: string
  readonly name: string
  readonly settings: TenantSettings
  readonly createdAt: Date
}

/** Tenants by id, those after `afterId` (null: from the start), at most `limit`. */
export async function listTenants(
  db: Db,
  afterId: string | null,
  limit: number,
): Promise<readonly TenantRecord[]> {
  let query = seeTables<TenantTables>(db)
    .selectFrom('tenant')
    .selectAll()
    .orderBy('id')
    .limit(limit)
  if (afterId !== null) query = query.where('id', '>', afterId)
  const rows = await query.execute()
  return rows.map(readTenant)
}

/** The new tenant, or null when the id is taken. */
export async function insertTenant(db: Db, id: string, name: string): Promise<TenantRecord | null> {
  const row = await seeTables<TenantTables>(db)
    .insertInto('tenant')
    .values({
      id,
      name,
      settings: sql<TenantSettings>`'{}'::jsonb`,
      created_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : readTenant(row)
}

export async function findTenant(db: Db, id: string): Promise<TenantRecord | null> {
  const row = await seeTables<TenantTables>(db)
    .selectFrom('tenant')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : readTenant(row)
}

export interface TenantPatch {
  /** Null leaves it. */
  readonly name: string | null
  /** Those that are named are set; null takes one away. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** The tenant as it is afterwards, or null when there is none. */
export async function updateTenant(
  db: Db,
  id: string,
  patch: TenantPatch,
): Promise<TenantRecord | null> {
  const changed = await sql<TenantTables['tenant']>`
    update tenant set name = coalesce(${patch.name}, name),
      settings = jsonb_strip_nulls(settings || ${JSON.stringify(patch.settings)}::jsonb)
    where id = ${id} returning *`.execute(db)
  const row = changed.rows[0]
  return row === undefined ? null : readTenant(row)
}

function readTenant(row: TenantTables['tenant']): TenantRecord {
  return { id: row.id, name: row.name, settings: row.settings, createdAt: row.created_at }
}

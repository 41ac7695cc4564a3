// SQL of tenants.

import { sql } from 'kysely'
import { type Db, seeTables } from '../db/database.ts'

interface TenantTables {
  tenant: { id: string; name: string; settings: unknown; created_at: Date }
}

export interface TenantRecord {
  readonly id: string
  readonly name: string
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
    .select(['id', 'name', 'created_at'])
    .orderBy('id')
    .limit(limit)
  if (afterId !== null) query = query.where('id', '>', afterId)
  const rows = await query.execute()
  return rows.map((row) => ({ id: row.id, name: row.name, createdAt: row.created_at }))
}

/** The new tenant, or null when the id is taken. */
export async function insertTenant(db: Db, id: string, name: string): Promise<TenantRecord | null> {
  const row = await seeTables<TenantTables>(db)
    .insertInto('tenant')
    .values({ id, name, settings: sql`'{}'::jsonb`, created_at: sql<Date>`now()` })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'name', 'created_at'])
    .executeTakeFirst()
  return row === undefined ? null : { id: row.id, name: row.name, createdAt: row.created_at }
}

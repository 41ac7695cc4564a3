// SQL of adapters: the systems of a tenant that execute and undo mitigations.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { MitigationKind } from './mitigation.ts'

export interface AdapterSettings {
  readonly name: string
  readonly url: string
  readonly secretName: string
  readonly kinds: readonly MitigationKind[]
  readonly description: string
  readonly isEnabled: boolean
}

export interface AdapterRecord extends AdapterSettings {
  readonly createdAt: Date
  readonly updatedAt: Date
}

const RECORD = sql`name, url, secret_name as "secretName", kinds, description, is_enabled as "isEnabled",
  created_at as "createdAt", updated_at as "updatedAt"`

/** All of a tenant, by name; there are few. */
export async function listAdapters(
  db: Db,
  { tenantId }: TenantScope,
): Promise<readonly AdapterRecord[]> {
  const found = await sql<AdapterRecord>`
    select ${RECORD} from mitigation_adapter where tenant_id = ${tenantId} order by name`.execute(
    db,
  )
  return found.rows
}

export async function findAdapter(
  db: Db,
  { tenantId }: TenantScope,
  name: string,
): Promise<AdapterRecord | null> {
  const found = await sql<AdapterRecord>`
    select ${RECORD} from mitigation_adapter where tenant_id = ${tenantId} and name = ${name}`.execute(
    db,
  )
  return found.rows[0] ?? null
}

/** As `findAdapter`; no other transaction changes the adapter before this one ends. */
export async function lockAdapter(
  tx: Tx,
  scope: TenantScope,
  name: string,
): Promise<AdapterRecord | null> {
  await sql`
    select from mitigation_adapter where tenant_id = ${scope.tenantId} and name = ${name} for update`.execute(
    tx,
  )
  return await findAdapter(tx, scope, name)
}

/** As `findAdapter`; the adapter cannot be deleted before the transaction ends. */
export async function holdAdapter(
  tx: Tx,
  { tenantId }: TenantScope,
  name: string,
): Promise<AdapterRecord | null> {
  const found = await sql<AdapterRecord>`
    select ${RECORD} from mitigation_adapter where tenant_id = ${tenantId} and name = ${name} for key share`.execute(
    tx,
  )
  return found.rows[0] ?? null
}

export async function putAdapter(
  tx: Tx,
  { tenantId }: TenantScope,
  one: AdapterSettings,
): Promise<void> {
  await sql`
    insert into mitigation_adapter (tenant_id, name, url, secret_name, kinds, description, is_enabled)
    values (${tenantId}, ${one.name}, ${one.url}, ${one.secretName}, ${[...one.kinds]}::text[], ${one.description}, ${one.isEnabled})
    on conflict (tenant_id, name) do update set url = excluded.url, secret_name = excluded.secret_name, kinds = excluded.kinds,
      description = excluded.description, is_enabled = excluded.is_enabled, updated_at = excluded.updated_at`.execute(
    tx,
  )
}

type Deletion = 'deleted' | 'not_found' | 'in_use'

/** An adapter whose mitigations are in force stays: nobody else could undo them. */
export async function deleteAdapter(
  tx: Tx,
  { tenantId }: TenantScope,
  name: string,
): Promise<Deletion> {
  const locked = await sql`
    select from mitigation_adapter where tenant_id = ${tenantId} and name = ${name} for update`.execute(
    tx,
  )
  if (locked.rows.length === 0) return 'not_found'
  const used = await sql`
    select from mitigation
    where tenant_id = ${tenantId} and adapter = ${name} and state in ('pending', 'active', 'removing') limit 1`.execute(
    tx,
  )
  if (used.rows.length > 0) return 'in_use'
  await sql`delete from mitigation_adapter where tenant_id = ${tenantId} and name = ${name}`.execute(
    tx,
  )
  return 'deleted'
}

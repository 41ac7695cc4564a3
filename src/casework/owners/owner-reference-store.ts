// What owners refer to: kept from being deleted while a row that names it is written.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

/** Those of `ids` that are there; they stay until the transaction ends. */
export async function lockCustomers(
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const found = await sql<{ id: string }>`
    select id from customer where tenant_id = ${scope.tenantId} and id = any(${[...ids]}::text[])
    order by id for key share`.execute(tx)
  return new Set(found.rows.map((row) => row.id))
}

/**
 * Contract to customer, for those of `ids` that are there; they stay until the transaction ends.
 */
export async function lockContracts(
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await sql<{ id: string; customerId: string }>`
    select id, customer_id as "customerId" from contract
    where tenant_id = ${scope.tenantId} and id = any(${[...ids]}::text[]) order by id for key share`.execute(
    tx,
  )
  return new Map(found.rows.map((row) => [row.id, row.customerId]))
}

/** Customer to parent for `ids` and everyone above them. A loop ends, since each is met once. */
export async function findParents(
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map()
  const found = await sql<{ id: string; parentId: string | null }>`
    with recursive above (id, parent_id) as (
      select id, parent_customer_id from customer
      where tenant_id = ${scope.tenantId} and id = any(${[...ids]}::text[])
      union
      select customer.id, customer.parent_customer_id from above
      join customer on customer.tenant_id = ${scope.tenantId} and customer.id = above.parent_id
    )
    select id, parent_id as "parentId" from above`.execute(tx)
  return new Map(found.rows.map((row) => [row.id, row.parentId]))
}

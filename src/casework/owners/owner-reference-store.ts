// SQL of references to owners: locks the customers and contracts to which a new row refers, so that
// they are not deleted meanwhile, finds the customers above a customer, and looks up owners that a
// caller names for an event.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Ownership } from '../rules/correlation-key.ts'
import type { Parents } from './owner.ts'

/** The customers of `ids` that exist; they cannot be deleted until the transaction ends. */
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
 * Contract to customer, for the contracts of `ids` that exist. They cannot be deleted until the
 * transaction ends.
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

/**
 * No other transaction gives a customer of the tenant a parent before this one ends: two of them
 * could each make one half of a loop.
 */
export async function lockParents(tx: Tx, { tenantId }: TenantScope): Promise<void> {
  await sql`select from tenant where id = ${tenantId} for no key update`.execute(tx)
}

/** Of `ids` and all customers above them. A loop ends: `union` drops repeats. */
export async function findParents(
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
): Promise<Parents> {
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

export type NamedOwner = Pick<Ownership, 'customerId' | 'contractId'>

export interface OwnerOnRecord {
  readonly hasCustomer: boolean
  /** The customer of the contract; null when no contract is named, or the contract is unknown. */
  readonly contractCustomerId: string | null
}

/** The results in the order of `owners`. */
export async function findNamedOwners(
  db: Db,
  scope: TenantScope,
  owners: readonly NamedOwner[],
): Promise<readonly OwnerOnRecord[]> {
  if (owners.length === 0) return []
  const found = await sql<OwnerOnRecord>`
    select exists (
      select from customer where tenant_id = ${scope.tenantId} and id = given.customer_id
    ) as "hasCustomer", (
      select customer_id from contract where tenant_id = ${scope.tenantId} and id = given.contract_id
    ) as "contractCustomerId"
    from unnest(
      ${owners.map((owner) => owner.customerId)}::text[], ${owners.map((owner) => owner.contractId)}::text[]
    ) with ordinality as given (customer_id, contract_id, ordinal)
    order by given.ordinal`.execute(db)
  return found.rows
}

// What a tenant has on record of owners that somebody names: whoever brings an event, or gives it
// to another owner.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Ownership } from '../rules/correlation-key.ts'

export type NamedOwner = Pick<Ownership, 'customerId' | 'contractId'>

export interface OwnerOnRecord {
  readonly hasCustomer: boolean
  /** Whose the contract is; null when no contract is named, or none such is on record. */
  readonly contractCustomerId: string | null
}

/** In the order of the owners. */
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
    ) with ordinality as given (customer_id, contract_id, place)
    order by given.place`.execute(db)
  return found.rows
}

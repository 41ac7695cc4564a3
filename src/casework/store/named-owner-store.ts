// What a tenant has on record of an owner that somebody names by hand.

import { sql } from 'kysely'
import type { TenantScope } from '../../kernel/auth/caller.ts'
import type { Tx } from '../../kernel/db/database.ts'

export interface NamedOwner {
  readonly hasCustomer: boolean
  /** Whose the contract is; null when no contract is named, or none such is on record. */
  readonly contractCustomerId: string | null
}

export async function findNamedOwner(
  tx: Tx,
  scope: TenantScope,
  owner: { readonly customerId: string; readonly contractId: string | null },
): Promise<NamedOwner> {
  const found = await sql<NamedOwner>`
    select exists (
      select from customer where tenant_id = ${scope.tenantId} and id = ${owner.customerId}
    ) as "hasCustomer", (
      select customer_id from contract where tenant_id = ${scope.tenantId} and id = ${owner.contractId}
    ) as "contractCustomerId"`.execute(tx)
  return found.rows[0] ?? { hasCustomer: false, contractCustomerId: null }
}

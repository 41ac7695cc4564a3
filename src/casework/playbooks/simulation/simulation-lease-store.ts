// SQL of the lease under which a tenant simulates: one simulation at a time, on whatever node.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { moveTime } from '../../../kernel/db/move-time.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'

/** False while another simulation of the tenant has it. */
export async function takeSimulationLease(
  db: Db,
  { tenantId }: TenantScope,
  owner: string,
  seconds: number,
): Promise<boolean> {
  const taken = await sql`
    insert into simulation (tenant_id, owner, lease_until)
    values (${tenantId}, ${owner}, now() + ${seconds} * interval '1 second')
    on conflict (tenant_id) do update set owner = excluded.owner, lease_until = excluded.lease_until
      where simulation.lease_until < ${moveTime(sql`excluded.lease_until`, sql`${-seconds} * interval '1 second'`)}`.execute(
    db,
  )
  return (taken.numAffectedRows ?? 0n) > 0n
}

export async function endSimulationLease(
  db: Db,
  { tenantId }: TenantScope,
  owner: string,
): Promise<void> {
  await sql`delete from simulation where tenant_id = ${tenantId} and owner = ${owner}`.execute(db)
}

// Takes away records of who decided what that are past their time: the history of rules, and legal
// holds that were lifted. The history of a case goes with the case.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { RetentionBounds } from './retention-policy.ts'

type AuditBound = NonNullable<RetentionBounds['auditBefore']>

/** Up to `limit` of each kind. How many in all. */
export async function removeAudit(
  tx: Tx,
  { tenantId }: TenantScope,
  { id, at }: AuditBound,
  limit: number,
): Promise<number> {
  const history = await sql`
    delete from rule_history using (
      select id from rule_history where tenant_id = ${tenantId} and id < ${id}::uuid limit ${limit}
    ) as due
    where rule_history.tenant_id = ${tenantId} and rule_history.id = due.id`.execute(tx)
  const holds = await sql`
    delete from legal_hold using (
      select id from legal_hold where tenant_id = ${tenantId} and lifted_at < ${at} limit ${limit}
    ) as due
    where legal_hold.tenant_id = ${tenantId} and legal_hold.id = due.id`.execute(tx)
  return Number(history.numAffectedRows ?? 0n) + Number(holds.numAffectedRows ?? 0n)
}

/** How many are due, of each kind counted up to `countMax`. */
export async function countDueAudit(
  db: Db,
  { tenantId }: TenantScope,
  bound: AuditBound | null,
  countMax: number,
): Promise<number> {
  if (bound === null) return 0
  const counted = await sql<{ count: number }>`
    select (select count(*) from (
        select from rule_history where tenant_id = ${tenantId} and id < ${bound.id}::uuid limit ${countMax}) as due)
      + (select count(*) from (
        select from legal_hold where tenant_id = ${tenantId} and lifted_at < ${bound.at} limit ${countMax}) as due) as count`.execute(
    db,
  )
  return counted.rows[0]?.count ?? 0
}

// Retention of audit records: the history of rules, and lifted legal holds. The history of a case
// is removed with the case.

import { sql } from 'kysely'
import { countDueEntries } from '../../../access/audit/forget-entries.ts'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { RetentionBounds } from './retention-policy.ts'

type AuditBound = NonNullable<RetentionBounds['auditBefore']>

/** Removes up to `limit` rows of each kind. Returns the number of both. */
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

/** The number of due rows; each kind is counted up to `countMax`. */
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
  const entries = await countDueEntries(db, tenantId, bound.day, countMax)
  return (counted.rows[0]?.count ?? 0) + entries
}

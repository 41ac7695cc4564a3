// SQL of bulk changes that can be undone: what each did to its cases, and the answer of its undo.

import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { type DueRows, type TenantPass, workByTenant } from '../../../kernel/db/due-tenants.ts'
import { NOT_COPIED } from '../../../kernel/db/not-copied.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { UNDO_DAYS } from './bulk-change-wire.ts'
import type { TakenChange } from './bulk-undo.ts'

interface NewBulkChange {
  readonly id: string
  readonly at: Date
  readonly hasMove: boolean
  readonly hasComment: boolean
  readonly cases: readonly TakenChange[]
}

export async function insertBulkChange(
  tx: Tx,
  { tenantId }: TenantScope,
  { id, at, hasMove, hasComment, cases }: NewBulkChange,
): Promise<void> {
  await sql`
    insert into bulk_change (tenant_id, id, at, has_move, has_comment)
    values (${tenantId}, ${id}::uuid, ${at}, ${hasMove}, ${hasComment})`.execute(tx)
  const rows = cases.map(({ caseId, changes, move }) => ({ case_id: caseId, changes, move }))
  await sql`
    insert into bulk_change_case (tenant_id, bulk_change_id, case_id, changes, move)
    select ${tenantId}, ${id}::uuid, case_id, changes, nullif(move, 'null')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (case_id text, changes jsonb, move jsonb)
    ${NOT_COPIED}`.execute(tx)
}

const REMOVED_AT_ONCE = 100

const OLD_CHANGES: DueRows = {
  table: 'bulk_change',
  isDue: sql`at < now() - ${sql.lit(UNDO_DAYS)} * interval '1 day'`,
  since: sql`at`,
}

/** Removes bulk changes that can no longer be undone, the oldest of each tenant first. */
export async function removeOldBulkChanges(
  pass: TenantPass,
): Promise<{ readonly isMore: boolean }> {
  const { db } = pass
  return await workByTenant(pass, OLD_CHANGES, REMOVED_AT_ONCE, async (tenantId, limit) => {
    const removed = await sql`
      delete from bulk_change using (
        select id from bulk_change where tenant_id = ${tenantId} and ${OLD_CHANGES.isDue}
        order by at limit ${limit} for update skip locked
      ) as old
      where bulk_change.tenant_id = ${tenantId} and bulk_change.id = old.id`.execute(db)
    return Number(removed.numAffectedRows ?? 0)
  })
}

export interface BulkChangeRecord {
  readonly id: string
  readonly hasMove: boolean
  readonly hasComment: boolean
  /** The answer of its undo; null before it. */
  readonly undone: unknown
}

const DAY_MS = 86_400_000

/** Locks the bulk change. Null for one that is not there, or can no longer be undone. */
export async function lockBulkChange(
  tx: Tx,
  { tenantId }: TenantScope,
  id: string,
  at: Date,
): Promise<BulkChangeRecord | null> {
  const undoableSince = new Date(at.getTime() - UNDO_DAYS * DAY_MS)
  const found = await sql<BulkChangeRecord>`
    select id, has_move as "hasMove", has_comment as "hasComment", undone from bulk_change
    where tenant_id = ${tenantId} and id = ${id}::uuid and at > ${undoableSince} for update`.execute(
    tx,
  )
  return found.rows[0] ?? null
}

/** In the order of the ids of the cases, which is that of their creation. */
export async function listTakenChanges(
  tx: Tx,
  { tenantId }: TenantScope,
  id: string,
): Promise<readonly TakenChange[]> {
  const found = await sql<TakenChange>`
    select case_id as "caseId", changes, move from bulk_change_case
    where tenant_id = ${tenantId} and bulk_change_id = ${id}::uuid order by case_id`.execute(tx)
  return found.rows
}

/** The members of these cases that were changed after the bulk change, by case. */
export async function findChangedSince(
  tx: Tx,
  { tenantId }: TenantScope,
  id: string,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = await sql<{ caseId: string; members: readonly string[] }>`
    select case_id as "caseId", array_agg(member) as members
    from case_history, jsonb_object_keys(changes) as member
    where tenant_id = ${tenantId} and case_id = any(${[...caseIds]}::text[]) and id > ${id}::uuid
      and kind = 'change' and jsonb_typeof(changes) = 'object'
    group by case_id`.execute(tx)
  return new Map(found.rows.map(({ caseId, members }) => [caseId, new Set(members)]))
}

export async function keepUndo(
  tx: Tx,
  { tenantId }: TenantScope,
  id: string,
  answer: unknown,
): Promise<void> {
  await sql`
    update bulk_change set undone = ${JSON.stringify(answer)}::jsonb
    where tenant_id = ${tenantId} and id = ${id}::uuid`.execute(tx)
}

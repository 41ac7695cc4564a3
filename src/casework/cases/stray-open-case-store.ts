// Slots that name a case which cannot have them: it is gone, has ended, or neither its own key nor
// that of a case merged into it is theirs.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { lockCorrelation, type SlotKey } from './open-case-store.ts'

export interface StraySlot extends SlotKey {
  readonly caseId: string
  readonly why: 'gone' | 'ended' | 'not_its_key'
}

// Read by the key of the slots: some milliseconds a page.
const SLOTS_AT_ONCE = 1_000

/**
 * The stray ones among the next slots after `after`, and the last slot that was looked at; null at
 * the end.
 */
export async function listStraySlots(
  db: Db,
  scope: TenantScope,
  after: SlotKey | null,
): Promise<{ readonly stray: readonly StraySlot[]; readonly last: SlotKey | null }> {
  const found = await sql<SlotKey & { caseId: string; why: StraySlot['why'] | 'right' }>`
    select slot.case_group_id as "caseGroupId", encode(slot.key_hash, 'hex') as "keyHash", slot.case_id as "caseId",
      ${judgeSlot(scope)} as why
    from (
      select * from case_slot where tenant_id = ${scope.tenantId}
        and (case_group_id, key_hash) > (${after?.caseGroupId ?? ''}, decode(${after?.keyHash ?? ''}, 'hex'))
      order by case_group_id, key_hash limit ${SLOTS_AT_ONCE}
    ) as slot left join abuse_case as held on held.tenant_id = ${scope.tenantId} and held.id = slot.case_id
    order by slot.case_group_id, slot.key_hash`.execute(db)
  const stray = found.rows.flatMap(({ why, ...slot }) =>
    why === 'right' ? [] : [{ ...slot, why }],
  )
  return { stray, last: found.rows.at(-1) ?? null }
}

function judgeSlot({ tenantId }: TenantScope) {
  return sql`case when held.id is null then 'gone' when held.ended_at is not null then 'ended'
    when held.case_group_id = slot.case_group_id and held.key_hash = slot.key_hash then 'right'
    when exists (
      with recursive tree as (
        select held.id, held.case_group_id, held.key_hash
        union all
        select child.id, child.case_group_id, child.key_hash
        from tree join abuse_case as child on child.tenant_id = ${tenantId} and child.merged_into = tree.id
      ) select from tree where tree.case_group_id = slot.case_group_id and tree.key_hash = slot.key_hash
    ) then 'right' else 'not_its_key' end`
}

/** True when the slot still was stray, and is free now. */
export async function removeStraySlot(
  tx: Tx,
  scope: TenantScope,
  { caseGroupId, keyHash, caseId }: StraySlot,
): Promise<boolean> {
  const isThis = sql`slot.tenant_id = ${scope.tenantId} and slot.case_group_id = ${caseGroupId}
    and slot.key_hash = decode(${keyHash}, 'hex') and slot.case_id = ${caseId}`
  await lockCorrelation(tx, scope)
  const judged = await sql<{ why: string }>`
    select ${judgeSlot(scope)} as why from case_slot as slot
    left join abuse_case as held on held.tenant_id = ${scope.tenantId} and held.id = slot.case_id
    where ${isThis}`.execute(tx)
  const why = judged.rows[0]?.why
  if (why === undefined || why === 'right') return false
  await sql`delete from case_slot as slot where ${isThis}`.execute(tx)
  return true
}

/** Takes the slots of these keys from these cases, in the order in which slots are locked. */
export async function removeSlotsHeldBy(
  tx: Tx,
  scope: TenantScope,
  keys: readonly SlotKey[],
  caseIds: readonly string[],
): Promise<void> {
  const isThis = sql`slot.tenant_id = ${scope.tenantId} and slot.case_group_id = given.case_group_id
    and slot.key_hash = decode(given.key_hash, 'hex') and slot.case_id = any(${[...caseIds]}::text[])`
  const given = sql`unnest(
      ${keys.map((key) => key.caseGroupId)}::text[], ${keys.map((key) => key.keyHash)}::text[]
    ) as given (case_group_id, key_hash)`
  await sql`
    select from ${given} join case_slot as slot on ${isThis}
    order by slot.case_group_id, slot.key_hash for update of slot`.execute(tx)
  await sql`delete from case_slot as slot using ${given} where ${isThis}`.execute(tx)
}

// Locks of cases that are about to move, in the order that intake takes them too: slots by key,
// then cases by id. A case that is to be opened again has no slot yet; the slot is claimed before
// the case is locked, since intake claims it before it locks an ended case.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import { RetryTransaction, seeTables } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { type CaseState, isOpenState } from './case-state.ts'
import type { CaseRow, CaseTables } from './case-tables.ts'
import { seeTrees, type TreeCase } from './case-tree.ts'
import { claimSlots, joinSlotKey, type SlotClaim } from './open-case-store.ts'

export interface CaseLockRequest {
  readonly caseId: string
  readonly target: CaseState
}

export interface LockedCases {
  /** By id; those that the tenant does not have are left out. */
  readonly cases: ReadonlyMap<string, CaseRow>
  /**
   * By the id of each case whose slot was claimed: the case that holds it now, itself when the slot
   * was free.
   */
  readonly holders: ReadonlyMap<string, string>
}

/**
 * Locks the cases, and the slots of those that are open or are to be, until the transaction ends.
 * Slots that were claimed for moves that then do not happen are given back by
 * `releaseSlotsOfEnded`. Throws RetryTransaction when a case was opened meanwhile that was to stay
 * ended.
 */
export async function lockCases(
  tx: Tx,
  scope: TenantScope,
  requests: readonly CaseLockRequest[],
): Promise<LockedCases> {
  const caseIds = [...new Set(requests.map((request) => request.caseId))]
  const toOpen = new Set(
    requests.filter(({ target }) => isOpenState(target)).map(({ caseId }) => caseId),
  )
  // With the keys of what was merged into them: an open case holds those slots too, as far as no
  // other case does.
  const seen = await seeTrees(tx, scope, caseIds)
  const withSlot = seen.filter((one) => one.isOpen || toOpen.has(one.root))
  // An open case that takes no more events moves on without a slot, and leaves those that are free
  // to others. Of one that is open already nothing but its own slot matters: a move that changes
  // nothing must not give it others.
  const wanting = withSlot.filter((one) => !one.isOpen || (!one.isSealed && one.parent === null))
  const claimed = toOpen.size > 0 ? await claimSlotsOf(tx, scope, wanting) : null
  const holders = claimed ?? new Map<string, string>()
  const locked = claimed === null ? await lockSlotsOf(tx, scope, withSlot) : new Set(claimed.keys())
  const rows = await seeTables<CaseTables>(tx)
    .selectFrom('abuse_case')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', sql<string>`any(${caseIds}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const unlocked = rows.filter(
    (row) => isOpenState(row.state) && row.sealed_at === null && !locked.has(row.id),
  )
  // Their slots would have to be locked now, after the cases: the wrong way round. That happens to
  // a case that was opened since it was seen, and to one that was seen open, ended, and opened
  // again by the time of the lock.
  if (unlocked.length > 0 && (await holdAnySlot(tx, scope, unlocked))) {
    throw new RetryTransaction('a case was opened before it could be locked')
  }
  return { cases: new Map(rows.map((row) => [row.id, row])), holders }
}

// Those that are held already in the same statement, so that all are taken in the order of their
// keys.
async function claimSlotsOf(
  tx: Tx,
  scope: TenantScope,
  keys: readonly TreeCase[],
): Promise<ReadonlyMap<string, string>> {
  const claims = new Map<string, SlotClaim>()
  const own = keys.filter((one) => one.parent === null)
  // A case's own key goes before that of one which it took in.
  for (const one of [...keys.filter(({ parent }) => parent !== null), ...own]) {
    claims.set(joinSlotKey(one), { ...one, offeredCaseId: one.root })
  }
  const holders = await claimSlots(tx, scope, [...claims.values()])
  const holderOfKey = new Map([...claims.keys()].map((key, index) => [key, holders[index]]))
  return new Map(own.map((one) => [one.id, holderOfKey.get(joinSlotKey(one)) ?? one.id]))
}

// Without a write, for cases that are to end: one whose slot is gone when the lock comes has ended,
// and needs none. Gives the cases whose own slot is locked.
async function lockSlotsOf(
  tx: Tx,
  scope: TenantScope,
  keys: readonly TreeCase[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const result = await sql<{ caseGroupId: string; keyHash: string }>`
    select case_slot.case_group_id as "caseGroupId", encode(case_slot.key_hash, 'hex') as "keyHash"
    from case_slot join (
      select distinct case_group_id, decode(key_hash, 'hex') as key_hash from unnest(
        ${keys.map((one) => one.caseGroupId)}::text[], ${keys.map((one) => one.keyHash)}::text[]
      ) as given (case_group_id, key_hash)
    ) as wanted on wanted.case_group_id = case_slot.case_group_id and wanted.key_hash = case_slot.key_hash
    where case_slot.tenant_id = ${scope.tenantId}
    order by case_slot.case_group_id, case_slot.key_hash
    for update of case_slot`.execute(tx)
  const locked = new Set(result.rows.map(joinSlotKey))
  return new Set(
    keys.filter((one) => one.parent === null && locked.has(joinSlotKey(one))).map(({ id }) => id),
  )
}

async function holdAnySlot(
  tx: Tx,
  scope: TenantScope,
  cases: readonly CaseRow[],
): Promise<boolean> {
  const slot = await seeTables<CaseTables>(tx)
    .selectFrom('case_slot')
    .select('case_id')
    .where('tenant_id', '=', scope.tenantId)
    .where('case_group_id', 'in', [...new Set(cases.map((row) => row.case_group_id))])
    .where(
      'case_id',
      'in',
      cases.map((row) => row.id),
    )
    .limit(1)
    .executeTakeFirst()
  return slot !== undefined
}

/**
 * Takes away the slots that these cases hold, of those that have ended: an open case holds its
 * slot, an ended one does not.
 */
export async function releaseSlotsOfEnded(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  if (caseIds.length === 0) return
  await sql`
    with recursive tree as (
      select id as root, id, case_group_id, key_hash from abuse_case
      where tenant_id = ${scope.tenantId} and id = any(${caseIds}::text[]) and ended_at is not null
      union all
      select tree.root, child.id, child.case_group_id, child.key_hash
      from tree join abuse_case as child
        on child.tenant_id = ${scope.tenantId} and child.merged_into = tree.id
    )
    delete from case_slot using tree
    where case_slot.tenant_id = ${scope.tenantId} and case_slot.case_group_id = tree.case_group_id
      and case_slot.key_hash = tree.key_hash and case_slot.case_id = tree.root`.execute(tx)
}

/**
 * Those of these groups that are there, and none of them is deleted until the transaction ends:
 * asked before a case of them is opened, or opened again. The group that takes everything is never
 * deleted, and costs no statement.
 */
export async function holdCaseGroups(
  tx: Tx,
  scope: TenantScope,
  groupIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const others = [...new Set(groupIds)].filter((id) => id !== DEFAULT_GROUP_ID)
  const always = groupIds.includes(DEFAULT_GROUP_ID) ? [DEFAULT_GROUP_ID] : []
  if (others.length === 0) return new Set(always)
  const result = await sql<{ id: string }>`
    select id from case_group where tenant_id = ${scope.tenantId} and id = any(${others}::text[])
    order by id for key share`.execute(tx)
  return new Set([...always, ...result.rows.map((row) => row.id)])
}

/** The group that takes what no other took: always there, always last, always on. */
export const DEFAULT_GROUP_ID = 'default'

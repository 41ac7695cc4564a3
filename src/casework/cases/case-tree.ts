// A case with all that was merged into it, over any number of steps, and the slot keys it holds for
// them (migration 0014).

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { CaseState } from './case-state.ts'
import type { SlotKey } from './open-case-store.ts'

export interface TreeCase extends SlotKey {
  /** The case that was asked for. */
  readonly root: string
  readonly id: string
  /** Null for the root. */
  readonly parent: string | null
  /** Of the root. */
  readonly isOpen: boolean
  /** Of the root: it takes no more events. */
  readonly isSealed: boolean
}

/**
 * The trees below these cases, unlocked. One probe of a small index a case, where nothing was
 * merged.
 */
export async function seeTrees(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<readonly TreeCase[]> {
  const result = await sql<TreeCase>`
    with recursive tree as (
      select id as root, id, null::text collate "C" as parent, case_group_id, key_hash, ended_at is null as is_open,
        sealed_at is not null as is_sealed
      from abuse_case where tenant_id = ${scope.tenantId} and id = any(${[...caseIds]}::text[])
      union all
      select tree.root, child.id, child.merged_into, child.case_group_id, child.key_hash, tree.is_open, tree.is_sealed
      from tree join abuse_case as child
        on child.tenant_id = ${scope.tenantId} and child.merged_into = tree.id
    )
    select root, id, parent, case_group_id as "caseGroupId", encode(key_hash, 'hex') as "keyHash",
      is_open as "isOpen", is_sealed as "isSealed"
    from tree`.execute(tx)
  return result.rows
}

/** Of one root: the ids of a case of it and of all below that. */
export function listSubtree(tree: readonly TreeCase[], caseId: string): ReadonlySet<string> {
  const found = new Set([caseId])
  // Each round goes down one step, and a tree has no more steps than cases.
  for (let round = 0; round < tree.length; round += 1) {
    const below = tree.filter(
      ({ id, parent }) => parent !== null && found.has(parent) && !found.has(id),
    )
    if (below.length === 0) break
    for (const { id } of below) found.add(id)
  }
  return found
}

export interface StandingCase extends SlotKey {
  readonly id: string
  readonly state: CaseState
  readonly resolvedAt: Date | null
}

/** By the id of each merged case: the one at the end of its chain, which is merged no further. */
export async function findMergeRoots(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, StandingCase>> {
  if (caseIds.length === 0) return new Map()
  const result = await sql<StandingCase & { start: string }>`
    with recursive chain as (
      select id as start, id, merged_into, state, resolved_at, case_group_id, key_hash from abuse_case
      where tenant_id = ${scope.tenantId} and id = any(${[...caseIds]}::text[])
      union all
      select chain.start, next.id, next.merged_into, next.state, next.resolved_at, next.case_group_id,
        next.key_hash
      from chain join abuse_case as next
        on next.tenant_id = ${scope.tenantId} and next.id = chain.merged_into
    )
    select start, id, state, resolved_at as "resolvedAt", case_group_id as "caseGroupId",
      encode(key_hash, 'hex') as "keyHash"
    from chain where merged_into is null`.execute(tx)
  return new Map(result.rows.map(({ start, ...root }) => [start, root]))
}

/** Gives slots that the caller has locked to cases, or takes them away (null). */
export async function giveSlots(
  tx: Tx,
  scope: TenantScope,
  slots: readonly (SlotKey & { readonly caseId: string | null })[],
): Promise<void> {
  const rows = JSON.stringify(slots)
  const given = sql`json_to_recordset(${rows}::json) as given ("caseGroupId" text, "keyHash" text, "caseId" text)`
  const isSame = sql`case_slot.tenant_id = ${scope.tenantId} and case_slot.case_group_id = given."caseGroupId"
    and case_slot.key_hash = decode(given."keyHash", 'hex')`
  await sql`
    update case_slot set case_id = given."caseId" from ${given}
    where ${isSame} and given."caseId" is not null and case_slot.case_id <> given."caseId"`.execute(
    tx,
  )
  await sql`delete from case_slot using ${given} where ${isSame} and given."caseId" is null`.execute(
    tx,
  )
}

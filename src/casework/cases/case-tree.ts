// SQL of merge trees (migration 0014): a case with all cases that were merged into it, over any
// number of steps, and their correlation keys.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import { writeTexts, writeWords } from '../../kernel/db/write-arrays.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { CorrelationKey } from './case.ts'
import type { CaseState } from './case-state.ts'

export interface TreeCase extends CorrelationKey {
  /** The case at the root of the tree. */
  readonly root: string
  readonly id: string
  /** Null for the root. */
  readonly parent: string | null
  /** Whether the root is open. */
  readonly isOpen: boolean
  /** Whether the root takes no more events. */
  readonly isSealed: boolean
}

/**
 * The trees below these cases, without locks. A case without merges costs one probe of a small
 * index.
 */
export async function readMergeTrees(
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

/** The ids of a case of the tree and of all cases below it. */
export function listSubtree(tree: readonly TreeCase[], caseId: string): ReadonlySet<string> {
  const found = new Set([caseId])
  // Ends: each round goes down one step, and a tree has no more steps than cases.
  for (let round = 0; round < tree.length; round += 1) {
    const below = tree.filter(
      ({ id, parent }) => parent !== null && found.has(parent) && !found.has(id),
    )
    if (below.length === 0) break
    for (const { id } of below) found.add(id)
  }
  return found
}

interface RootCase extends CorrelationKey {
  readonly id: string
  readonly state: CaseState
  readonly resolvedAt: Date | null
}

/** By the id of each merged case: the case at the end of its chain of merges. */
export async function findMergeRoots(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, RootCase>> {
  if (caseIds.length === 0) return new Map()
  const result = await sql<RootCase & { start: string }>`
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

export interface EndedCaseRow extends CorrelationKey {
  readonly caseId: string
  /** Open when the last case of the key was merged into it and it is still open. */
  readonly state: CaseState
  readonly resolvedAt: Date | null
  /** When the last case of the key ended; the one it was merged into may have ended before. */
  readonly endedAt: Date
  /** The key of the case itself; another one when the last case of this key was merged into it. */
  readonly ownKey: CorrelationKey
}

/**
 * The case of each key that ended last, or the case it was merged into. Keys without an ended case
 * are left out.
 */
export async function findLastEndedCases(
  tx: Tx,
  scope: TenantScope,
  keys: readonly CorrelationKey[],
): Promise<readonly EndedCaseRow[]> {
  if (keys.length === 0) return []
  const result = await sql<Omit<EndedCaseRow, 'ownKey'> & { isMerged: boolean }>`
    select given.case_group_id as "caseGroupId", given.key_hash as "keyHash", ended.id as "caseId", ended.state,
      ended.resolved_at as "resolvedAt", ended.ended_at as "endedAt", ended.merged_into is not null as "isMerged"
    from unnest(
      ${writeTexts(keys.map((key) => key.caseGroupId))}::text[], ${writeWords(keys.map((key) => key.keyHash))}::text[]
    ) as given (case_group_id, key_hash)
    cross join lateral (
      select id, state, resolved_at, ended_at, merged_into from abuse_case
      where tenant_id = ${scope.tenantId} and case_group_id = given.case_group_id
        and key_hash = decode(given.key_hash, 'hex') and ended_at is not null
      order by ended_at desc limit 1
    ) as ended`.execute(tx)
  const merged = result.rows.filter((row) => row.isMerged)
  const roots = await findMergeRoots(
    tx,
    scope,
    merged.map((row) => row.caseId),
  )
  return result.rows.map((row) => {
    const root = roots.get(row.caseId)
    if (root === undefined) return { ...row, ownKey: row }
    const { id: caseId, state, resolvedAt } = root
    return { ...row, caseId, state, resolvedAt, ownKey: root }
  })
}

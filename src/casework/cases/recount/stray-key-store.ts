// SQL of stray keys: entries of the table case_slot whose case does not exist, has ended, or has
// neither this key nor a merged case with this key.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { type CorrelationKey } from '../case.ts'
import { lockCorrelation } from '../open-case-store.ts'

export interface StrayKey extends CorrelationKey {
  readonly caseId: string
  readonly why: 'gone' | 'ended' | 'not_its_key'
}

// Read by primary key: some milliseconds a page.
const KEYS_AT_ONCE = 1_000

/** The stray keys of the next page after `after`, and the last key of the page; null at the end. */
export async function listStrayKeys(
  db: Db,
  scope: TenantScope,
  after: CorrelationKey | null,
): Promise<{ readonly stray: readonly StrayKey[]; readonly last: CorrelationKey | null }> {
  const found = await sql<CorrelationKey & { caseId: string; why: StrayKey['why'] | 'right' }>`
    select entry.case_group_id as "caseGroupId", encode(entry.key_hash, 'hex') as "keyHash", entry.case_id as "caseId",
      ${classifyKey(scope)} as why
    from (
      select * from case_slot where tenant_id = ${scope.tenantId}
        and (case_group_id, key_hash) > (${after?.caseGroupId ?? ''}, decode(${after?.keyHash ?? ''}, 'hex'))
      order by case_group_id, key_hash limit ${KEYS_AT_ONCE}
    ) as entry left join abuse_case as named on named.tenant_id = ${scope.tenantId} and named.id = entry.case_id
    order by entry.case_group_id, entry.key_hash`.execute(db)
  const stray = found.rows.flatMap(({ why, ...entry }) =>
    why === 'right' ? [] : [{ ...entry, why }],
  )
  return { stray, last: found.rows.at(-1) ?? null }
}

function classifyKey({ tenantId }: TenantScope) {
  return sql`case when named.id is null then 'gone' when named.ended_at is not null then 'ended'
    when named.case_group_id = entry.case_group_id and named.key_hash = entry.key_hash then 'right'
    when exists (
      with recursive tree as (
        select named.id, named.case_group_id, named.key_hash
        union all
        select child.id, child.case_group_id, child.key_hash
        from tree join abuse_case as child on child.tenant_id = ${tenantId} and child.merged_into = tree.id
      ) select from tree where tree.case_group_id = entry.case_group_id and tree.key_hash = entry.key_hash
    ) then 'right' else 'not_its_key' end`
}

/** True when the key was still stray, and is free now. */
export async function removeStrayKey(
  tx: Tx,
  scope: TenantScope,
  { caseGroupId, keyHash, caseId }: StrayKey,
): Promise<boolean> {
  const isThis = sql`entry.tenant_id = ${scope.tenantId} and entry.case_group_id = ${caseGroupId}
    and entry.key_hash = decode(${keyHash}, 'hex') and entry.case_id = ${caseId}`
  await lockCorrelation(tx, scope)
  const classified = await sql<{ why: string }>`
    select ${classifyKey(scope)} as why from case_slot as entry
    left join abuse_case as named on named.tenant_id = ${scope.tenantId} and named.id = entry.case_id
    where ${isThis}`.execute(tx)
  const why = classified.rows[0]?.why
  if (why === undefined || why === 'right') return false
  await sql`delete from case_slot as entry where ${isThis}`.execute(tx)
  return true
}

/** Frees these keys as far as they belong to these cases. Takes locks in the order of the keys. */
export async function releaseKeysOf(
  tx: Tx,
  scope: TenantScope,
  keys: readonly CorrelationKey[],
  caseIds: readonly string[],
): Promise<void> {
  const isThis = sql`entry.tenant_id = ${scope.tenantId} and entry.case_group_id = given.case_group_id
    and entry.key_hash = decode(given.key_hash, 'hex') and entry.case_id = any(${[...caseIds]}::text[])`
  const given = sql`unnest(
      ${keys.map((key) => key.caseGroupId)}::text[], ${keys.map((key) => key.keyHash)}::text[]
    ) as given (case_group_id, key_hash)`
  await sql`
    select from ${given} join case_slot as entry on ${isThis}
    order by entry.case_group_id, entry.key_hash for update of entry`.execute(tx)
  await sql`delete from case_slot as entry using ${given} where ${isThis}`.execute(tx)
}

// Open cases by correlation key (table case_slot): one key has at most one open case.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { readWords, writeTexts, writeWords } from '../../kernel/db/write-arrays.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

export interface SlotKey {
  readonly caseGroupId: string
  /** Of `buildCorrelationKey`: 64 hexadecimal digits. */
  readonly keyHash: string
}

export interface SlotClaim extends SlotKey {
  /** The case that holds the slot if it was free. */
  readonly offeredCaseId: string
}

/**
 * The case that holds each slot now, in the order of the claims; every slot stays locked until the
 * transaction ends.
 */
export async function claimSlots(
  tx: Tx,
  scope: TenantScope,
  claims: readonly SlotClaim[],
): Promise<readonly string[]> {
  if (claims.length === 0) return []
  const result = await sql<{ caseGroupId: string; keyHash: string; caseId: string }>`
    insert into case_slot (tenant_id, case_group_id, key_hash, case_id)
    select ${scope.tenantId}, given.case_group_id, decode(given.key_hash, 'hex'), given.case_id
    from unnest(
      ${writeTexts(claims.map((claim) => claim.caseGroupId))}::text[],
      ${writeWords(claims.map((claim) => claim.keyHash))}::text[],
      ${writeWords(claims.map((claim) => claim.offeredCaseId))}::text[]
    ) as given (case_group_id, key_hash, case_id)
    order by given.case_group_id collate "C", given.key_hash collate "C"
    on conflict (tenant_id, case_group_id, key_hash) do update set key_hash = excluded.key_hash
    returning case_group_id as "caseGroupId", encode(key_hash, 'hex') as "keyHash", case_id as "caseId"`.execute(
    tx,
  )
  const holders = new Map(result.rows.map((row) => [joinSlotKey(row), row.caseId]))
  return claims.map((claim) => holders.get(joinSlotKey(claim)) ?? claim.offeredCaseId)
}

/** The case that has the slot, unlocked; null when it is free. */
export async function findSlotHolder(
  db: Db,
  scope: TenantScope,
  { caseGroupId, keyHash }: SlotKey,
): Promise<string | null> {
  const result = await sql<{ caseId: string }>`
    select case_id as "caseId" from case_slot
    where tenant_id = ${scope.tenantId} and case_group_id = ${caseGroupId} and key_hash = decode(${keyHash}, 'hex')`.execute(
    db,
  )
  return result.rows[0]?.caseId ?? null
}

/** The case that has a slot, at a moment without a lock. */
export interface SlotHolder {
  readonly caseId: string
  /**
   * It has taken in no other case, so a right slot is that of its own key: it has it for as long as
   * it is open and takes events.
   */
  readonly isOwner: boolean
}

/** The case that has each slot, unlocked; keys whose slot is free are left out. */
export async function findSlotHolders<Key extends SlotKey>(
  tx: Tx,
  scope: TenantScope,
  keys: readonly Key[],
): Promise<ReadonlyMap<Key, SlotHolder>> {
  const holders = new Map<Key, SlotHolder>()
  if (keys.length === 0) return holders
  // As two arrays: of a thousand rows the driver makes objects for longer than it takes to split a
  // text.
  const result = await sql<{ caseIds: string; heirs: string | null }>`
    select array_agg(case_id order by place)::text as "caseIds", (array_agg(case_id) filter (where has_taken_in))::text as heirs
    from (
      select place, case_group_id, decode(key_hash, 'hex') as key_hash from unnest(
        ${writeTexts(keys.map((key) => key.caseGroupId))}::text[], ${writeWords(keys.map((key) => key.keyHash))}::text[]
      ) with ordinality as rows (case_group_id, key_hash, place)
    ) as given
    left join lateral (
      select case_id, exists (
        select from abuse_case as source where source.tenant_id = ${scope.tenantId} and source.merged_into = case_slot.case_id
      ) as has_taken_in
      from case_slot
      where tenant_id = ${scope.tenantId} and case_group_id = given.case_group_id and key_hash = given.key_hash
      offset 0
    ) as held on true`.execute(tx)
  const caseIds = readWords(result.rows[0]?.caseIds ?? null)
  const heirs = new Set(readWords(result.rows[0]?.heirs ?? null))
  for (const [place, key] of keys.entries()) {
    const caseId = caseIds[place] ?? null
    if (caseId !== null) holders.set(key, { caseId, isOwner: !heirs.has(caseId) })
  }
  return holders
}

/** One text for a slot's key, for maps. */
export function joinSlotKey(key: SlotKey): string {
  return `${key.caseGroupId}/${key.keyHash}`
}

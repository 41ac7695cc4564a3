// Open cases by correlation key (table case_slot), and the correlation lock under which they
// change. The primary key of the table is the promise that a key has at most one open case.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { PLANNED_ALONE } from '../../kernel/db/planner.ts'
import { readWords, writeTexts, writeWords } from '../../kernel/db/write-arrays.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { type CorrelationKey, DEFAULT_GROUP_ID } from './case.ts'

/**
 * Takes the correlation lock of the tenant until the transaction ends. Every transaction that
 * opens, reopens, seals, ends, merges or splits cases takes it before it reads their state. The
 * order of locks is: runs, the correlation lock, cases by id, case groups.
 */
export async function lockCorrelation(tx: Tx, { tenantId }: TenantScope): Promise<void> {
  const lock = sql`select from correlation_lock where tenant_id = ${tenantId} for update`
  if ((await lock.execute(tx)).rows.length > 0) return
  // The first time of a tenant that was created after the migration.
  await sql`insert into correlation_lock (tenant_id) values (${tenantId}) on conflict do nothing`.execute(
    tx,
  )
  await lock.execute(tx)
}

/**
 * As lockCorrelation, but does not wait: false when another transaction has the lock. For one that
 * has locked cases already, which would wait in the opposite order.
 */
export async function tryLockCorrelation(tx: Tx, { tenantId }: TenantScope): Promise<boolean> {
  const locked = await sql`
    select from correlation_lock where tenant_id = ${tenantId} for update skip locked`.execute(tx)
  return locked.rows.length > 0
}

/** The open case of the key; null when it has none. Certain only under the correlation lock. */
export async function findOpenCase(
  db: Db,
  scope: TenantScope,
  { caseGroupId, keyHash }: CorrelationKey,
): Promise<string | null> {
  const result = await sql<{ caseId: string }>`
    select case_id as "caseId" from case_slot
    where tenant_id = ${scope.tenantId} and case_group_id = ${caseGroupId} and key_hash = decode(${keyHash}, 'hex')`.execute(
    db,
  )
  return result.rows[0]?.caseId ?? null
}

/** The case that has each key, whatever its state; keys that have none are left out. */
export async function findKeyHolders<Key extends CorrelationKey>(
  tx: Tx,
  scope: TenantScope,
  keys: readonly Key[],
): Promise<ReadonlyMap<Key, string>> {
  if (keys.length === 0) return new Map()
  // As one array: the driver takes longer to make objects of a thousand rows than to split a text.
  const result = await sql<{ caseIds: string }>`
    select array_agg(case_id order by index)::text as "caseIds" from ${givenKeys(keys)}
    left join lateral (
      select case_id from case_slot
      where tenant_id = ${scope.tenantId} and case_group_id = given.case_group_id and key_hash = given.key_hash
      ${PLANNED_ALONE}
    ) as found on true`.execute(tx)
  const found = readWords(result.rows[0]?.caseIds ?? null)
  const holders = new Map<Key, string>()
  for (const [index, key] of keys.entries()) {
    const caseId = found[index] ?? null
    if (caseId !== null) holders.set(key, caseId)
  }
  return holders
}

export interface OpenCases<Key> {
  /** Keys without an open case are left out. */
  readonly caseIds: ReadonlyMap<Key, string>
  /** Keys whose case is gone or has ended: they count as free. */
  readonly stale: ReadonlySet<Key>
}

/** The open case of each key. Under the correlation lock. */
export async function findOpenCases<Key extends CorrelationKey>(
  tx: Tx,
  scope: TenantScope,
  keys: readonly Key[],
): Promise<OpenCases<Key>> {
  const caseIds = new Map<Key, string>()
  const stale = new Set<Key>()
  if (keys.length === 0) return { caseIds, stale }
  const result = await sql<{ caseIds: string; ended: string | null }>`
    select array_agg(case_id order by index)::text as "caseIds", (array_agg(index - 1) filter (where not is_open))::text as ended
    from ${givenKeys(keys)}
    left join lateral (
      select case_id, coalesce((
        select ended_at is null from abuse_case where abuse_case.tenant_id = ${scope.tenantId} and id = case_slot.case_id
      ), false) as is_open
      from case_slot
      where tenant_id = ${scope.tenantId} and case_group_id = given.case_group_id and key_hash = given.key_hash
      ${PLANNED_ALONE}
    ) as found on true`.execute(tx)
  const found = readWords(result.rows[0]?.caseIds ?? null)
  const ended = new Set(readWords(result.rows[0]?.ended ?? null).map(Number))
  for (const [index, key] of keys.entries()) {
    const caseId = found[index] ?? null
    if (caseId === null) continue
    if (ended.has(index)) stale.add(key)
    else caseIds.set(key, caseId)
  }
  return { caseIds, stale }
}

function givenKeys(keys: readonly CorrelationKey[]): RawBuilder<unknown> {
  return sql`(
      select index, case_group_id, decode(key_hash, 'hex') as key_hash from unnest(
        ${writeTexts(keys.map((key) => key.caseGroupId))}::text[], ${writeWords(keys.map((key) => key.keyHash))}::text[]
      ) with ordinality as rows (case_group_id, key_hash, index)
    ) as given`
}

/** Gives keys to their open cases, or takes them away (null). Under the correlation lock. */
export async function setOpenCases(
  tx: Tx,
  scope: TenantScope,
  entries: readonly (CorrelationKey & { readonly caseId: string | null })[],
): Promise<void> {
  const open = entries.filter(({ caseId }) => caseId !== null)
  if (open.length > 0) {
    await sql`
      insert into case_slot (tenant_id, case_group_id, key_hash, case_id)
      select ${scope.tenantId}, given.case_group_id, decode(given.key_hash, 'hex'), given.case_id
      from unnest(
        ${writeTexts(open.map((one) => one.caseGroupId))}::text[], ${writeWords(open.map((one) => one.keyHash))}::text[],
        ${writeTexts(open.map((one) => one.caseId))}::text[]
      ) as given (case_group_id, key_hash, case_id)
      order by given.case_group_id collate "C", given.key_hash collate "C"
      on conflict (tenant_id, case_group_id, key_hash) do update set case_id = excluded.case_id`.execute(
      tx,
    )
  }
  const free = entries.filter(({ caseId }) => caseId === null)
  if (free.length === 0) return
  await sql`
    delete from case_slot using unnest(
      ${writeTexts(free.map((one) => one.caseGroupId))}::text[], ${writeWords(free.map((one) => one.keyHash))}::text[]
    ) as given (case_group_id, key_hash)
    where case_slot.tenant_id = ${scope.tenantId} and case_slot.case_group_id = given.case_group_id
      and case_slot.key_hash = decode(given.key_hash, 'hex')`.execute(tx)
}

/**
 * Gives an open case its own key and the keys of the cases that were merged into it, as far as they
 * have no other open case. Under the correlation lock.
 */
export async function takeFreeKeys(tx: Tx, scope: TenantScope, caseId: string): Promise<void> {
  // Citus does not find a recursive query that stands in front of the insert.
  await sql`
    insert into case_slot (tenant_id, case_group_id, key_hash, case_id)
    select distinct ${scope.tenantId}, case_group_id, key_hash, ${caseId} from (
      with recursive tree as (
        select id, case_group_id, key_hash from abuse_case
        where tenant_id = ${scope.tenantId} and id = ${caseId} and ended_at is null
        union all
        select child.id, child.case_group_id, child.key_hash
        from tree join abuse_case as child
          on child.tenant_id = ${scope.tenantId} and child.merged_into = tree.id
      ) select case_group_id, key_hash from tree
    ) as found
    on conflict do nothing`.execute(tx)
}

/** Frees the keys of those of these cases that have ended. Under the correlation lock. */
export async function releaseKeysOfEnded(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  if (caseIds.length === 0) return
  await sql`
    with recursive tree as (
      select id as root, id, case_group_id, key_hash from abuse_case
      where tenant_id = ${scope.tenantId} and id = any(${[...caseIds]}::text[]) and ended_at is not null
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
 * The groups among these that exist. None of them can be deleted until the transaction ends, so
 * that a case can be opened or reopened in them. The default group is never deleted and needs no
 * lock.
 */
export async function lockExistingCaseGroups(
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

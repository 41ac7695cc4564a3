// SQL of the keys of requests (header Idempotency-Key) and of the answers kept under them. A key is
// reserved in the transaction of its act, so it is used exactly when the act is committed
// (migrations 0013 and 0037).

import { sql } from 'kysely'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Tx } from './database.ts'
import { type DueRows, workByTenantInOne } from './due-tenants.ts'
import { writeTexts } from './write-arrays.ts'

export interface AnswerKey {
  /** The API token that sent it. */
  readonly tokenId: string
  /** The operation of the API, by its id: one key may be used once for each. */
  readonly operation: string
  readonly key: string
  readonly requestHash: string
}

export type TakenKey =
  | { readonly kind: 'taken' }
  | { readonly kind: 'answered'; readonly answer: unknown }
  /** The key was used for a different request. */
  | { readonly kind: 'other' }

const KEPT_HOURS = 24
const IS_EXPIRED = sql`created_at <= now() - ${sql.lit(KEPT_HOURS)} * interval '1 hour'`
// Each request removes more old keys than it adds, so expired keys do not pile up.
const REMOVED_MAX = 10

/**
 * Reserves the key, or returns its answer. While another request has it reserved, waits until that
 * one has its answer or has failed.
 */
export async function takeAnswerKey(
  tx: Tx,
  scope: TenantScope,
  answerKey: AnswerKey,
): Promise<TakenKey> {
  const [taken] = await takeAnswerKeys(tx, scope, [answerKey])
  if (taken === undefined) throw new Error('a key that was asked for is not answered')
  return taken
}

/**
 * The same for many keys, in their order. The second of two equal keys of the list is `answered`,
 * or `other`, as if the first had come long before.
 */
export async function takeAnswerKeys(
  tx: Tx,
  scope: TenantScope,
  keys: readonly AnswerKey[],
): Promise<readonly TakenKey[]> {
  const first = new Map<string, AnswerKey>()
  for (const key of keys) {
    if (!first.has(nameKey(key))) first.set(nameKey(key), key)
  }
  // In one order, so that two lists never wait for each other.
  const wanted = [...first].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const sorted = wanted.map(([, key]) => key)
  await removeExpired(tx, scope, Math.max(REMOVED_MAX, 2 * sorted.length))
  const taken = await insertKeys(tx, scope, sorted)
  const kept = await findKept(
    tx,
    scope,
    sorted.filter((key) => !taken.has(nameKey(key))),
  )
  const unused = new Set(taken)
  return keys.map((key): TakenKey => {
    const name = nameKey(key)
    if (unused.delete(name)) return { kind: 'taken' }
    const holder = taken.has(name) ? first.get(name) : kept.get(name)
    if (holder?.requestHash !== key.requestHash) return { kind: 'other' }
    return { kind: 'answered', answer: kept.get(name)?.answer ?? null }
  })
}

// Neither a token id nor the name of an operation has a space.
function nameKey({ tokenId, operation, key }: Omit<AnswerKey, 'requestHash'>): string {
  return `${tokenId} ${operation} ${key}`
}

async function removeExpired(tx: Tx, scope: TenantScope, limit: number): Promise<void> {
  await sql`
    delete from kept_answer using (
      select tenant_id, token_id, operation, key from kept_answer
      where tenant_id = ${scope.tenantId} and ${IS_EXPIRED}
      order by created_at limit ${limit} for update skip locked
    ) as old
    where kept_answer.tenant_id = old.tenant_id and kept_answer.token_id = old.token_id
      and kept_answer.operation = old.operation and kept_answer.key = old.key`.execute(tx)
}

/** The names of those that nobody had used. */
async function insertKeys(
  tx: Tx,
  scope: TenantScope,
  keys: readonly AnswerKey[],
): Promise<ReadonlySet<string>> {
  const result = await sql<Omit<AnswerKey, 'requestHash'>>`
    insert into kept_answer (tenant_id, token_id, operation, key, request_hash)
    select ${scope.tenantId}, given.* from ${unnestKeys(keys)}
    on conflict (tenant_id, token_id, operation, key) do update
      set request_hash = excluded.request_hash, answer = null, created_at = excluded.created_at
      where (kept_answer.created_at at time zone 'UTC') <= (excluded.created_at at time zone 'UTC') - ${sql.lit(KEPT_HOURS)} * interval '1 hour'
    returning token_id as "tokenId", operation, key`.execute(tx)
  return new Set(result.rows.map(nameKey))
}

async function findKept(
  tx: Tx,
  scope: TenantScope,
  keys: readonly AnswerKey[],
): Promise<ReadonlyMap<string, { readonly requestHash: string; readonly answer: unknown }>> {
  if (keys.length === 0) return new Map()
  const result = await sql<AnswerKey & { answer: unknown }>`
    select kept_answer.token_id as "tokenId", kept_answer.operation, kept_answer.key,
      kept_answer.request_hash as "requestHash", kept_answer.answer
    from ${unnestKeys(keys)} join kept_answer on kept_answer.tenant_id = ${scope.tenantId}
      and kept_answer.token_id = given.token_id and kept_answer.operation = given.operation and kept_answer.key = given.key`.execute(
    tx,
  )
  return new Map(result.rows.map((row) => [nameKey(row), row]))
}

function unnestKeys(keys: readonly AnswerKey[]): ReturnType<typeof sql> {
  return sql`unnest(
    ${writeTexts(keys.map(({ tokenId }) => tokenId))}::text[], ${writeTexts(keys.map(({ operation }) => operation))}::text[],
    ${writeTexts(keys.map(({ key }) => key))}::text[], ${writeTexts(keys.map(({ requestHash }) => requestHash))}::text[]
  ) as given (token_id, operation, key, request_hash)`
}

export interface KeptAnswer extends Omit<AnswerKey, 'requestHash'>, TenantScope {
  readonly answer: unknown
}

/**
 * Changes up to `limit` answers of each tenant that are sealed with one of the keys. `change` gives
 * the answer that is kept instead; `isMore` when there may be more of them.
 */
export async function changeSealedAnswers(
  tx: Tx,
  keyIds: readonly string[],
  limit: number,
  change: (kept: KeptAnswer) => unknown,
): Promise<{ readonly isMore: boolean }> {
  const isDue = sql`answer ->> 'key_id' = any(${[...keyIds]}::text[])`
  const rows: DueRows = { table: 'kept_answer', isDue, since: sql`created_at` }
  return await workByTenantInOne(tx, rows, limit, async (tenantId, most) => {
    const found = await sql<KeptAnswer>`
      select tenant_id as "tenantId", token_id as "tokenId", operation, key, answer from kept_answer
      where tenant_id = ${tenantId} and ${isDue} order by created_at limit ${most} for update`.execute(
      tx,
    )
    for (const kept of found.rows) {
      // Few answers hold a secret, and none for longer than a day.
      await keepAnswer(tx, { tenantId }, kept, change(kept))
    }
    return found.rows.length
  })
}

export async function keepAnswer(
  tx: Tx,
  scope: TenantScope,
  { tokenId, operation, key }: Omit<AnswerKey, 'requestHash'>,
  answer: unknown,
): Promise<void> {
  await sql`
    update kept_answer set answer = ${JSON.stringify(answer)}::jsonb
    where tenant_id = ${scope.tenantId} and token_id = ${tokenId} and operation = ${operation} and key = ${key}`.execute(
    tx,
  )
}

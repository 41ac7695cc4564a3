// SQL of the answers kept under an Idempotency-Key. The key is reserved before the change and its
// answer is stored after it, in one transaction (migration 0013).

import { sql } from 'kysely'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Tx } from './database.ts'

export interface AnswerKey {
  /** The API token that sent it. */
  readonly tokenId: string
  readonly key: string
  readonly requestHash: string
}

export type TakenKey =
  | { readonly kind: 'taken' }
  | { readonly kind: 'answered'; readonly answer: unknown }
  /** The key was used for a different request. */
  | { readonly kind: 'other' }

const KEPT_HOURS = 24
// Each request removes more old keys than it adds, so expired keys do not pile up.
const REMOVED_MAX = 10

/**
 * Reserves the key, or returns its answer. While another request has it reserved, waits until that
 * one has its answer or has failed.
 */
export async function takeAnswerKey(
  tx: Tx,
  scope: TenantScope,
  { tokenId, key, requestHash }: AnswerKey,
): Promise<TakenKey> {
  await sql`
    delete from kept_answer using (
      select tenant_id, token_id, key from kept_answer
      where tenant_id = ${scope.tenantId} and created_at <= now() - ${KEPT_HOURS} * interval '1 hour'
      order by created_at limit ${REMOVED_MAX} for update skip locked
    ) as old
    where kept_answer.tenant_id = old.tenant_id and kept_answer.token_id = old.token_id
      and kept_answer.key = old.key`.execute(tx)
  const taken = await sql`
    insert into kept_answer (tenant_id, token_id, key, request_hash)
    values (${scope.tenantId}, ${tokenId}, ${key}, ${requestHash})
    on conflict (tenant_id, token_id, key) do update
      set request_hash = excluded.request_hash, answer = null, created_at = excluded.created_at
      where kept_answer.created_at <= now() - ${KEPT_HOURS} * interval '1 hour'`.execute(tx)
  if ((taken.numAffectedRows ?? 0n) > 0n) return { kind: 'taken' }
  const kept = await sql<{ requestHash: string; answer: unknown }>`
    select request_hash as "requestHash", answer from kept_answer
    where tenant_id = ${scope.tenantId} and token_id = ${tokenId} and key = ${key}`.execute(tx)
  const [row] = kept.rows
  return row?.requestHash === requestHash
    ? { kind: 'answered', answer: row.answer }
    : { kind: 'other' }
}

export async function keepAnswer(
  tx: Tx,
  scope: TenantScope,
  { tokenId, key }: AnswerKey,
  answer: unknown,
): Promise<void> {
  await sql`
    update kept_answer set answer = ${JSON.stringify(answer)}::jsonb
    where tenant_id = ${scope.tenantId} and token_id = ${tokenId} and key = ${key}`.execute(tx)
}

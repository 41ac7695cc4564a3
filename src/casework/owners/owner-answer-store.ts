// SQL of the answers of resolvers. They are stored for all nodes until they expire (migration
// 0015).

import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import {
  type DueRows,
  hasDueRows,
  type TenantPass,
  workByTenant,
} from '../../kernel/db/due-tenants.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { ResolverAnswer } from './owner-question.ts'

/** A target, and the time at which its owner is asked for. */
export interface AnswerKey {
  readonly target: string
  /** ISO 8601. */
  readonly at: string
}

export interface KnownAnswer {
  /** Null: the resolver says that the target has no owner. */
  readonly customerId: string | null
  readonly contractId: string | null
}

/**
 * The answers in the order of `keys`; null where there is none. An answer counts `graceSeconds`
 * longer than its expiry, so that an answer found before a transaction still counts inside it.
 */
export async function findAnswers(
  db: Db,
  scope: TenantScope,
  keys: readonly AnswerKey[],
  graceSeconds: number,
): Promise<readonly (KnownAnswer | null)[]> {
  if (keys.length === 0) return []
  const found = await sql<KnownAnswer & { readonly ordinal: number }>`
    select given.ordinal, answer.customer_id as "customerId", answer.contract_id as "contractId"
    from unnest(
      ${keys.map((_, index) => index)}::integer[], ${keys.map((one) => one.target)}::text[],
      ${keys.map((one) => one.at)}::timestamptz[]
    ) as given (ordinal, target, at)
    cross join lateral (
      select customer_id, contract_id from owner_answer
      where tenant_id = ${scope.tenantId} and target = given.target collate "C"
        and valid_from <= given.at and given.at < valid_until
        and expires_at > now() - ${graceSeconds} * interval '1 second'
        and generation = (select generation from owner_resolver where tenant_id = ${scope.tenantId})
      order by asked_at desc limit 1
    ) as answer`.execute(db)
  const answers = new Map(found.rows.map(({ ordinal, ...answer }) => [ordinal, answer]))
  return keys.map((_, index) => answers.get(index) ?? null)
}

/** How long an answer counts: owners change, and a target without an owner may get one soon. */
export interface AnswerLife {
  /** Of the settings that it was asked under. Under other settings it would not count. */
  readonly generation: string
  readonly ownedSeconds: number
  readonly nobodySeconds: number
}

/**
 * Stores the answers, and a record of each customer and contract that had none. Returns the answers
 * that are wrong: they name a contract of another customer. Those are not stored, and no answer is
 * after a change of the settings: it would take the place of a newer one.
 */
export async function storeAnswers(
  db: Db,
  scope: TenantScope,
  answers: readonly ResolverAnswer[],
  life: AnswerLife,
): Promise<readonly ResolverAnswer[]> {
  if (answers.length === 0) return []
  return await inTransaction(db, async (tx) => {
    const wrong = await insertMissingOwners(tx, scope, answers)
    await insertAnswers(
      tx,
      scope,
      answers.filter((answer) => !wrong.has(answer)),
      life,
    )
    return [...wrong]
  })
}

async function insertMissingOwners(
  tx: Tx,
  scope: TenantScope,
  answers: readonly ResolverAnswer[],
): Promise<ReadonlySet<ResolverAnswer>> {
  const contracts = new Map(
    answers.flatMap(({ contractId, customerId }) =>
      contractId === null || customerId === null ? [] : [[contractId, customerId] as const],
    ),
  )
  const customerIds = answers.flatMap(({ customerId }) => (customerId === null ? [] : [customerId]))
  // In the order of ids, as in every statement that writes several, or two transactions deadlock.
  await sql`
    insert into customer (tenant_id, id)
    select distinct ${scope.tenantId}, id from unnest(${customerIds}::text[]) as given (id) order by id
    on conflict do nothing`.execute(tx)
  await sql`
    insert into contract (tenant_id, id, customer_id)
    select ${scope.tenantId}, id, customer_id
    from unnest(${[...contracts.keys()]}::text[], ${[...contracts.values()]}::text[]) as given (id, customer_id)
    order by id on conflict do nothing`.execute(tx)
  const stored = await sql<{ id: string; customerId: string }>`
    select id, customer_id as "customerId" from contract
    where tenant_id = ${scope.tenantId} and id = any(${[...contracts.keys()]}::text[])`.execute(tx)
  const owners = new Map(stored.rows.map((row) => [row.id, row.customerId]))
  return new Set(
    answers.filter(
      ({ contractId, customerId }) => contractId !== null && owners.get(contractId) !== customerId,
    ),
  )
}

function nameKey({ target, validFrom }: ResolverAnswer): string {
  return JSON.stringify([target, validFrom])
}

async function insertAnswers(
  tx: Tx,
  scope: TenantScope,
  answers: readonly ResolverAnswer[],
  life: AnswerLife,
): Promise<void> {
  // Two answers may have the same interval; a statement can change a row only once.
  const byKey = new Map(answers.map((one) => [nameKey(one), one] as const))
  // In the order of the whole key, or two transactions that store the same intervals deadlock.
  const rows = [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  await sql`
    insert into owner_answer (tenant_id, target, valid_from, valid_until, customer_id, contract_id, generation, expires_at)
    select ${scope.tenantId}, target, coalesce(valid_from, '-infinity'), coalesce(valid_until, 'infinity'), customer_id,
      contract_id, ${life.generation}::uuid,
      now() + interval '1 second' * case when customer_id is null then ${life.nobodySeconds}::integer else ${life.ownedSeconds}::integer end
    from unnest(
      ${rows.map((one) => one.target)}::text[], ${rows.map((one) => one.validFrom)}::timestamptz[],
      ${rows.map((one) => one.validUntil)}::timestamptz[], ${rows.map((one) => one.customerId)}::text[],
      ${rows.map((one) => one.contractId)}::text[]
    ) as given (target, valid_from, valid_until, customer_id, contract_id)
    where exists (
      select from owner_resolver where tenant_id = ${scope.tenantId} and generation = ${life.generation}::uuid
    )
    on conflict (tenant_id, target, valid_from) do update set valid_until = excluded.valid_until,
      customer_id = excluded.customer_id, contract_id = excluded.contract_id, generation = excluded.generation,
      asked_at = excluded.asked_at, expires_at = excluded.expires_at`.execute(tx)
}

const EXPIRED: DueRows = {
  table: 'owner_answer',
  isDue: sql`expires_at < now() - interval '1 hour'`,
  since: sql`expires_at`,
}

/** Whether there are answers that have not counted for an hour. */
export const HAS_EXPIRED_ANSWERS = hasDueRows(EXPIRED)

/** Takes away at most `limit` of them of each tenant. */
export async function removeExpiredAnswers(pass: TenantPass, limit: number): Promise<void> {
  const { db } = pass
  await workByTenant(pass, EXPIRED, limit, async (tenantId, share) => {
    const removed = await sql`
      delete from owner_answer using (
        select target, valid_from from owner_answer where tenant_id = ${tenantId} and ${EXPIRED.isDue}
        order by expires_at limit ${share} for update skip locked
      ) as old
      where owner_answer.tenant_id = ${tenantId} and owner_answer.target = old.target
        and owner_answer.valid_from = old.valid_from`.execute(db)
    return Number(removed.numAffectedRows ?? 0n)
  })
}

// SQL of attempts: every call of another system, written before it begins and after it has ended.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import {
  collectByTenant,
  type DueRows,
  forEachTenant,
  type TenantPass,
  workByTenant,
} from '../../../kernel/db/due-tenants.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { ClaimedToken, TokenKey } from './run-token-store.ts'

/** `interrupted`: the process ended before it could write the outcome. */
type AttemptOutcome = 'done' | 'refused' | 'over' | 'retry' | 'interrupted'

export interface BegunAttempt extends TokenKey {
  readonly visit: number
  /** Counts the attempts of this visit, from 1, those of an earlier failure included. */
  readonly attempt: number
}

/**
 * Writes that the calls of these tokens begin, in the transaction of their claim. An earlier
 * attempt of the same visit that has no outcome was interrupted.
 */
export async function beginAttempts(
  tx: Tx,
  tokens: readonly ClaimedToken[],
): Promise<readonly BegunAttempt[]> {
  return await collectByTenant(tokens, (tenantId, own) => beginAttemptsOf(tx, { tenantId }, own))
}

async function beginAttemptsOf(
  tx: Tx,
  { tenantId }: TenantScope,
  tokens: readonly ClaimedToken[],
): Promise<readonly BegunAttempt[]> {
  await sql`
    update run_attempt set ended_at = now(), outcome = 'interrupted'
    from ${unnestVisits(tokens)}
    where run_attempt.tenant_id = ${tenantId} and run_attempt.run_id = given.run_id and run_attempt.token_id = given.id
      and run_attempt.visit = given.visit and run_attempt.ended_at is null`.execute(tx)
  const begun = await sql<BegunAttempt>`
    insert into run_attempt (tenant_id, run_id, token_id, visit, attempt, case_id, node)
    select run_token.tenant_id, given.run_id, given.id, given.visit, earlier.count + 1, run_token.case_id, run_token.node
    from ${unnestVisits(tokens)}
    join run_token on run_token.tenant_id = ${tenantId} and run_token.run_id = given.run_id and run_token.id = given.id
    cross join lateral (
      select coalesce(max(attempt), 0) as count from run_attempt
      where run_attempt.tenant_id = ${tenantId} and run_attempt.run_id = given.run_id and run_attempt.token_id = given.id
        and run_attempt.visit = given.visit
    ) as earlier
    -- Only so does Citus name the new rows right when it reads tables of the tenant.
    on conflict do nothing
    returning tenant_id as "tenantId", run_id as "runId", token_id as "tokenId", visit, attempt`.execute(
    tx,
  )
  return begun.rows
}

export interface EndedAttempt extends BegunAttempt {
  readonly outcome: AttemptOutcome
  readonly detail: object | null
}

/** An attempt that another worker has marked as interrupted stays as it is. */
export async function endAttempts(tx: Tx, attempts: readonly EndedAttempt[]): Promise<void> {
  await forEachTenant(attempts, async (tenantId, own) => {
    await endAttemptsOf(tx, { tenantId }, own)
  })
}

async function endAttemptsOf(
  tx: Tx,
  { tenantId }: TenantScope,
  attempts: readonly EndedAttempt[],
): Promise<void> {
  await sql`
    update run_attempt set ended_at = now(), outcome = given.outcome, detail = given.detail
    from unnest(
      ${attempts.map((one) => one.runId)}::uuid[],
      ${attempts.map((one) => one.tokenId)}::smallint[], ${attempts.map((one) => one.visit)}::integer[],
      ${attempts.map((one) => one.attempt)}::integer[], ${attempts.map((one) => one.outcome)}::text[],
      ${attempts.map((one) => (one.detail === null ? null : JSON.stringify(one.detail)))}::jsonb[]
    ) as given (run_id, id, visit, attempt, outcome, detail)
    where run_attempt.tenant_id = ${tenantId} and run_attempt.run_id = given.run_id and run_attempt.token_id = given.id
      and run_attempt.visit = given.visit and run_attempt.attempt = given.attempt and run_attempt.ended_at is null`.execute(
    tx,
  )
}

// A call ends within two minutes, and its outcome is written soon after. Ten leave room for a
// database that was away.
const LOST_MINUTES = 10
const LOST_AT_ONCE = 1_000

/**
 * Marks up to 1,000 attempts of each tenant as interrupted, whose process has ended and whose token
 * makes no other: its run was cancelled, or its case merged. Those of a token that is live are
 * marked by its next attempt.
 */
export async function endLostAttempts(pass: TenantPass): Promise<{ readonly isMore: boolean }> {
  const { db } = pass
  return await workByTenant(pass, LOST, LOST_AT_ONCE, async (tenantId, limit) => {
    const ended = await sql`
      update run_attempt set ended_at = now(), outcome = 'interrupted'
      from (
        select run_id, token_id, visit, attempt from run_attempt
        where tenant_id = ${tenantId} and ${LOST.isDue}
        order by started_at limit ${limit} for update skip locked
      ) as lost
      where run_attempt.tenant_id = ${tenantId} and run_attempt.run_id = lost.run_id
        and run_attempt.token_id = lost.token_id and run_attempt.visit = lost.visit and run_attempt.attempt = lost.attempt`.execute(
      db,
    )
    return Number(ended.numAffectedRows ?? 0)
  })
}

const LOST: DueRows = {
  table: 'run_attempt',
  isDue: sql`ended_at is null and started_at < now() - ${sql.lit(LOST_MINUTES)} * interval '1 minute' and not exists (
    select from run_token where run_token.tenant_id = run_attempt.tenant_id and run_token.run_id = run_attempt.run_id
      and run_token.id = run_attempt.token_id and run_token.visit = run_attempt.visit and run_token.state in ('ready', 'paused')
  )`,
  since: sql`started_at`,
}

export interface AttemptRecord {
  readonly token: number
  readonly visit: number
  readonly node: string
  readonly attempt: number
  readonly startedAt: Date
  readonly endedAt: Date | null
  /** Null while the call is under way. */
  readonly outcome: AttemptOutcome | null
  readonly detail: Record<string, unknown> | null
}

const ATTEMPTS_LISTED_MAX = 1_000

/** The newest 1,000 attempts of a run, the oldest of them first. */
export async function listAttempts(
  db: Db,
  scope: TenantScope,
  runId: string,
): Promise<readonly AttemptRecord[]> {
  const result = await sql<AttemptRecord>`
    select token_id as token, visit, node, attempt, started_at as "startedAt", ended_at as "endedAt", outcome, detail
    from run_attempt where tenant_id = ${scope.tenantId} and run_id = ${runId}::uuid
    order by token_id desc, visit desc, attempt desc limit ${ATTEMPTS_LISTED_MAX}`.execute(db)
  return result.rows.toReversed()
}

function unnestVisits(tokens: readonly ClaimedToken[]) {
  return sql`unnest(
    ${tokens.map((token) => token.runId)}::uuid[], ${tokens.map((token) => token.tokenId)}::smallint[],
    ${tokens.map((token) => token.visit)}::integer[]
  ) as given (run_id, id, visit)`
}

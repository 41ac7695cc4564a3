// SQL of attempts to execute or undo mitigations: who may begin one, and what became of it.

import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import {
  claimFullByTenant,
  type DueRows,
  hasDueRows,
  listDueTenants,
  type TenantPass,
} from '../../kernel/db/due-tenants.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { MitigationAction, MitigationKind, TargetType } from './mitigation.ts'

export interface ClaimedMitigation extends TenantScope {
  readonly id: string
  readonly caseId: string
  readonly customerId: string
  readonly kind: MitigationKind
  readonly targetType: TargetType
  readonly target: string
  readonly port: number
  readonly adapter: string
  readonly parameters: object
  readonly effectKey: string
  readonly reference: string | null
  readonly expiresAt: Date | null
  readonly durationSeconds: number | null
  readonly createdAt: Date
  readonly isAccepted: boolean
  readonly action: MitigationAction
  /** Since it was asked for, or its removal was. */
  readonly waitedMs: number
  /** Attempts of both actions, including the one that now begins. */
  readonly tries: number
  /** Attempts of this action since it was asked for, including the one that now begins. */
  readonly attempts: number
  readonly url: string
  readonly secretName: string
}

// Longer than one attempt takes.
const LEASE_SECONDS = 60

// One request at a time for one target. Of an undo and an execution that both wait, the undo goes
// first, unless the execution was tried already: it may have reached the adapter, so it is ended
// before.
const IN_ORDER = sql`not exists (
  select from mitigation as other
  where ${isSameTarget()} and other.lease_owner is not null
) and not exists (
  select from mitigation as other
  where ${isSameTarget()} and other.state in ('pending', 'removing') and (
    (one.state = 'pending' and one.attempts = 0 and other.state = 'removing' and other.wake_at is not null)
    or (one.state = 'removing' and other.state = 'pending' and other.attempts > 0))
)`

function isSameTarget() {
  return sql`other.tenant_id = one.tenant_id and other.adapter = one.adapter and other.kind = one.kind and other.target = one.target
    and other.port = one.port and other.id <> one.id`
}

const DUE: DueRows = {
  table: 'mitigation',
  isDue: sql`state in ('pending', 'removing') and wake_at <= now() and exists (
    select from mitigation_adapter as adapter
    where adapter.tenant_id = mitigation.tenant_id and adapter.name = mitigation.adapter and adapter.is_enabled
  )`,
  since: sql`wake_at`,
}

/** Whether some are due (kernel/db/due-poll.ts). */
export const HAS_DUE_MITIGATIONS = hasDueRows(DUE)

export interface MitigationClaim {
  /** Of the leases. */
  readonly owner: string
  readonly limit: number
  readonly perAdapter: number
}

/**
 * Claims due mitigations of tenants in turn, the first of each adapter before the second of
 * another, at most `perAdapter` of each, so that one that is slow or has a long queue holds up no
 * other. Of each target there is one at a time. An attempt whose process died counts. `begin` is
 * called for each in the transaction of its tenant's claim; its results are returned.
 */
export async function claimMitigations<Begun>(
  { db, log }: TenantPass,
  { owner, limit, perAdapter }: MitigationClaim,
  begin: (tx: Tx, claimed: ClaimedMitigation) => Promise<Begun>,
): Promise<readonly Begun[]> {
  const tenants = await listDueTenants(db, DUE)
  return await claimFullByTenant({ tenants, limit, log }, (tenantId, share) =>
    inTransaction(db, async (tx) => {
      const begun: Begun[] = []
      for (const one of await claimMitigationsOf(tx, owner, { tenantId, share, perAdapter })) {
        // They share the transaction.
        // oxlint-disable-next-line eslint/no-await-in-loop
        begun.push(await begin(tx, one))
      }
      return begun
    }),
  )
}

interface ShareOfTenant extends TenantScope {
  readonly share: number
  readonly perAdapter: number
}

async function claimMitigationsOf(
  tx: Tx,
  owner: string,
  { tenantId, share, perAdapter }: ShareOfTenant,
): Promise<readonly ClaimedMitigation[]> {
  const claimed = await sql<ClaimedMitigation>`
    with due as (
      select one.* from mitigation_adapter cross join lateral (
        select * from mitigation as one
        where one.tenant_id = ${tenantId} and one.adapter = mitigation_adapter.name
          and one.state in ('pending', 'removing') and one.wake_at <= now() and (one.lease_until is null or one.lease_until <= now())
          and ${IN_ORDER}
        order by one.wake_at limit ${perAdapter}
      ) as one where mitigation_adapter.tenant_id = ${tenantId} and mitigation_adapter.is_enabled
    ), busy as (
      select adapter, count(*) as count from mitigation
      where tenant_id = ${tenantId} and lease_owner is not null and lease_until > now() group by adapter
    ), first as (
      select one.*, row_number() over (
        partition by one.adapter, one.kind, one.target, one.port
        order by one.lease_owner is null, one.state = 'pending', one.id
      ) as turn
      from due as one
    ), ranked as (
      select first.id, first.wake_at, coalesce(busy.count, 0) + row_number() over (
        partition by first.adapter order by first.wake_at, first.id
      ) as rank
      from first left join busy using (adapter) where turn = 1
    ), chosen as (
      select mitigation.id, now() as at from mitigation join ranked using (id)
      where mitigation.tenant_id = ${tenantId} and rank <= ${perAdapter} and mitigation.state in ('pending', 'removing')
        and mitigation.wake_at <= now() and (mitigation.lease_until is null or mitigation.lease_until <= now())
      order by ranked.rank, ranked.wake_at limit ${share} for update of mitigation skip locked
    )
    update mitigation as one set lease_owner = ${owner}, lease_until = now() + ${LEASE_SECONDS} * interval '1 second',
      tries = one.tries + 1, attempts = least(one.attempts + 1, 30000)
    from chosen join mitigation as given on given.tenant_id = ${tenantId} and given.id = chosen.id
      join mitigation_adapter on mitigation_adapter.tenant_id = ${tenantId} and mitigation_adapter.name = given.adapter
    where one.tenant_id = ${tenantId} and one.id = chosen.id
    returning one.tenant_id as "tenantId", one.id, one.case_id as "caseId", one.customer_id as "customerId", one.kind,
      one.target_type as "targetType", one.target, one.port, one.adapter, one.parameters, one.effect_key as "effectKey", one.reference,
      one.expires_at as "expiresAt", one.duration_seconds as "durationSeconds", one.created_at as "createdAt",
      one.is_accepted as "isAccepted", case when one.state = 'pending' then 'execute' else 'undo' end as action,
      (extract(epoch from chosen.at - one.phase_at) * 1000)::float8 as "waitedMs", one.tries, one.attempts, mitigation_adapter.url,
      mitigation_adapter.secret_name as "secretName"`.execute(tx)
  return claimed.rows
}

/** Begins an attempt; an earlier one whose process died is marked. */
export async function beginAttempt(tx: Tx, claimed: ClaimedMitigation): Promise<void> {
  await markInterrupted(tx, claimed)
  const { tenantId, id, caseId, tries, action } = claimed
  await sql`
    insert into mitigation_attempt (tenant_id, mitigation_id, case_id, attempt, action)
    values (${tenantId}, ${id}, ${caseId}, ${tries}, ${action})`.execute(tx)
}

async function markInterrupted(
  tx: Tx,
  { tenantId, id }: Pick<ClaimedMitigation, 'tenantId' | 'id'>,
): Promise<void> {
  await sql`
    update mitigation_attempt set outcome = 'interrupted', failure = 'The process ended during the attempt.'
    where tenant_id = ${tenantId} and mitigation_id = ${id} and outcome is null`.execute(tx)
}

export type AttemptResult = 'done' | 'accepted' | 'refused' | 'postponed'

export interface AttemptOutcome {
  readonly outcome: AttemptResult
  readonly durationMs: number
  readonly status: number | null
  /** One public sentence; null for a success. */
  readonly failure: string | null
}

/**
 * Ends an attempt and its lease. Null when the lease was lost meanwhile: another process has begun
 * the next attempt then, and its outcome counts. Else the state in which the mitigation is now,
 * which a request may have changed.
 */
export async function endAttempt(
  tx: Tx,
  owner: string,
  { tenantId, id, tries }: ClaimedMitigation,
  { outcome, durationMs, status, failure }: AttemptOutcome,
): Promise<string | null> {
  const ended = await sql<{ state: string }>`
    update mitigation set lease_owner = null, lease_until = null
    where tenant_id = ${tenantId} and id = ${id} and lease_owner = ${owner} and tries = ${tries} returning state`.execute(
    tx,
  )
  const [row] = ended.rows
  if (row === undefined) return null
  await sql`
    update mitigation_attempt set outcome = ${outcome}, duration_ms = ${durationMs}, status = ${status}, failure = ${failure}
    where tenant_id = ${tenantId} and mitigation_id = ${id} and attempt = ${tries}`.execute(tx)
  return row.state
}

/**
 * Ends the lease of an attempt that need not begin, and takes it out of the counts. An earlier
 * attempt whose process died is marked.
 */
export async function releaseLease(
  tx: Tx,
  claimed: Pick<ClaimedMitigation, 'tenantId' | 'id'>,
): Promise<void> {
  await markInterrupted(tx, claimed)
  const { tenantId, id } = claimed
  await sql`
    update mitigation set lease_owner = null, lease_until = null, tries = tries - 1, attempts = attempts - 1
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** Lets the next attempt wait. */
export async function postponeMitigation(
  tx: Tx,
  { tenantId, id }: Pick<ClaimedMitigation, 'tenantId' | 'id'>,
  pauseMs: number,
  accepted: { readonly isAccepted: boolean; readonly reference: string | null },
): Promise<void> {
  await sql`
    update mitigation set wake_at = now() + ${pauseMs} * interval '1 millisecond', is_accepted = ${accepted.isAccepted},
      reference = coalesce(${accepted.reference}, reference)
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

export interface AttemptRecord {
  readonly attempt: number
  readonly action: MitigationAction
  readonly startedAt: Date
  readonly durationMs: number | null
  readonly outcome: AttemptResult | 'interrupted' | null
  readonly status: number | null
  readonly failure: string | null
}

// Two weeks of polls, and all retries, are fewer.
const SHOWN_MAX = 1_000

export async function listAttempts(
  db: Db,
  { tenantId }: TenantScope,
  id: string,
): Promise<readonly AttemptRecord[]> {
  const found = await sql<AttemptRecord>`
    select attempt, action, started_at as "startedAt", duration_ms as "durationMs", outcome, status, failure from mitigation_attempt
    where tenant_id = ${tenantId} and mitigation_id = ${id}::uuid order by attempt desc limit ${SHOWN_MAX}`.execute(
    db,
  )
  return found.rows.toReversed()
}

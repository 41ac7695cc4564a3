// SQL of mitigations. Times are those of the database, so the clocks of nodes may differ.

import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import {
  claimFullByTenant,
  type DueRows,
  hasDueRows,
  listDueTenants,
  type TenantPass,
} from '../../kernel/db/due-tenants.ts'
import { moveTime } from '../../kernel/db/move-time.ts'
import { buildPage, type PageRequest } from '../../kernel/db/page-request.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { chooseMonthsOfCase } from '../cases/case-months.ts'
import type {
  MitigationKind,
  MitigationState,
  MitigationTarget,
  RemovalCause,
  TargetType,
} from './mitigation.ts'

export interface NewMitigation {
  readonly id: string
  readonly caseId: string
  readonly customerId: string
  readonly runId: string | null
  readonly kind: MitigationKind
  readonly target: MitigationTarget
  readonly adapter: string
  readonly parameters: object
  readonly note: string
  readonly effectKey: string
  readonly durationSeconds: number | null
  readonly expiresAt: Date | null
  /** False: a person acts, and no worker asks anybody. */
  readonly isAsked: boolean
  readonly createdBy: string
}

const NOW = sql`now()`

/** False when there is a mitigation of this effect key already. */
export async function insertMitigation(
  tx: Tx,
  { tenantId }: TenantScope,
  one: NewMitigation,
): Promise<boolean> {
  const { type, value, port } = one.target
  const stored = await sql`
    insert into mitigation (tenant_id, id, case_id, customer_id, run_id, kind, target_type, target, port, adapter, parameters, note,
      effect_key, state, duration_seconds, expires_at, wake_at, created_by)
    values (${tenantId}, ${one.id}, ${one.caseId}, ${one.customerId}, ${one.runId}, ${one.kind}, ${type}, ${value}, ${port}, ${one.adapter},
      ${JSON.stringify(one.parameters)}::jsonb, ${one.note}, ${one.effectKey}, 'pending', ${one.durationSeconds}, ${one.expiresAt},
      ${one.isAsked ? NOW : null}, ${one.createdBy})
    on conflict (tenant_id, effect_key) do nothing`.execute(tx)
  return (stored.numAffectedRows ?? 0n) > 0n
}

export interface MitigationRecord {
  readonly tenantId: string
  readonly id: string
  readonly caseId: string
  readonly customerId: string
  readonly runId: string | null
  readonly kind: MitigationKind
  readonly targetType: TargetType
  readonly target: string
  readonly port: number
  readonly adapter: string
  readonly parameters: object
  readonly note: string
  readonly effectKey: string
  readonly state: MitigationState
  readonly reason: string | null
  readonly detail: string | null
  readonly reference: string | null
  readonly removalCause: RemovalCause | null
  readonly effectiveFrom: Date | null
  readonly expiresAt: Date | null
  readonly durationSeconds: number | null
  readonly removedAt: Date | null
  /** Since when it is pending or removing. */
  readonly phaseAt: Date
  readonly tries: number
  /** When its next attempt is due; null when none is. */
  readonly nextAt: Date | null
  readonly createdAt: Date
  readonly createdBy: string
  readonly changedAt: Date
}

const RECORD = sql`tenant_id as "tenantId", id, case_id as "caseId", customer_id as "customerId", run_id as "runId", kind,
  target_type as "targetType", target, port, adapter, parameters, note, effect_key as "effectKey", state, reason, detail, reference,
  removal_cause as "removalCause", effective_from as "effectiveFrom", expires_at as "expiresAt",
  duration_seconds as "durationSeconds", removed_at as "removedAt", phase_at as "phaseAt", tries,
  case when state in ('pending', 'removing') then wake_at end as "nextAt", created_at as "createdAt", created_by as "createdBy",
  changed_at as "changedAt"`

export async function findMitigation(
  db: Db,
  { tenantId }: TenantScope,
  id: string,
): Promise<MitigationRecord | null> {
  const found = await sql<MitigationRecord>`
    select ${RECORD} from mitigation where tenant_id = ${tenantId} and id = ${id}::uuid`.execute(db)
  return found.rows[0] ?? null
}

/** As `findMitigation`, locked until the transaction ends. */
export async function lockMitigation(
  tx: Tx,
  { tenantId }: TenantScope,
  id: string,
): Promise<MitigationRecord | null> {
  const found = await sql<MitigationRecord>`
    select ${RECORD} from mitigation where tenant_id = ${tenantId} and id = ${id}::uuid for update`.execute(
    tx,
  )
  return found.rows[0] ?? null
}

export async function findMitigationOfEffect(
  db: Db,
  { tenantId }: TenantScope,
  effectKey: string,
): Promise<MitigationRecord | null> {
  const found = await sql<MitigationRecord>`
    select ${RECORD} from mitigation where tenant_id = ${tenantId} and effect_key = ${effectKey}`.execute(
    db,
  )
  return found.rows[0] ?? null
}

/** Of a run or a case. */
export interface MitigationGroup {
  readonly caseId: string
  /** Null: whoever asked for them. */
  readonly runId: string | null
  /** Null: of every kind. */
  readonly kind: MitigationKind | null
  /** Those that were asked for at this time or before. */
  readonly until: Date
}

const GROUP_MAX = 500

/**
 * Locks those that are in force or may be, up to 500 in the order of their ids. A failed one may be
 * in force unless it was refused.
 */
export async function lockGroup(
  tx: Tx,
  { tenantId }: TenantScope,
  { caseId, runId, kind, until }: MitigationGroup,
): Promise<readonly MitigationRecord[]> {
  const found = await sql<MitigationRecord>`
    select ${RECORD} from mitigation
    where tenant_id = ${tenantId} and case_id = ${caseId} and (${runId}::uuid is null or run_id = ${runId}::uuid)
      and (${kind}::text is null or kind = ${kind}) and (state in ('pending', 'active', 'removing') or (state = 'failed' and reason <> 'refused'))
      and created_at <= ${until}::timestamptz + interval '1 millisecond'
    order by id limit ${GROUP_MAX} for update`.execute(tx)
  return found.rows
}

const EXPIRED: DueRows = {
  table: 'mitigation',
  isDue: sql`state in ('pending', 'active') and expires_at <= now()`,
  since: sql`expires_at`,
}

/** Whether some have expired (kernel/db/due-poll.ts). */
export const HAS_EXPIRED_MITIGATIONS = hasDueRows(EXPIRED)

/**
 * Up to `limit` that have expired, of tenants in turn, each tenant's in a transaction: its
 * mitigations are locked, and `end` ends them in it. Rows in use are left out. Returns how many.
 */
export async function endExpired(
  { db, log }: TenantPass,
  limit: number,
  end: (tx: Tx, locked: readonly MitigationRecord[]) => Promise<void>,
): Promise<number> {
  const tenants = await listDueTenants(db, EXPIRED)
  const ended = await claimFullByTenant({ tenants, limit, log }, (tenantId, share) =>
    inTransaction(db, async (tx) => {
      const locked = await lockExpired(tx, { tenantId }, share)
      await end(tx, locked)
      return locked
    }),
  )
  return ended.length
}

async function lockExpired(
  tx: Tx,
  { tenantId }: TenantScope,
  limit: number,
): Promise<readonly MitigationRecord[]> {
  const found = await sql<MitigationRecord>`
    select ${RECORD} from mitigation
    where tenant_id = ${tenantId} and ${EXPIRED.isDue}
    order by expires_at limit ${limit} for update skip locked`.execute(tx)
  return found.rows
}

export interface MitigationFilter {
  readonly caseId?: string | undefined
  readonly state?: MitigationState | undefined
  readonly kind?: MitigationKind | undefined
  readonly target?: string | undefined
  readonly adapter?: string | undefined
  readonly isStuck?: boolean | undefined
}

const IS_STUCK = sql`state = 'removing' and reason is not null`

/** Up to `limit` and one more; the order of ids is that of time. */
export async function listMitigations(
  db: Db,
  { tenantId }: TenantScope,
  { caseId, state, kind, target, adapter, isStuck }: MitigationFilter,
  page: PageRequest,
): Promise<readonly MitigationRecord[]> {
  const keyset = buildPage([{ name: 'id', type: 'uuid' }], page)
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(target === undefined ? [] : [sql`target = ${target}`]),
    ...(adapter === undefined ? [] : [sql`adapter = ${adapter}`]),
    ...(isStuck === undefined ? [] : [isStuck ? IS_STUCK : sql`not (${IS_STUCK})`]),
    ...keyset.conditions,
  ]
  const found = await sql<MitigationRecord>`
    select ${RECORD} from mitigation where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`.execute(
    db,
  )
  return found.rows
}

/** Whether the case has this target: of one of its events, or its customer or contract. */
export async function isTargetOfCase(
  db: Db,
  scope: TenantScope,
  caseId: string,
  { type, value }: MitigationTarget,
): Promise<boolean> {
  const { tenantId } = scope
  const months = await chooseMonthsOfCase(db, scope, caseId)
  const inEvent = (condition: ReturnType<typeof sql>) => sql`
    select from event where tenant_id = ${tenantId} and case_id = ${caseId} and ${condition} and ${months} limit 1`
  const inCase = (condition: ReturnType<typeof sql>) => sql`
    select from abuse_case where tenant_id = ${tenantId} and id = ${caseId} and ${condition}`
  const queries = {
    ip: inEvent(sql`ip = ${value}`),
    domain: inEvent(sql`domain = ${value}`),
    url: inEvent(sql`details ->> 'url' = ${value}`),
    customer: inCase(sql`customer_id = ${value}`),
    contract: inCase(sql`contract_id = ${value}`),
    other: sql`select where false`,
  }
  return (await queries[type].execute(db)).rows.length > 0
}

/** Whether another mitigation that is in force holds the same target by the same adapter. */
export async function hasOtherHolder(
  tx: Tx,
  { tenantId, id, adapter, kind, target, port }: MitigationRecord,
): Promise<boolean> {
  // Locked: of two that are undone at the same time, one sees that the other has ended.
  const found = await sql<{ id: string; state: MitigationState }>`
    select id, state from mitigation
    where tenant_id = ${tenantId} and adapter = ${adapter} and kind = ${kind} and target = ${target} and port = ${port}
      and state in ('pending', 'active', 'removing')
    order by id for update`.execute(tx)
  return found.rows.some((other) => other.id !== id && other.state === 'active')
}

export interface RemovalStart {
  readonly cause: RemovalCause
  /** False: a person acts. */
  readonly isAsked: boolean
  readonly at: Date | undefined
}

/** To be undone from now on, or once more where an earlier removal is stuck. */
export async function markRemoving(
  tx: Tx,
  { tenantId, id }: MitigationRecord,
  { cause, isAsked, at }: RemovalStart,
): Promise<void> {
  await sql`
    update mitigation set state = 'removing', reason = null, detail = null, removal_cause = ${cause}, is_accepted = false,
      phase_at = ${at ?? NOW}, attempts = 0, wake_at = ${isAsked ? NOW : null}, changed_at = now()
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** Its next attempt is due now. */
export async function makeDue(tx: Tx, { tenantId, id }: MitigationRecord): Promise<void> {
  await sql`
    update mitigation set wake_at = now() where tenant_id = ${tenantId} and id = ${id} and wake_at is not null`.execute(
    tx,
  )
}

/** Asked for again, with the same key. */
export async function markPending(
  tx: Tx,
  { tenantId, id }: MitigationRecord,
  isAsked: boolean,
): Promise<void> {
  await sql`
    update mitigation set state = 'pending', reason = null, detail = null, is_accepted = false, phase_at = now(), attempts = 0,
      wake_at = ${isAsked ? NOW : null}, changed_at = now()
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** In force from now on. */
export async function markInForce(
  tx: Tx,
  { tenantId, id }: Pick<MitigationRecord, 'tenantId' | 'id'>,
  { detail, reference }: { readonly detail: string | null; readonly reference: string | null },
): Promise<void> {
  await sql`
    update mitigation set state = 'active', reason = null, detail = ${detail}, reference = coalesce(${reference}, reference),
      effective_from = now(), wake_at = null, changed_at = now(),
      expires_at = coalesce(expires_at, ${moveTime(sql`clock.at`, sql`duration_seconds * interval '1 second'`)})
    from (select now() as at) as clock
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** Not in force from now on. `cause` is that of a removal that never was `removing`. */
export async function markRemoved(
  tx: Tx,
  { tenantId, id }: Pick<MitigationRecord, 'tenantId' | 'id'>,
  end: {
    readonly reason: string | null
    readonly cause?: RemovalCause | null
    readonly detail?: string | null
  },
): Promise<void> {
  await sql`
    update mitigation set state = 'removed', reason = ${end.reason}, detail = ${end.detail ?? null}, wake_at = null, removed_at = now(), changed_at = now(),
      removal_cause = coalesce(${end.cause ?? null}, removal_cause)
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** The mitigation failed; one that is being removed is stuck and needs a person. */
export async function markTrouble(
  tx: Tx,
  { tenantId, id }: Pick<MitigationRecord, 'tenantId' | 'id'>,
  { reason, detail }: { readonly reason: string; readonly detail: string | null },
): Promise<void> {
  await sql`
    update mitigation set state = case when state = 'removing' then 'removing' else 'failed' end, reason = ${reason}, detail = ${detail},
      wake_at = null, changed_at = now()
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

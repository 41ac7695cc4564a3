// SQL of deliveries: messages that wait to be sent, and what became of each attempt. Times are
// those of the database, so the clocks of nodes may differ.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import {
  claimFullByTenant,
  type DueRows,
  hasDueRows,
  listDueTenants,
  type TenantPass,
  workByTenant,
} from '../../kernel/db/due-tenants.ts'
import { NOT_COPIED } from '../../kernel/db/not-copied.ts'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

export interface NewDelivery extends TenantScope {
  readonly id: string
  readonly webhookId: string
  readonly type: string
  readonly body: string
}

export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await sql`
    insert into webhook_delivery (tenant_id, id, webhook_id, type, body, state)
    select tenant_id, id, webhook_id, type, body, 'waiting'
    from unnest(
      ${deliveries.map(({ tenantId }) => tenantId)}::text[], ${deliveries.map(({ id }) => id)}::uuid[],
      ${deliveries.map(({ webhookId }) => webhookId)}::uuid[], ${deliveries.map(({ type }) => type)}::text[],
      ${deliveries.map(({ body }) => body)}::text[]
    ) as given (tenant_id, id, webhook_id, type, body)
    ${NOT_COPIED}`.execute(tx)
}

export interface ClaimedDelivery extends NewDelivery {
  readonly url: string
  /** False for a webhook that was switched off while the message waited. */
  readonly isEnabled: boolean
  /** Including the one that now begins. */
  readonly attempts: number
}

// Longer than one attempt takes.
const LEASE_SECONDS = 60
// Webhooks of a tenant with waiting deliveries that one claim looks at, in the order of their ids.
// Each costs some 10 µs. The API lets a tenant have 50; this ends the recursion in any case.
const WEBHOOKS_OF_CLAIM_MAX = 10_000

const DUE: DueRows = {
  table: 'webhook_delivery',
  isDue: sql`state = 'waiting' and wake_at <= now()`,
  since: sql`wake_at`,
}

/** Whether a claim may find some (kernel/db/due-poll.ts). */
export const HAS_DUE_DELIVERIES = hasDueRows(DUE)

/**
 * Claims due deliveries of tenants in turn, the first of each webhook before the second of another,
 * at most `perWebhook` of each, so that a receiver that is slow, is away, or has a long backlog
 * holds up no other. An attempt whose process died counts.
 */
export async function claimDeliveries(
  { db, log }: TenantPass,
  owner: string,
  limit: number,
  perWebhook: number,
): Promise<readonly ClaimedDelivery[]> {
  const tenants = await listDueTenants(db, DUE)
  return await claimFullByTenant({ tenants, limit, log }, (tenantId, share) =>
    claimDeliveriesOf(db, owner, { tenantId, share, perWebhook }),
  )
}

interface ShareOfTenant extends TenantScope {
  readonly share: number
  readonly perWebhook: number
}

/**
 * `head` finds the first waiting delivery of each webhook, one step in the index each; `busy`
 * counts what is being sent; `free` are the webhooks with something due and room; `ranked` numbers
 * what each could begin; `chosen` takes the first of each, then the second of each, and so on.
 */
async function claimDeliveriesOf(
  db: Db,
  owner: string,
  { tenantId, share, perWebhook }: ShareOfTenant,
): Promise<readonly ClaimedDelivery[]> {
  const claimed = await sql<ClaimedDelivery>`
    with recursive head as (
      (
        select webhook_id, wake_at, 1 as nth from webhook_delivery where tenant_id = ${tenantId} and state = 'waiting'
        order by webhook_id, wake_at limit 1
      )
      union all
      select next.webhook_id, next.wake_at, head.nth + 1 from head cross join lateral (
        select webhook_id, wake_at from webhook_delivery as one
        where tenant_id = ${tenantId} and state = 'waiting' and one.webhook_id > head.webhook_id
        order by webhook_id, wake_at limit 1
      ) as next
      where head.nth < ${sql.lit(WEBHOOKS_OF_CLAIM_MAX)}
    ), busy as (
      select webhook_id, count(*) as count from webhook_delivery
      where tenant_id = ${tenantId} and lease_owner is not null and lease_until > now() group by webhook_id
    ), free as (
      select webhook_id, coalesce(busy.count, 0) as running from head left join busy using (webhook_id)
      where head.wake_at <= now() and coalesce(busy.count, 0) < ${perWebhook}
      order by head.wake_at limit ${share}
    ), ranked as (
      select due.*, free.running + row_number() over (partition by due.webhook_id order by due.wake_at, due.id) as rank
      from free cross join lateral (
        select id, webhook_id, wake_at from webhook_delivery as one
        where one.tenant_id = ${tenantId} and one.webhook_id = free.webhook_id and one.state = 'waiting'
          and one.wake_at <= now() and (one.lease_until is null or one.lease_until <= now())
        order by one.wake_at limit ${perWebhook}
      ) as due
    ), chosen as (
      select webhook_delivery.id from webhook_delivery join ranked using (id)
      where webhook_delivery.tenant_id = ${tenantId} and rank <= ${perWebhook} and webhook_delivery.state = 'waiting'
        and (webhook_delivery.lease_until is null or webhook_delivery.lease_until <= now())
      order by ranked.rank, ranked.wake_at limit ${share} for update of webhook_delivery skip locked
    )
    update webhook_delivery set lease_owner = ${owner}, lease_until = now() + ${LEASE_SECONDS} * interval '1 second',
      attempts = webhook_delivery.attempts + 1
    from chosen join webhook_delivery as given on given.tenant_id = ${tenantId} and given.id = chosen.id
      join webhook on webhook.tenant_id = ${tenantId} and webhook.id = given.webhook_id
    where webhook_delivery.tenant_id = ${tenantId} and webhook_delivery.id = chosen.id
    returning webhook_delivery.tenant_id as "tenantId", webhook_delivery.id, webhook_delivery.webhook_id as "webhookId",
      webhook_delivery.type, webhook_delivery.body, webhook_delivery.attempts, webhook.url, webhook.is_enabled as "isEnabled"`.execute(
    db,
  )
  return claimed.rows
}

export interface AttemptOutcome {
  readonly durationMs: number
  readonly status: number | null
  /** Null for a success. */
  readonly failure: string | null
  /** Until the next attempt; null when there is none. */
  readonly pauseMs: number | null
}

/**
 * Writes the outcome of an attempt. False when the lease was lost meanwhile: another process has
 * begun the next attempt then, and its outcome counts.
 */
export async function recordAttempt(
  tx: Tx,
  owner: string,
  { tenantId, id, attempts }: ClaimedDelivery,
  { durationMs, status, failure, pauseMs }: AttemptOutcome,
): Promise<boolean> {
  const state = chooseState(failure, pauseMs)
  const changed = await sql`
    update webhook_delivery set state = ${state}, lease_owner = null, lease_until = null,
      wake_at = now() + ${pauseMs ?? 0} * interval '1 millisecond',
      ended_at = ${state === 'waiting' ? null : sql`now()`}
    where tenant_id = ${tenantId} and id = ${id} and lease_owner = ${owner} and attempts = ${attempts}`.execute(
    tx,
  )
  if ((changed.numAffectedRows ?? 0n) === 0n) return false
  await sql`
    insert into webhook_attempt (tenant_id, delivery_id, attempt, started_at, duration_ms, status, failure)
    values (${tenantId}, ${id}, ${attempts}, now() - ${durationMs} * interval '1 millisecond', ${durationMs}, ${status}, ${failure})
    on conflict (tenant_id, delivery_id, attempt) do update
      set duration_ms = excluded.duration_ms, status = excluded.status, failure = excluded.failure`.execute(
    tx,
  )
  return true
}

/** What a delivery is after an attempt, with the pause until the next one. */
export function chooseState(
  failure: string | null,
  pauseMs: number | null,
): 'waiting' | 'delivered' | 'dead' {
  if (failure === null) return 'delivered'
  return pauseMs === null ? 'dead' : 'waiting'
}

export interface DeliveryRecord {
  readonly id: string
  readonly type: string
  readonly state: 'waiting' | 'delivered' | 'dead'
  readonly attempts: number
  readonly createdAt: Date
  /** When the next attempt is due; null when there is none. */
  readonly nextAt: Date | null
  readonly endedAt: Date | null
  readonly lastStatus: number | null
  readonly lastFailure: string | null
}

const RECORD = sql`one.id, one.type, one.state, one.attempts, one.created_at as "createdAt",
  case when one.state = 'waiting' then one.wake_at end as "nextAt", one.ended_at as "endedAt",
  last.status as "lastStatus", last.failure as "lastFailure"`
const LAST = sql`left join lateral (
  select status, failure from webhook_attempt
  where webhook_attempt.tenant_id = one.tenant_id and webhook_attempt.delivery_id = one.id
  order by attempt desc limit 1
) as last on true`

/** Of one webhook, up to `limit` and one more; the order of ids is that of the changes. */
export async function listDeliveries(
  db: Db,
  { tenantId }: TenantScope,
  webhookId: string,
  state: string | null,
  page: PageRequest,
): Promise<readonly DeliveryRecord[]> {
  const after = page.position?.[0] ?? null
  const [sign, order] = page.order === 'asc' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const found = await sql<DeliveryRecord>`
    select ${RECORD} from webhook_delivery as one ${LAST}
    where one.tenant_id = ${tenantId} and one.webhook_id = ${webhookId}
      and (${state}::text is null or one.state = ${state}) and (${after}::uuid is null or one.id ${sign} ${after})
    order by one.id ${order} limit ${page.limit + 1}`.execute(db)
  return found.rows
}

export interface DeliveryDetail extends DeliveryRecord {
  readonly body: string
}

export async function findDelivery(
  db: Db,
  { tenantId }: TenantScope,
  webhookId: string,
  id: string,
): Promise<DeliveryDetail | null> {
  const found = await sql<DeliveryDetail>`
    select ${RECORD}, one.body from webhook_delivery as one ${LAST}
    where one.tenant_id = ${tenantId} and one.webhook_id = ${webhookId} and one.id::text = ${id.toLowerCase()}`.execute(
    db,
  )
  return found.rows[0] ?? null
}

export interface AttemptRecord {
  readonly attempt: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly status: number | null
  readonly failure: string | null
}

export async function listAttempts(
  db: Db,
  { tenantId }: TenantScope,
  deliveryId: string,
): Promise<readonly AttemptRecord[]> {
  const found = await sql<AttemptRecord>`
    select attempt, started_at as "startedAt", duration_ms as "durationMs", status, failure from webhook_attempt
    where tenant_id = ${tenantId} and delivery_id = ${deliveryId} order by attempt`.execute(db)
  return found.rows
}

/**
 * Makes ended deliveries due again, with all their attempts: this one, or the dead ones since a
 * time. Returns how many.
 */
export async function replayDeliveries(
  tx: Tx,
  { tenantId }: TenantScope,
  webhookId: string,
  which: { readonly id: string } | { readonly deadSince: Date },
): Promise<number> {
  const chosen =
    'id' in which
      ? sql`id = ${which.id} and state <> 'waiting'`
      : sql`state = 'dead' and created_at >= ${which.deadSince}`
  await sql`
    delete from webhook_attempt using webhook_delivery
    where webhook_attempt.tenant_id = ${tenantId} and webhook_delivery.tenant_id = ${tenantId}
      and webhook_delivery.id = webhook_attempt.delivery_id and webhook_id = ${webhookId} and ${chosen}`.execute(
    tx,
  )
  const changed = await sql`
    update webhook_delivery set state = 'waiting', attempts = 0, wake_at = now(), ended_at = null
    where tenant_id = ${tenantId} and webhook_id = ${webhookId} and ${chosen}`.execute(tx)
  return Number(changed.numAffectedRows ?? 0n)
}

const KEPT_DAYS = 30
const REMOVED_AT_ONCE = 1_000

const ENDED: DueRows = {
  table: 'webhook_delivery',
  isDue: sql`state <> 'waiting' and ended_at < now() - ${sql.lit(KEPT_DAYS)} * interval '1 day'`,
  since: sql`ended_at`,
}

/** Removes up to 1,000 deliveries of each tenant that ended more than 30 days ago. */
export async function removeOldDeliveries(pass: TenantPass): Promise<{ readonly isMore: boolean }> {
  const { db } = pass
  return await workByTenant(pass, ENDED, REMOVED_AT_ONCE, async (tenantId, limit) => {
    const removed = await sql`
      delete from webhook_delivery using (
        select id from webhook_delivery where tenant_id = ${tenantId} and ${ENDED.isDue}
        order by ended_at limit ${limit} for update skip locked
      ) as old
      where webhook_delivery.tenant_id = ${tenantId} and webhook_delivery.id = old.id`.execute(db)
    return Number(removed.numAffectedRows ?? 0)
  })
}

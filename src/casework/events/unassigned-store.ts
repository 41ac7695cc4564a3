// SQL of stored events that are assigned again: those without a known owner (a replay, in batches),
// one that gets another owner, and those of a report that is corrected.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { buildRange, type TimeRange } from '../../kernel/db/page-request.ts'
import type { JsonObject } from '../../values/json-value.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import { isXarfCategory } from '../../vocabulary/event-types.ts'
import type { UnassignedCause } from '../owners/unassigned.ts'

export interface UnassignedFilter {
  readonly eventIds?: readonly string[]
  readonly cause?: UnassignedCause
  readonly eventDate?: TimeRange
}

export interface StoredEvent {
  readonly eventId: string
  readonly event: NewEvent
  /** Our id of the report it was read out of. */
  readonly reportId: string | null
  readonly caseId: string | null
}

/**
 * Unassigned events after `afterId` by id, locked until the transaction ends. Events that another
 * transaction has locked are left out: that one assigns them.
 */
export async function lockUnassigned(
  tx: Tx,
  scope: TenantScope,
  filter: UnassignedFilter,
  afterId: string | null,
  limit: number,
): Promise<readonly StoredEvent[]> {
  return await selectEvents(
    tx,
    selectUnassigned(scope, filter, afterId),
    sql`order by event_id limit ${limit} for update skip locked`,
  )
}

/** The same events, without a lock. */
export async function listUnassigned(
  db: Db,
  scope: TenantScope,
  filter: UnassignedFilter,
  afterId: string | null,
  limit: number,
): Promise<readonly StoredEvent[]> {
  return await selectEvents(
    db,
    selectUnassigned(scope, filter, afterId),
    sql`order by event_id limit ${limit}`,
  )
}

/** Whether there is an unassigned event after `afterId`. */
export async function hasUnassigned(
  db: Db,
  scope: TenantScope,
  filter: UnassignedFilter,
  afterId: string | null,
): Promise<boolean> {
  const where = sql.join(selectUnassigned(scope, filter, afterId), sql` and `)
  const found = await sql`select from event where ${where} limit 1`.execute(db)
  return found.rows.length > 0
}

function selectUnassigned(
  scope: TenantScope,
  filter: UnassignedFilter,
  afterId: string | null,
): readonly RawBuilder<unknown>[] {
  return [
    sql`tenant_id = ${scope.tenantId} and unassigned_cause is not null`,
    ...(filter.eventIds === undefined
      ? []
      : [sql`event_id = any(${[...filter.eventIds]}::uuid[])`]),
    // Written out, so that a partial index of one cause (migration 0015) is used.
    ...(filter.cause === undefined ? [] : [sql`unassigned_cause = ${sql.lit(filter.cause)}`]),
    ...buildRange('event_date', filter.eventDate ?? {}),
    ...(afterId === null ? [] : [sql`event_id > ${afterId}::uuid`]),
  ]
}

/** The events that arrived last, whoever owns them, in the order of their arrival. */
export async function findNewestEvents(
  db: Db,
  { tenantId }: TenantScope,
  limit: number,
): Promise<readonly StoredEvent[]> {
  const where = [sql`tenant_id = ${tenantId}`]
  const found = await selectEvents(db, where, sql`order by event_id desc limit ${limit}`)
  return found.toReversed()
}

/** The event, locked until the transaction ends; null when the tenant has none of this id. */
export async function lockEvent(
  tx: Tx,
  scope: TenantScope,
  eventId: string,
): Promise<StoredEvent | null> {
  const where = [sql`tenant_id = ${scope.tenantId} and event_id = ${eventId}::uuid`]
  const [found] = await selectEvents(tx, where, sql`for update`)
  return found ?? null
}

/** These events of the report, locked in the order of their ids until the transaction ends. */
export async function lockEventsOfReport(
  tx: Tx,
  scope: TenantScope,
  reportId: string,
  eventIds: readonly string[],
): Promise<readonly StoredEvent[]> {
  const where = [selectOfReport(scope, reportId, eventIds)]
  return await selectEvents(tx, where, sql`order by event_id for update`)
}

/** The same events, without a lock. */
export async function findEventsOfReport(
  db: Db,
  scope: TenantScope,
  reportId: string,
  eventIds: readonly string[],
): Promise<readonly StoredEvent[]> {
  return await selectEvents(db, [selectOfReport(scope, reportId, eventIds)], sql`order by event_id`)
}

function selectOfReport(
  { tenantId }: TenantScope,
  reportId: string,
  eventIds: readonly string[],
): RawBuilder<unknown> {
  return sql`tenant_id = ${tenantId} and report_id = ${reportId}::uuid
    and event_id = any(${[...eventIds]}::uuid[])`
}

interface EventColumns {
  readonly event_id: string
  readonly event_date: Date
  readonly event_type: string
  readonly event_subtypes: readonly string[]
  readonly xarf_class: string | null
  readonly sender_email: string
  readonly recipient_email: string | null
  readonly ip: string | null
  readonly domain: string | null
  readonly tags: readonly string[]
  readonly details: JsonObject | null
  readonly customer_id: string | null
  readonly contract_id: string | null
  readonly reporter_report_id: string | null
  readonly report_id: string | null
  readonly case_id: string | null
}

async function selectEvents(
  db: Db,
  conditions: readonly RawBuilder<unknown>[],
  tail: RawBuilder<unknown>,
): Promise<readonly StoredEvent[]> {
  const found = await sql<EventColumns>`
    select event_id, event_date, event_type, event_subtypes, xarf_class, sender_email, recipient_email, ip, domain, tags,
      details, customer_id, contract_id, reporter_report_id, report_id, case_id
    from event where ${sql.join(conditions, sql` and `)} ${tail}`.execute(db)
  return found.rows.map((row) => ({
    eventId: row.event_id,
    reportId: row.report_id,
    caseId: row.case_id,
    event: {
      eventDate: row.event_date.toISOString(),
      eventType: row.event_type,
      eventSubtypes: row.event_subtypes,
      xarfClass: row.xarf_class !== null && isXarfCategory(row.xarf_class) ? row.xarf_class : null,
      senderEmail: row.sender_email,
      recipientEmail: row.recipient_email,
      ip: row.ip,
      domain: row.domain,
      tags: row.tags,
      details: row.details,
      customerId: row.customer_id,
      contractId: row.contract_id,
      reportId: row.reporter_report_id,
    },
  }))
}

/** The owner and the case of an event from now on. */
export interface EventAssignment {
  readonly eventId: string
  readonly customerId: string | null
  readonly contractId: string | null
  readonly unassignedCause: UnassignedCause | null
  readonly caseId: string | null
  /** The rule that mutes it. */
  readonly muteRuleId: string | null
  readonly tags: readonly string[]
  readonly resolved: boolean
}

/**
 * The events are locked by this transaction. An event without a change is not written again: a
 * resolver may be silent for days.
 */
export async function assignEvents(
  tx: Tx,
  scope: TenantScope,
  assignments: readonly EventAssignment[],
): Promise<void> {
  if (assignments.length === 0) return
  await sql`
    update event set customer_id = given."customerId", contract_id = given."contractId",
      unassigned_cause = given."unassignedCause", case_id = given."caseId", tags = given.tags, resolved = given.resolved,
      mute_rule_id = given."muteRuleId", merged_from = null
    from json_to_recordset(${JSON.stringify(assignments)}::json) as given (
      "eventId" uuid, "customerId" text, "contractId" text, "unassignedCause" text, "caseId" text,
      "muteRuleId" uuid, tags text[], resolved boolean)
    where event.tenant_id = ${scope.tenantId} and event.event_id = given."eventId"
      and event.event_id = any(${assignments.map((one) => one.eventId)}::uuid[])
      and (event.customer_id, event.contract_id, event.unassigned_cause, event.case_id, event.mute_rule_id, event.tags,
        event.resolved, event.merged_from) is distinct from (given."customerId", given."contractId", given."unassignedCause",
        given."caseId", given."muteRuleId", given.tags, given.resolved, null)`.execute(tx)
}

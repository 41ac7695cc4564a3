// SQL of pending events: below the threshold of their group (migration 0019). The caller has the
// correlation lock.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import { isAmong } from '../../kernel/db/months/among.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { CorrelationKey } from '../cases/case.ts'
import { BELOW_THRESHOLD_TAG } from './event-tags.ts'

/** The columns of a pending event that a case sums up; `tags` without `below-threshold`. */
export interface PendingEvent extends CorrelationKey {
  readonly eventId: string
  readonly eventDate: string
  readonly senderEmail: string
  readonly eventType: string
  readonly ip: string | null
  readonly tags: readonly string[]
}

/** In the order in which they came. */
export async function loadPendingEvents(
  tx: Tx,
  scope: TenantScope,
  keys: readonly CorrelationKey[],
): Promise<readonly PendingEvent[]> {
  if (keys.length === 0) return []
  const held = await sql<Pick<PendingEvent, 'caseGroupId' | 'keyHash' | 'eventId'>>`
    select given.case_group_id as "caseGroupId", given.key_hash as "keyHash", held_event.event_id as "eventId"
    from unnest(
      ${keys.map((key) => key.caseGroupId)}::text[], ${keys.map((key) => key.keyHash)}::text[]
    ) as given (case_group_id, key_hash)
    join held_event on held_event.tenant_id = ${scope.tenantId} and held_event.case_group_id = given.case_group_id
      and held_event.key_hash = decode(given.key_hash, 'hex')
    order by held_event.event_id`.execute(tx)
  if (held.rows.length === 0) return []
  // By ids that the planner knows, which leaves out the partitions of other months.
  const found = await sql<
    Omit<PendingEvent, 'eventDate' | keyof CorrelationKey> & { eventDate: Date }
  >`
    select event_id as "eventId", event_date as "eventDate", sender_email as "senderEmail", event_type as "eventType", ip,
      array_remove(tags, ${BELOW_THRESHOLD_TAG}) as tags
    from event
    where tenant_id = ${scope.tenantId} and event_id = any(${held.rows.map((row) => row.eventId)}::uuid[])
      and case_id is null`.execute(tx)
  const events = new Map(found.rows.map((row) => [row.eventId, row]))
  return held.rows.flatMap((row) => {
    const event = events.get(row.eventId)
    return event === undefined
      ? []
      : [{ ...event, ...row, eventDate: event.eventDate.toISOString() }]
  })
}

export async function insertPendingEvents(
  tx: Tx,
  scope: TenantScope,
  events: readonly (CorrelationKey & { readonly eventId: string })[],
): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into held_event (tenant_id, event_id, case_group_id, key_hash)
    select ${scope.tenantId}, given.event_id, given.case_group_id, decode(given.key_hash, 'hex')
    from unnest(
      ${events.map((event) => event.eventId)}::uuid[], ${events.map((event) => event.caseGroupId)}::text[],
      ${events.map((event) => event.keyHash)}::text[]
    ) as given (event_id, case_group_id, key_hash)
    on conflict (tenant_id, event_id) do update
      set case_group_id = excluded.case_group_id, key_hash = excluded.key_hash`.execute(tx)
}

/** The events are no longer pending. */
export async function deletePendingEvents(
  tx: Tx,
  scope: TenantScope,
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return
  await sql`
    delete from held_event
    where tenant_id = ${scope.tenantId} and event_id = any(${[...eventIds]}::uuid[])`.execute(tx)
}

/** Gives pending events to the case that opened for them. */
export async function joinPendingEvents(
  tx: Tx,
  scope: TenantScope,
  joins: readonly { readonly eventId: string; readonly caseId: string }[],
): Promise<void> {
  if (joins.length === 0) return
  await sql`
    update event set case_id = given.case_id, tags = array_remove(event.tags, ${BELOW_THRESHOLD_TAG})
    from unnest(
      ${joins.map((join) => join.eventId)}::uuid[], ${joins.map((join) => join.caseId)}::text[]
    ) as given (event_id, case_id)
    where event.tenant_id = ${scope.tenantId} and event.event_id = given.event_id
      and ${isAmong(joins.map((join) => join.eventId))}`.execute(tx)
}

/** For a group that is deleted: its pending events stay stored, and join no case. */
export async function deletePendingEventsOfGroup(
  tx: Tx,
  scope: TenantScope,
  caseGroupId: string,
): Promise<void> {
  await sql`
    delete from held_event where tenant_id = ${scope.tenantId} and case_group_id = ${caseGroupId}`.execute(
    tx,
  )
}

// SQL of a trial of rules: what became of stored events, and the cases of keys as they were before
// those events. Reads only, and locks nothing.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { writeTexts, writeWords } from '../../../kernel/db/write-arrays.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CorrelationKey } from '../../cases/case.ts'
import type { CaseState } from '../../cases/case-state.ts'
import { BELOW_THRESHOLD_TAG } from '../event-tags.ts'
import type { PendingEvent } from '../pending-event-store.ts'

/** What became of an event. */
export interface PresentOutcome {
  readonly eventId: string
  readonly caseId: string | null
  readonly caseGroupId: string | null
  readonly muteRuleId: string | null
  readonly isBelow: boolean
}

export async function findPresentOutcomes(
  db: Db,
  { tenantId }: TenantScope,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, PresentOutcome>> {
  const found = await sql<PresentOutcome>`
    select event.event_id as "eventId", event.case_id as "caseId", abuse_case.case_group_id as "caseGroupId",
      event.mute_rule_id as "muteRuleId", ${BELOW_THRESHOLD_TAG} = any(event.tags) as "isBelow"
    from event left join abuse_case on abuse_case.tenant_id = ${tenantId} and abuse_case.id = event.case_id
    where event.tenant_id = ${tenantId} and event.event_id = any(${[...eventIds]}::uuid[])`.execute(
    db,
  )
  return new Map(found.rows.map((row) => [row.eventId, row]))
}

/** The newest case of a key from before a time. */
export interface EarlierCase extends CorrelationKey {
  readonly caseId: string
  readonly state: CaseState
  readonly resolvedAt: Date | null
  /** Null for one that takes events. */
  readonly endedAt: Date | null
  readonly firstEventDate: Date
  /** Of its events from before the time. */
  readonly lastEventDate: Date
}

/**
 * The case of each key that was opened before `firstEventId` arrived, by the time inside its id:
 * the one that takes events now, else the one that ended last. Keys without one are left out, and
 * so are merged cases.
 */
export async function findEarlierCases(
  db: Db,
  { tenantId }: TenantScope,
  keys: readonly CorrelationKey[],
  firstEventId: string,
): Promise<readonly EarlierCase[]> {
  if (keys.length === 0) return []
  const found = await sql<EarlierCase>`
    select given.case_group_id as "caseGroupId", given.key_hash as "keyHash", earlier.id as "caseId", earlier.state,
      earlier.resolved_at as "resolvedAt", earlier.ended_at as "endedAt", earlier.first_event_date as "firstEventDate",
      coalesce((
        select event_date from event where tenant_id = ${tenantId} and case_id = earlier.id and event_id < ${firstEventId}::uuid
        order by event_date desc limit 1), earlier.first_event_date) as "lastEventDate"
    from unnest(
      ${writeTexts(keys.map((key) => key.caseGroupId))}::text[], ${writeWords(keys.map((key) => key.keyHash))}::text[]
    ) as given (case_group_id, key_hash)
    cross join lateral (
      select id, state, resolved_at, ended_at, first_event_date from abuse_case
      where tenant_id = ${tenantId} and case_group_id = given.case_group_id and key_hash = decode(given.key_hash, 'hex')
        and id < ${`C-${firstEventId.toUpperCase()}`} and merged_into is null and sealed_at is null
      order by ended_at desc nulls first limit 1
    ) as earlier`.execute(db)
  return found.rows
}

/**
 * Events of these keys that were pending before `firstEventId` arrived, in their order. Without
 * their tags, which a trial does not show.
 */
export async function findEarlierPending(
  db: Db,
  { tenantId }: TenantScope,
  keys: readonly CorrelationKey[],
  firstEventId: string,
): Promise<readonly PendingEvent[]> {
  if (keys.length === 0) return []
  const found = await sql<Omit<PendingEvent, 'eventDate'> & { eventDate: Date }>`
    select given.case_group_id as "caseGroupId", given.key_hash as "keyHash", event.event_id as "eventId",
      event.event_date as "eventDate", event.sender_email as "senderEmail", event.event_type as "eventType", event.ip,
      '{}'::text[] as tags
    from unnest(
      ${writeTexts(keys.map((key) => key.caseGroupId))}::text[], ${writeWords(keys.map((key) => key.keyHash))}::text[]
    ) as given (case_group_id, key_hash)
    join held_event on held_event.tenant_id = ${tenantId} and held_event.case_group_id = given.case_group_id
      and held_event.key_hash = decode(given.key_hash, 'hex') and held_event.event_id < ${firstEventId}::uuid
    join event on event.tenant_id = ${tenantId} and event.event_id = held_event.event_id
    where event.case_id is null
    order by event.event_id`.execute(db)
  return found.rows.map((row) => ({ ...row, eventDate: row.eventDate.toISOString() }))
}

// SQL of events on their way into the store: their fingerprints, their rows and the hours of their
// arrival, each for a whole batch in one statement.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { isAmong } from '../../kernel/db/months/among.ts'
import { oneByOne } from '../../kernel/db/planner.ts'
import { writeLists, writeWords } from '../../kernel/db/write-arrays.ts'
import { defineRows } from '../../kernel/db/write-rows.ts'
import { buildUuidFloor } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import { noteRows } from '../changes/outbox-store.ts'
import type { UnassignedCause } from '../owners/unassigned.ts'

export interface FingerprintClaim {
  readonly fingerprint: string
  /** The id the event gets if it is new. */
  readonly eventId: string
  /** How often it arrives in this batch. */
  readonly times: number
}

export interface ClaimedEvent {
  /** The offered id when the event is new, else the id of the event that it repeats. */
  readonly eventId: string
  /** How often it has arrived by now, with this batch. */
  readonly seenCount: number
}

/**
 * By fingerprint: events that have arrived more than once by now. All others are new, and have the
 * ids that were offered.
 */
export async function claimFingerprints(
  tx: Tx,
  scope: TenantScope,
  claims: readonly FingerprintClaim[],
  at: Date,
): Promise<ReadonlyMap<string, ClaimedEvent>> {
  const result = await sql<ClaimedEvent & { fingerprint: string }>`
    with claimed as (
    insert into event_fingerprint (tenant_id, fingerprint, event_id, seen_count, last_seen)
    select ${scope.tenantId}, decode(given.fingerprint, 'hex'), given.event_id, given.times, ${at}
    from unnest(
      ${writeWords(claims.map((claim) => claim.fingerprint))}::text[],
      ${writeWords(claims.map((claim) => claim.eventId))}::uuid[],
      ${writeWords(claims.map((claim) => claim.times))}::bigint[]
    ) as given (fingerprint, event_id, times)
    order by given.fingerprint collate "C"
    on conflict (tenant_id, fingerprint) do update
      set seen_count = event_fingerprint.seen_count + excluded.seen_count, last_seen = excluded.last_seen
    returning fingerprint, event_id, seen_count
    )
    select encode(fingerprint, 'hex') as fingerprint, event_id as "eventId", seen_count as "seenCount" from claimed
    where seen_count > 1`.execute(tx)
  return new Map(result.rows.map((row) => [row.fingerprint, row]))
}

/** The cases of events that are stored already, by event id; null for an unassigned one. */
export async function findCasesOfEvents(
  tx: Db,
  scope: TenantScope,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (eventIds.length === 0) return new Map()
  const result = await sql<{ eventId: string; caseId: string | null }>`
    select event_id as "eventId", case_id as "caseId" from event
    where tenant_id = ${scope.tenantId} and event_id = any(${[...eventIds]}::uuid[])`.execute(tx)
  return new Map(result.rows.map((row) => [row.eventId, row.caseId]))
}

/** An event with everything that is stored of it. */
export interface EventRow {
  readonly event: NewEvent
  readonly eventId: string
  readonly createDate: string
  readonly customerId: string | null
  readonly contractId: string | null
  /** Null exactly when it has a customer. */
  readonly unassignedCause: UnassignedCause | null
  readonly caseId: string | null
  /** The rule that muted it. */
  readonly muteRuleId: string | null
  /** Our id of the report that held it; null for a pushed event. */
  readonly reportId: string | null
  readonly tags: readonly string[]
  readonly resolved: boolean
}

const writeEvents = defineRows<EventRow>({
  event_id: ['uuid', ({ eventId }) => eventId],
  create_date: ['timestamptz', ({ createDate }) => createDate],
  event_date: ['timestamptz', ({ event }) => event.eventDate],
  resolved: ['boolean', ({ resolved }) => resolved],
  mute_rule_id: ['uuid', ({ muteRuleId }) => muteRuleId],
  report_id: ['uuid', ({ reportId }) => reportId],
  event_type: ['text', ({ event }) => event.eventType],
  event_subtypes: ['text[]', ({ event }) => event.eventSubtypes],
  sender_email: ['text', ({ event }) => event.senderEmail],
  recipient_email: ['text', ({ event }) => event.recipientEmail],
  reporter_report_id: ['text', ({ event }) => event.reportId],
  domain: ['text', ({ event }) => event.domain],
  ip: ['text', ({ event }) => event.ip],
  customer_id: ['text', ({ customerId }) => customerId],
  contract_id: ['text', ({ contractId }) => contractId],
  unassigned_cause: ['text', ({ unassignedCause }) => unassignedCause],
  case_id: ['text', ({ caseId }) => caseId],
  xarf_class: ['text', ({ event }) => event.xarfClass],
  tags: ['text[]', ({ tags }) => tags],
  details: ['jsonb', ({ event }) => event.details],
})

export async function insertEvents(
  tx: Tx,
  scope: TenantScope,
  rows: readonly EventRow[],
): Promise<void> {
  if (rows.length === 0) return
  const { names, values, given } = writeEvents(rows)
  await sql`
    with lowered as (${lowerHours(scope, sumUpHours(rows))}),
    stored as (
      insert into event (tenant_id, ${names}) select ${scope.tenantId}, ${values} from ${given}
      returning event_id, create_date, report_id
    )
    ${noteRows(scope, 'event', STORED)}`.execute(tx)
}

// Without the case: `correctEvents` may still change it.
const STORED = sql`(
  select 'stored' as what, event_id::text as subject_id, null::text as case_id, 'system' as actor_kind, 'intake' as actor,
    report_id::text as cause_id, create_date as at, null::jsonb as data
  from stored order by event_id
) as changed`

interface EventHour {
  readonly fromId: string
  readonly untilId: string
  /** ISO 8601. */
  readonly first: string
}

const HOUR_MS = 60 * 60 * 1_000

/** Keeps the earliest event of each hour. */
function lowerHours({ tenantId }: TenantScope, hours: readonly EventHour[]): RawBuilder<unknown> {
  return sql`
    insert into event_hour (tenant_id, from_id, until_id, first_event_date)
    select ${tenantId}, from_id, until_id, first
    from unnest(
      ${writeWords(hours.map((hour) => hour.fromId))}::uuid[], ${writeWords(hours.map((hour) => hour.untilId))}::uuid[],
      ${writeWords(hours.map((hour) => hour.first))}::timestamptz[]
    ) as given (from_id, until_id, first)
    where not exists (
      select from event_hour where tenant_id = ${tenantId} and from_id = given.from_id and first_event_date <= given.first
    )
    order by from_id
    on conflict (tenant_id, from_id) do update
      set first_event_date = least(event_hour.first_event_date, excluded.first_event_date)`
}

/** The earliest event of each hour of arrivals (migration 0029). */
function sumUpHours(rows: readonly EventRow[]): readonly EventHour[] {
  const firsts = new Map<string, string>()
  for (const { createDate, event } of rows) {
    const hour = createDate.slice(0, HOUR_LENGTH)
    const first = firsts.get(hour)
    if (first === undefined || event.eventDate < first) firsts.set(hour, event.eventDate)
  }
  return [...firsts].map(([hour, first]) => {
    const fromMs = Date.parse(`${hour}:00Z`)
    return { fromId: buildUuidFloor(fromMs), untilId: buildUuidFloor(fromMs + HOUR_MS), first }
  })
}

// `2026-11-22T20` of an ISO 8601 time.
const HOUR_LENGTH = 13

/** Corrects rows of this transaction whose events came to another case than expected. */
export async function correctEvents(
  tx: Tx,
  scope: TenantScope,
  events: readonly Pick<EventRow, 'eventId' | 'caseId' | 'resolved' | 'tags'>[],
): Promise<void> {
  if (events.length === 0) return
  const tags = writeLists(events.map((event) => event.tags))
  await sql`
    update event set case_id = given.case_id, resolved = given.resolved, tags = coalesce(${tags.read('given.tags')}, '{}')
    from (select * from unnest(
      ${writeWords(events.map((event) => event.eventId))}::text[], ${writeWords(events.map((event) => event.caseId))}::text[],
      ${writeWords(events.map((event) => event.resolved))}::boolean[], ${tags.written}::text[]
    ) as rows (event_id, case_id, resolved, tags) where ${oneByOne('event_id')}) as given
    where event.tenant_id = ${scope.tenantId} and event.event_id = given.event_id::uuid
      and ${isAmong(events.map((event) => event.eventId))}`.execute(tx)
}

// SQL of intake: fingerprints, slots, cases and events, each for a whole batch in one statement.
// The order of the statements is the order of locks: fingerprints, slots, cases, each sorted by
// key, so that two batches wait for each other in one direction only. Whoever holds an open case
// keeps its slot from moving as well, so the slots of cases that go on as they are need no lock of
// their own.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import { ONE_BY_ONE, writeLists, writeTexts, writeWords } from '../../kernel/db/write-arrays.ts'
import { buildUuidFloor } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import type { CaseState } from '../cases/case-state.ts'
import { findMergeRoots } from '../cases/case-tree.ts'
import { type SlotKey } from '../cases/open-case-store.ts'
import type { UnassignedCause } from '../owners/unassigned.ts'

export interface FingerprintClaim {
  readonly fingerprint: string
  /** The id the event gets if it is new. */
  readonly eventId: string
  /** How often it arrives in this batch. */
  readonly times: number
}

export interface ClaimedEvent {
  /** The offered one when the event is new, else that of the event it repeats. */
  readonly eventId: string
  /** How often it has arrived by now, with this batch. */
  readonly seenCount: number
}

/**
 * By fingerprint: those that have arrived more than once by now. All others are new, with the ids
 * that were offered.
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
  tx: Tx,
  scope: TenantScope,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (eventIds.length === 0) return new Map()
  const result = await sql<{ eventId: string; caseId: string | null }>`
    select event_id as "eventId", case_id as "caseId" from event
    where tenant_id = ${scope.tenantId} and event_id = any(${[...eventIds]}::uuid[])`.execute(tx)
  return new Map(result.rows.map((row) => [row.eventId, row.caseId]))
}

export interface EndedCaseRow extends SlotKey {
  readonly caseId: string
  /** Open when it took in the last case of the key and goes on. */
  readonly state: CaseState
  readonly resolvedAt: Date | null
  /** When the last case of the key ended; the one it was merged into may have ended before. */
  readonly endedAt: Date
  /** The key of the case itself; another one when the last case of this key was merged into it. */
  readonly ownKey: SlotKey
}

/**
 * The case of each key that ended last, or the one it was merged into; keys without one are left
 * out.
 */
export async function findLastEndedCases(
  tx: Tx,
  scope: TenantScope,
  keys: readonly SlotKey[],
): Promise<readonly EndedCaseRow[]> {
  if (keys.length === 0) return []
  const result = await sql<Omit<EndedCaseRow, 'ownKey'> & { isMerged: boolean }>`
    select given.case_group_id as "caseGroupId", given.key_hash as "keyHash", ended.id as "caseId", ended.state,
      ended.resolved_at as "resolvedAt", ended.ended_at as "endedAt", ended.merged_into is not null as "isMerged"
    from unnest(
      ${writeTexts(keys.map((key) => key.caseGroupId))}::text[], ${writeWords(keys.map((key) => key.keyHash))}::text[]
    ) as given (case_group_id, key_hash)
    cross join lateral (
      select id, state, resolved_at, ended_at, merged_into from abuse_case
      where tenant_id = ${scope.tenantId} and case_group_id = given.case_group_id
        and key_hash = decode(given.key_hash, 'hex') and ended_at is not null
      order by ended_at desc limit 1
    ) as ended`.execute(tx)
  const merged = result.rows.filter((row) => row.isMerged)
  const roots = await findMergeRoots(
    tx,
    scope,
    merged.map((row) => row.caseId),
  )
  return result.rows.map((row) => {
    const root = roots.get(row.caseId)
    if (root === undefined) return { ...row, ownKey: row }
    const { id: caseId, state, resolvedAt } = root
    return { ...row, caseId, state, resolvedAt, ownKey: root }
  })
}

/** An event with everything that is stored of it. */
export interface PlacedEvent {
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
  /** Our id of the report it was read out of. */
  readonly reportId: string | null
  readonly tags: readonly string[]
  readonly resolved: boolean
}

export async function insertEvents(
  tx: Tx,
  scope: TenantScope,
  placed: readonly PlacedEvent[],
): Promise<void> {
  if (placed.length === 0) return
  const events = placed.map(({ event }) => event)
  const hours = sumUpHours(placed)
  await sql`
    with lowered as (
      insert into event_hour (tenant_id, from_id, until_id, first_event_date)
      select ${scope.tenantId}, from_id, until_id, first
      from unnest(
        ${writeWords(hours.map((hour) => hour.fromId))}::uuid[], ${writeWords(hours.map((hour) => hour.untilId))}::uuid[],
        ${writeWords(hours.map((hour) => hour.first))}::timestamptz[]
      ) as given (from_id, until_id, first)
      where not exists (
        select from event_hour where tenant_id = ${scope.tenantId} and from_id = given.from_id and first_event_date <= given.first
      )
      order by from_id
      on conflict (tenant_id, from_id) do update
        set first_event_date = least(event_hour.first_event_date, excluded.first_event_date)
    )
    insert into event (tenant_id, event_id, create_date, event_date, resolved, mute_rule_id, report_id, event_type, sender_email,
      domain, ip, customer_id, contract_id, unassigned_cause, case_id, xarf_class, recipient_email, reporter_report_id,
      event_subtypes, tags, details)
    select ${scope.tenantId}, event_id, create_date, event_date, resolved, mute_rule_id, report_id, event_type, sender_email,
      domain, ip, customer_id, contract_id, unassigned_cause, case_id, xarf_class, recipient_email, reporter_report_id,
      coalesce(event_subtypes::text[], '{}'), coalesce(tags::text[], '{}'), nullif(details, 'null')
    from rows from (unnest(
      ${writeWords(placed.map((one) => one.eventId))}::uuid[], ${writeWords(placed.map((one) => one.createDate))}::timestamptz[],
      ${writeWords(events.map((event) => event.eventDate))}::timestamptz[],
      ${writeWords(placed.map((one) => one.resolved))}::boolean[],
      ${writeWords(placed.map((one) => one.muteRuleId))}::uuid[], ${writeWords(placed.map((one) => one.reportId))}::uuid[],
      ${writeTexts(events.map((event) => event.eventType))}::text[],
      ${writeTexts(events.map((event) => event.senderEmail))}::text[],
      ${writeTexts(events.map((event) => event.domain))}::text[], ${writeTexts(events.map((event) => event.ip))}::text[],
      ${writeTexts(placed.map((one) => one.customerId))}::text[], ${writeTexts(placed.map((one) => one.contractId))}::text[],
      ${writeTexts(placed.map((one) => one.unassignedCause))}::text[], ${writeTexts(placed.map((one) => one.caseId))}::text[],
      ${writeTexts(events.map((event) => event.xarfClass))}::text[],
      ${writeTexts(events.map((event) => event.recipientEmail))}::text[],
      ${writeTexts(events.map((event) => event.reportId))}::text[],
      ${writeLists(events.map((event) => event.eventSubtypes))}::text[], ${writeLists(placed.map((one) => one.tags))}::text[]
      ), jsonb_array_elements(${JSON.stringify(events.map(({ details }) => details))}::jsonb)
    ) as given (event_id, create_date, event_date, resolved, mute_rule_id, report_id, event_type, sender_email, domain, ip,
      customer_id, contract_id, unassigned_cause, case_id, xarf_class, recipient_email, reporter_report_id, event_subtypes, tags,
      details)`.execute(tx)
}

interface EventHour {
  readonly fromId: string
  readonly untilId: string
  /** ISO 8601. */
  readonly first: string
}

const HOUR_MS = 60 * 60 * 1_000

/** The earliest event of each hour of arrivals (migration 0029). */
function sumUpHours(placed: readonly PlacedEvent[]): readonly EventHour[] {
  const firsts = new Map<string, string>()
  for (const { createDate, event } of placed) {
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

/** Writes of events of this transaction again what depends on the cases they came to. */
export async function markStoredEvents(
  tx: Tx,
  scope: TenantScope,
  events: readonly Pick<PlacedEvent, 'eventId' | 'caseId' | 'resolved' | 'tags'>[],
): Promise<void> {
  if (events.length === 0) return
  await sql`
    update event set case_id = given.case_id, resolved = given.resolved, tags = coalesce(given.tags::text[], '{}')
    from (select * from unnest(
      ${writeTexts(events.map(() => scope.tenantId))}::text[], ${writeWords(events.map((event) => event.eventId))}::uuid[],
      ${writeWords(events.map((event) => event.caseId))}::text[], ${writeWords(events.map((event) => event.resolved))}::boolean[],
      ${writeLists(events.map((event) => event.tags))}::text[]
    ) as rows (tenant_id, event_id, case_id, resolved, tags) ${ONE_BY_ONE}) as given
    where event.tenant_id = given.tenant_id and event.event_id = given.event_id`.execute(tx)
}

// SQL of intake: fingerprints, slots, cases and events, each for a whole batch in one statement. The order of the statements is the
// order of locks: fingerprints, slots, cases, each sorted by key, so that two batches wait for each other in one direction only.

import { sql } from 'kysely'
import type { TenantScope } from '../../kernel/auth/caller.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { NewEvent } from '../model/event.ts'
import type { UnassignedCause } from '../model/unassigned.ts'
import { findMergeRoots } from './case-tree.ts'

export interface FingerprintClaim {
  readonly fingerprint: string
  /** The id the event gets if it is new. */
  readonly eventId: string
  /** How often it arrives in this batch. */
  readonly times: number
}

/** Fingerprint to the event's id: the offered one when the event is new, else that of the event it repeats. */
export async function claimFingerprints(
  tx: Tx,
  scope: TenantScope,
  claims: readonly FingerprintClaim[],
  at: Date,
): Promise<ReadonlyMap<string, string>> {
  const result = await sql<{ fingerprint: string; eventId: string }>`
    insert into event_fingerprint (tenant_id, fingerprint, event_id, seen_count, last_seen)
    select ${scope.tenantId}, decode(given.fingerprint, 'hex'), given.event_id, given.times, ${at}
    from unnest(
      ${claims.map((claim) => claim.fingerprint)}::text[],
      ${claims.map((claim) => claim.eventId)}::uuid[],
      ${claims.map((claim) => claim.times)}::bigint[]
    ) as given (fingerprint, event_id, times)
    order by given.fingerprint collate "C"
    on conflict (tenant_id, fingerprint) do update
      set seen_count = event_fingerprint.seen_count + excluded.seen_count, last_seen = excluded.last_seen
    returning encode(fingerprint, 'hex') as fingerprint, event_id as "eventId"`.execute(tx)
  return new Map(result.rows.map((row) => [row.fingerprint, row.eventId]))
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

export interface SlotKey {
  readonly caseGroupId: string
  /** Of `buildSlotKey`: 64 hexadecimal digits. */
  readonly keyHash: string
}

export interface SlotClaim extends SlotKey {
  /** The case that holds the slot if it was free. */
  readonly offeredCaseId: string
}

/** The case that holds each slot now, in the order of the claims; every slot stays locked until the transaction ends. */
export async function claimSlots(
  tx: Tx,
  scope: TenantScope,
  claims: readonly SlotClaim[],
): Promise<readonly string[]> {
  const result = await sql<{ caseGroupId: string; keyHash: string; caseId: string }>`
    insert into case_slot (tenant_id, case_group_id, key_hash, case_id)
    select ${scope.tenantId}, given.case_group_id, decode(given.key_hash, 'hex'), given.case_id
    from unnest(
      ${claims.map((claim) => claim.caseGroupId)}::text[],
      ${claims.map((claim) => claim.keyHash)}::text[],
      ${claims.map((claim) => claim.offeredCaseId)}::text[]
    ) as given (case_group_id, key_hash, case_id)
    order by given.case_group_id collate "C", given.key_hash collate "C"
    on conflict (tenant_id, case_group_id, key_hash) do update set key_hash = excluded.key_hash
    returning case_group_id as "caseGroupId", encode(key_hash, 'hex') as "keyHash", case_id as "caseId"`.execute(
    tx,
  )
  const holders = new Map(result.rows.map((row) => [joinSlotKey(row), row.caseId]))
  return claims.map((claim) => holders.get(joinSlotKey(claim)) ?? claim.offeredCaseId)
}

/** One text for a slot's key, for maps. */
export function joinSlotKey(key: SlotKey): string {
  return `${key.caseGroupId}/${key.keyHash}`
}

/** Gives back slots that were claimed in this transaction and turned out not to be needed. */
export async function releaseSlots(
  tx: Tx,
  scope: TenantScope,
  keys: readonly SlotKey[],
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    delete from case_slot using unnest(
      ${keys.map((key) => key.caseGroupId)}::text[], ${keys.map((key) => key.keyHash)}::text[]
    ) as given (case_group_id, key_hash)
    where case_slot.tenant_id = ${scope.tenantId} and case_slot.case_group_id = given.case_group_id
      and case_slot.key_hash = decode(given.key_hash, 'hex')`.execute(tx)
}

export interface EndedCaseRow extends SlotKey {
  readonly caseId: string
  readonly resolvedAt: Date | null
}

/** The case of each key that ended last, or the one it was merged into; keys without one are left out. */
export async function findLastEndedCases(
  tx: Tx,
  scope: TenantScope,
  keys: readonly SlotKey[],
): Promise<readonly EndedCaseRow[]> {
  if (keys.length === 0) return []
  const result = await sql<EndedCaseRow & { isMerged: boolean }>`
    select given.case_group_id as "caseGroupId", given.key_hash as "keyHash", ended.id as "caseId",
      ended.resolved_at as "resolvedAt", ended.merged_into is not null as "isMerged"
    from unnest(
      ${keys.map((key) => key.caseGroupId)}::text[], ${keys.map((key) => key.keyHash)}::text[]
    ) as given (case_group_id, key_hash)
    cross join lateral (
      select id, resolved_at, merged_into from abuse_case
      where tenant_id = ${scope.tenantId} and case_group_id = given.case_group_id
        and key_hash = decode(given.key_hash, 'hex') and ended_at is not null
      order by ended_at desc limit 1
    ) as ended`.execute(tx)
  const merged = result.rows.filter((row) => row.isMerged)
  if (merged.length === 0) return result.rows
  const roots = await findMergeRoots(
    tx,
    scope,
    merged.map((row) => row.caseId),
  )
  return result.rows.map((row) => {
    const root = roots.get(row.caseId)
    return root === undefined ? row : { ...row, caseId: root.id, resolvedAt: root.resolvedAt }
  })
}

/** What intake keeps up to date of a case. */
export interface CaseSummary {
  readonly caseId: string
  readonly eventCount: number
  readonly firstEventDate: string
  readonly lastEventDate: string
  readonly eventTypes: readonly string[]
  readonly eventIps: readonly string[]
  readonly eventReporters: readonly string[]
  readonly eventTags: readonly string[]
}

/** The summaries of cases that are there already, locked until the transaction ends. */
export async function lockCaseSummaries(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, CaseSummary>> {
  if (caseIds.length === 0) return new Map()
  const result = await sql<{
    id: string
    event_count: number
    first_event_date: Date
    last_event_date: Date
    event_types: string[]
    event_ips: string[]
    event_reporters: string[]
    event_tags: string[]
  }>`
    select id, event_count, first_event_date, last_event_date, event_types, event_ips, event_reporters, event_tags
    from abuse_case where tenant_id = ${scope.tenantId} and id = any(${[...caseIds]}::text[])
    order by id for update`.execute(tx)
  return new Map(
    result.rows.map((row) => [
      row.id,
      {
        caseId: row.id,
        eventCount: row.event_count,
        firstEventDate: row.first_event_date.toISOString(),
        lastEventDate: row.last_event_date.toISOString(),
        eventTypes: row.event_types,
        eventIps: row.event_ips,
        eventReporters: row.event_reporters,
        eventTags: row.event_tags,
      },
    ]),
  )
}

// The ids are given twice: how many rows JSON holds is not known to the planner, which would read every case of the tenant for one
// event (measured: 47 ms at 45,000 cases, 2 ms with the ids).
export async function updateCaseSummaries(
  tx: Tx,
  scope: TenantScope,
  summaries: readonly CaseSummary[],
  at: Date,
): Promise<void> {
  if (summaries.length === 0) return
  await sql`
    update abuse_case set event_count = given."eventCount", first_event_date = given."firstEventDate",
      last_event_date = given."lastEventDate", event_types = given."eventTypes", event_ips = given."eventIps",
      event_reporters = given."eventReporters", event_tags = given."eventTags", updated_at = ${at}
    from json_to_recordset(${JSON.stringify(summaries)}::json) as given (
      "caseId" text, "eventCount" bigint, "firstEventDate" timestamptz, "lastEventDate" timestamptz, "eventTypes" text[],
      "eventIps" text[], "eventReporters" text[], "eventTags" text[])
    where abuse_case.tenant_id = ${scope.tenantId} and abuse_case.id = given."caseId"
      and abuse_case.id = any(${summaries.map((sum) => sum.caseId)}::text[])`.execute(tx)
}

export interface NewCase extends CaseSummary, SlotKey {
  readonly customerId: string
  readonly contractId: string | null
  readonly linkedCaseId: string | null
}

export async function insertCases(
  tx: Tx,
  scope: TenantScope,
  cases: readonly NewCase[],
  at: Date,
): Promise<void> {
  if (cases.length === 0) return
  await sql`
    insert into abuse_case (tenant_id, id, case_group_id, key_hash, state, created_at, updated_at, customer_id, contract_id,
      linked_case_id, event_count, first_event_date, last_event_date, event_types, event_ips, event_reporters, event_tags)
    select ${scope.tenantId}, "caseId", "caseGroupId", decode("keyHash", 'hex'), 'NEW', ${at}, ${at}, "customerId",
      "contractId", "linkedCaseId", "eventCount", "firstEventDate", "lastEventDate", "eventTypes", "eventIps",
      "eventReporters", "eventTags"
    from json_to_recordset(${JSON.stringify(cases)}::json) as given (
      "caseId" text, "caseGroupId" text, "keyHash" text, "customerId" text, "contractId" text, "linkedCaseId" text,
      "eventCount" bigint, "firstEventDate" timestamptz, "lastEventDate" timestamptz, "eventTypes" text[],
      "eventIps" text[], "eventReporters" text[], "eventTags" text[])`.execute(tx)
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
  /** Our id of the report it was read out of. */
  readonly reportId: string | null
  readonly tags: readonly string[]
  readonly resolved: boolean
}

// One JSON text a batch: pg writes arrays character by character, and PostgreSQL reads lists within rows from nothing else.
export async function insertEvents(
  tx: Tx,
  scope: TenantScope,
  events: readonly PlacedEvent[],
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((placed) => ({
    event_id: placed.eventId,
    create_date: placed.createDate,
    event_date: placed.event.eventDate,
    event_type: placed.event.eventType,
    sender_email: placed.event.senderEmail,
    domain: placed.event.domain,
    ip: placed.event.ip,
    resolved: placed.resolved,
    customer_id: placed.customerId,
    contract_id: placed.contractId,
    unassigned_cause: placed.unassignedCause,
    case_id: placed.caseId,
    xarf_class: placed.event.xarfClass,
    recipient_email: placed.event.recipientEmail,
    report_id: placed.reportId,
    reporter_report_id: placed.event.reportId,
    event_subtypes: placed.event.eventSubtypes,
    tags: placed.tags,
    details: placed.event.details,
  }))
  await sql`
    insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, domain, ip, resolved,
      customer_id, contract_id, unassigned_cause, case_id, xarf_class, recipient_email, report_id, reporter_report_id, event_subtypes, tags,
      details)
    select ${scope.tenantId}, row.*
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (
      event_id uuid, create_date timestamptz, event_date timestamptz, event_type text, sender_email text, domain text,
      ip text, resolved boolean, customer_id text, contract_id text, unassigned_cause text, case_id text, xarf_class text, recipient_email text,
      report_id uuid, reporter_report_id text, event_subtypes text[], tags text[], details jsonb)`.execute(
    tx,
  )
}

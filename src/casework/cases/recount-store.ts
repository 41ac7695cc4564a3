// What cases know of their events in sum, counted anew from the events. Arriving events only add
// (event-store.ts); whatever takes events out of a case counts it again here. `recountCases`
// compares all that is kept twice with what it follows from: the proof behind `casework doctor
// --recount`.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import {
  addLastEvents,
  forgetLastEvents,
  type ListedCase,
  listStrayLastEvents,
} from './lists/last-event-store.ts'
import type { SlotKey } from './open-case-store.ts'
import { listStraySlots, type StraySlot } from './stray-open-case-store.ts'

/** As many values of a kind as intake keeps (case-summary.ts). */
const SUMMARY_VALUES_MAX = 100

export interface CountedEvents {
  readonly caseId: string
  readonly eventCount: number
  /** Null without events. */
  readonly firstEventDate: Date | null
  readonly lastEventDate: Date | null
  /** In the order of arrival, the first hundred. */
  readonly eventTypes: readonly string[]
  readonly eventIps: readonly string[]
  readonly eventReporters: readonly string[]
  readonly eventTags: readonly string[]
}

/** In the order of the ids. Event ids are UUIDv7, so the smallest is the first that came. */
export async function countEvents(
  db: Db,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<readonly CountedEvents[]> {
  if (caseIds.length === 0) return []
  const events = sql`from event where tenant_id = ${scope.tenantId} and case_id = given.id`
  const listFirst = (column: string) => sql`(
    select coalesce(array_agg(value order by seen), '{}') from (
      select ${sql.ref(column)} as value, min(event_id::text collate "C") as seen ${events}
        and ${sql.ref(column)} is not null
      group by 1 order by 2 limit ${SUMMARY_VALUES_MAX}
    ) as first)`
  const result = await sql<CountedEvents>`
    select given.id as "caseId", sums.event_count as "eventCount", sums.first as "firstEventDate",
      sums.last as "lastEventDate", ${listFirst('event_type')} as "eventTypes", ${listFirst('ip')} as "eventIps",
      ${listFirst('sender_email')} as "eventReporters",
      (select coalesce(array_agg(value order by seen, value), '{}') from (
        select tag as value, min(event_id::text collate "C") as seen from (select event_id, tags ${events}) as tagged,
          unnest(tagged.tags) as tag
        group by 1 order by 2, 1 limit ${SUMMARY_VALUES_MAX}
      ) as first) as "eventTags"
    from unnest(${[...caseIds]}::text[]) with ordinality as given (id, place)
    cross join lateral (
      select count(*) as event_count, min(event_date) as first, max(event_date) as last ${events}
    ) as sums
    order by given.place`.execute(db)
  return result.rows
}

/** Writes the sums of cases that the caller has locked. A case without events keeps its dates. */
export async function writeCounters(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  const rows = await countEvents(tx, scope, caseIds)
  await forgetLastEvents(tx, scope, caseIds)
  await sql`
    update abuse_case set event_count = given."eventCount",
      first_event_date = coalesce(given."firstEventDate", abuse_case.first_event_date),
      last_event_date = coalesce(given."lastEventDate", abuse_case.last_event_date), event_types = given."eventTypes",
      event_ips = given."eventIps", event_reporters = given."eventReporters", event_tags = given."eventTags"
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (
      "caseId" text, "eventCount" bigint, "firstEventDate" timestamptz, "lastEventDate" timestamptz, "eventTypes" text[],
      "eventIps" text[], "eventReporters" text[], "eventTags" text[])
    where abuse_case.tenant_id = ${scope.tenantId} and abuse_case.id = given."caseId" collate "C"
      and abuse_case.id = any(${[...caseIds]}::text[])`.execute(tx)
  await addLastEvents(tx, scope, caseIds)
}

export interface Difference {
  readonly caseId: string
  readonly kind: 'counters' | 'slot' | 'merge' | 'history' | 'list'
  readonly detail: string
  /** One that this case cannot have, or a case that is gone. */
  readonly stray?: StraySlot
}

export interface Recount {
  readonly cases: number
  /** The first thousand. */
  readonly differences: readonly Difference[]
  readonly differenceCount: number
}

// Cases that are compared at one moment. A page of average cases takes milliseconds; the largest
// allowed one some seconds.
const CASES_AT_ONCE = 100
const DIFFERENCES_MAX = 1_000

/**
 * Compares every case of the tenant, a hundred at a time, each hundred at one moment, so that a
 * running service is no difference.
 */
export async function recountCases(db: Db, scope: TenantScope): Promise<Recount> {
  const differences: Difference[] = []
  let [cases, differenceCount, after] = [0, 0, '']
  // Ends: every page starts after the last id of the one before.
  for (;;) {
    const page = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => comparePage(tx, scope, after))
    cases += page.ids.length
    differenceCount += page.differences.length
    differences.push(...page.differences.slice(0, DIFFERENCES_MAX - differences.length))
    const last = page.ids.at(-1)
    if (last === undefined) break
    after = last
  }
  let slot: SlotKey | null = null
  // Ends: every page starts after the last slot of the one before.
  for (;;) {
    const page = await listStraySlots(db, scope, slot)
    differenceCount += page.stray.length
    const room = DIFFERENCES_MAX - differences.length
    differences.push(...page.stray.slice(0, room).map(describeStray))
    if (page.last === null) break
    slot = page.last
  }
  let listed: ListedCase | null = null
  // Ends: every page starts after the last date and id of the one before.
  for (;;) {
    const page = await listStrayLastEvents(db, scope, listed)
    differenceCount += page.stray.length
    const room = DIFFERENCES_MAX - differences.length
    differences.push(...page.stray.slice(0, room).map(describeListed))
    if (page.last === null) return { cases, differences, differenceCount }
    listed = page.last
  }
}

function describeListed({ caseId, lastEventDate }: ListedCase): Difference {
  const detail = `is listed by an event of ${lastEventDate.toISOString()}, and is otherwise`
  return { caseId, kind: 'list', detail }
}

const STRAY = {
  gone: 'is gone, and still holds',
  ended: 'has ended, and still holds',
  not_its_key: 'has no such key, and holds',
} as const

function describeStray(stray: StraySlot): Difference {
  const { caseId, caseGroupId, keyHash, why } = stray
  const detail = `${STRAY[why]} the slot ${keyHash} of the group ${caseGroupId}`
  return { caseId, kind: 'slot', detail, stray }
}

interface KeptCase {
  readonly id: string
  readonly eventCount: number
  readonly firstEventDate: Date
  readonly lastEventDate: Date
  readonly eventTypes: readonly string[]
  readonly eventIps: readonly string[]
  readonly eventReporters: readonly string[]
  readonly eventTags: readonly string[]
  readonly state: string
  readonly isOpen: boolean
  readonly isSealed: boolean
  readonly slotHolder: string | null
  readonly mergedInto: string | null
  readonly isMerged: boolean
  readonly recordedTarget: string | null
  readonly lastState: string | null
  readonly isListed: boolean
}

async function comparePage(
  tx: Tx,
  scope: TenantScope,
  after: string,
): Promise<{ readonly ids: readonly string[]; readonly differences: readonly Difference[] }> {
  const kept = await readKept(tx, scope, after)
  const ids = kept.map((row) => row.id)
  const counted = await countEvents(tx, scope, ids)
  const differences = kept.flatMap((row, at) => {
    const sums = counted[at]
    const found: (Omit<Difference, 'caseId'> | null)[] = [
      sums === undefined ? null : compareCounters(row, sums),
      compareSlot(row),
      compareMerge(row),
      row.isListed ? null : { kind: 'list', detail: 'is not in the list by the last event' },
      row.lastState === row.state
        ? null
        : { kind: 'history', detail: `is ${row.state}, and its history ends in ${row.lastState}` },
    ]
    return found.flatMap((one) => (one === null ? [] : [{ caseId: row.id, ...one }]))
  })
  return { ids, differences }
}

async function readKept(tx: Tx, scope: TenantScope, after: string): Promise<readonly KeptCase[]> {
  const result = await sql<KeptCase>`
    select one.id, event_count as "eventCount", first_event_date as "firstEventDate", last_event_date as "lastEventDate",
      event_types as "eventTypes", event_ips as "eventIps", event_reporters as "eventReporters",
      event_tags as "eventTags", one.state, one.ended_at is null as "isOpen",
      one.sealed_at is not null as "isSealed", merged_into as "mergedInto",
      one.close_reason is not distinct from 'merged' as "isMerged",
      (select case_id from case_slot where case_slot.tenant_id = one.tenant_id
         and case_slot.case_group_id = one.case_group_id and case_slot.key_hash = one.key_hash) as "slotHolder",
      (select target_id from case_merge where case_merge.tenant_id = one.tenant_id
         and case_merge.source_id = one.id and unmerged_at is null) as "recordedTarget",
      (select to_state from case_history where case_history.tenant_id = one.tenant_id
         and case_history.case_id = one.id and to_state is not null order by id desc limit 1) as "lastState",
      exists (select from case_last_event where case_last_event.tenant_id = one.tenant_id
         and case_last_event.last_event_date = one.last_event_date and case_last_event.id = one.id) as "isListed"
    from abuse_case as one
    where tenant_id = ${scope.tenantId} and id > ${after} order by id limit ${CASES_AT_ONCE}`.execute(
    tx,
  )
  return result.rows
}

function compareCounters(kept: KeptCase, sums: CountedEvents): Omit<Difference, 'caseId'> | null {
  const wrong: string[] = []
  if (kept.eventCount !== sums.eventCount) {
    wrong.push(`event_count is ${kept.eventCount} and there are ${sums.eventCount}`)
  }
  const { firstEventDate: first, lastEventDate: last } = sums
  if (first !== null && first.getTime() !== kept.firstEventDate.getTime()) {
    wrong.push(`first_event_date should be ${first.toISOString()}`)
  }
  if (last !== null && last.getTime() !== kept.lastEventDate.getTime()) {
    wrong.push(`last_event_date should be ${last.toISOString()}`)
  }
  for (const name of ['eventTypes', 'eventIps', 'eventReporters', 'eventTags'] as const) {
    if (!holdsSame(kept[name], sums[name])) wrong.push(`${name} should be ${sums[name].join()}`)
  }
  return wrong.length === 0 ? null : { kind: 'counters', detail: wrong.join('; ') }
}

// Writers that commit at once may order the values otherwise than the ids of their events, so of a
// full list only the length is certain.
function holdsSame(kept: readonly string[], counted: readonly string[]): boolean {
  if (kept.length !== counted.length) return false
  return counted.length === SUMMARY_VALUES_MAX || counted.every((value) => kept.includes(value))
}

function compareSlot(row: KeptCase): Omit<Difference, 'caseId'> | null {
  if (row.isOpen && !row.isSealed && row.slotHolder !== row.id) {
    return { kind: 'slot', detail: `is open, and its slot is held by ${row.slotHolder}` }
  }
  return null
}

function compareMerge(row: KeptCase): Omit<Difference, 'caseId'> | null {
  const isTold = row.isMerged === (row.mergedInto !== null)
  if (isTold && row.mergedInto === row.recordedTarget) return null
  const detail = `says it was merged into ${row.mergedInto}, and its record ${row.recordedTarget}`
  return { kind: 'merge', detail }
}

// Reads events: lists from covering indexes (migration 0003), single records by id.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { listEventsById } from '../../kernel/db/months/events-by-id.ts'
import {
  buildPage,
  buildRange,
  type PageRequest,
  type PageSql,
  type TimeRange,
} from '../../kernel/db/page-request.ts'
import { metByHalf, ONE_BY_ONE } from '../../kernel/db/planner.ts'
import {
  buildWordQuery,
  EVENT_WORDS,
  isInRange,
  isInSite,
  listByWords,
} from '../../kernel/db/word-query.ts'
import type { AddressSpan } from '../../values/address-span.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { UnassignedCause } from '../owners/unassigned.ts'
import type { EventSort } from './event-window.ts'
import { findListMonths, type ListMonths, listFirstMonths } from './list-months-store.ts'

export interface EventSummaryRow {
  readonly event_id: string
  readonly event_date: Date
  readonly event_type: string
  readonly sender_email: string
  readonly domain: string | null
  readonly ip: string | null
}

/** Why an event that has an owner is in no case: a mute rule, or the threshold of its group. */
export const KEPT_OUT = ['muted', 'held'] as const
type KeptOut = (typeof KEPT_OUT)[number]

/** The events of one report. */
interface ReportFilter {
  readonly reportId: string
  /** Those that an earlier report had brought already. */
  readonly repeatedIds: readonly string[]
}

export interface EventFilter {
  readonly caseId?: string
  readonly customerId?: string
  /** Events of any of these types. */
  readonly eventTypes?: readonly string[]
  readonly ip?: string
  readonly range?: AddressSpan
  /** A domain, canonical: events of it or of a name below it. */
  readonly site?: string
  /** In lower case. */
  readonly senderEmail?: string
  /** Words in the details of the event. */
  readonly text?: string
  readonly domain?: string
  readonly resolved?: boolean
  readonly unassigned?: boolean
  readonly unassignedCause?: UnassignedCause
  readonly withoutCase?: KeptOut
  readonly report?: ReportFilter
  readonly eventDate?: TimeRange
}

export interface EventListRequest {
  readonly sort: EventSort
  readonly page: PageRequest
  /** Where a list from the newest event on begins to look; the rows do not depend on it. */
  readonly nowMs: number
}

/**
 * Up to `limit` rows and one more. Only columns of the indexes are named, so that no row of the
 * table is read.
 */
export async function listEvents(
  db: Db,
  scope: TenantScope,
  filter: EventFilter,
  { sort, page, nowMs }: EventListRequest,
): Promise<readonly EventSummaryRow[]> {
  const search = { filter, sort, page }
  const months = await findListMonths(db, scope, search, nowMs)
  const { conditions, isFew, events } = await selectFound(db, scope, filter, months)
  if (events !== undefined) return await listAmong(db, scope, search, { conditions, events })
  for (const choose of isFew ? [] : listFirstMonths(search, nowMs)) {
    // The second one only when the first one was not enough.
    // oxlint-disable eslint/no-await-in-loop
    const first = await choose(db, scope)
    if (first === null) break
    const rows = await listSince(db, scope, search, [...conditions, first.condition])
    if (await first.isPage(rows)) return rows
    // oxlint-enable eslint/no-await-in-loop
  }
  return await listSince(db, scope, search, conditions)
}

export interface EventSearch {
  readonly filter: EventFilter
  readonly sort: EventSort
  readonly page: PageRequest
}

async function listSince(
  db: Db,
  scope: TenantScope,
  search: EventSearch,
  more: readonly RawBuilder<unknown>[],
): Promise<readonly EventSummaryRow[]> {
  const { filter, sort, page } = search
  const { conditions, keyset } = buildList(scope, search, more)
  const before = filter.eventDate?.before
  if (sort === 'create_date' && page.order === 'desc' && before !== undefined) {
    conditions.push(...isOfTypes(filter))
    const hours = selectHours(scope, before, page)
    const ofHours = { conditions, orderAndLimit: keyset.orderAndLimit, hours }
    return await (isNarrow(filter) ? listFromHour(db, ofHours) : listByHours(db, ofHours, page))
  }
  const types = filter.eventTypes ?? []
  if (types.length > 1) return await listByTypes(db, conditions, types, keyset)
  const result = await sql<EventSummaryRow>`
    select ${SUMMARY_COLUMNS} from event
    where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`.execute(db)
  return result.rows
}

/** Those of few events that were found already. */
async function listAmong(
  db: Db,
  scope: TenantScope,
  search: EventSearch,
  found: {
    readonly conditions: readonly RawBuilder<unknown>[]
    readonly events: RawBuilder<unknown>
  },
): Promise<readonly EventSummaryRow[]> {
  const more = [...found.conditions, ...isOfTypes(search.filter)]
  const { conditions, keyset } = buildList(scope, search, more)
  const result = await sql<EventSummaryRow>`
    select ${SUMMARY_COLUMNS} from ${found.events}
    where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`.execute(db)
  return result.rows
}

/** The condition on several types, which `buildList` leaves out. */
function isOfTypes({ eventTypes = [] }: EventFilter): readonly RawBuilder<unknown>[] {
  return eventTypes.length > 1 ? [sql`event_type = any(${[...eventTypes]}::text[])`] : []
}

/** The conditions and the order of the list, without the condition on several types. */
function buildList(
  scope: TenantScope,
  { filter, sort, page }: EventSearch,
  more: readonly RawBuilder<unknown>[],
): { readonly conditions: RawBuilder<unknown>[]; readonly keyset: PageSql } {
  const idColumn = { name: 'event_id', type: 'uuid' } as const
  // create_date is the time inside event_id.
  const keyset = buildPage(
    sort === 'create_date' ? [idColumn] : [{ name: 'event_date', type: 'timestamptz' }, idColumn],
    page,
  )
  const conditions: RawBuilder<unknown>[] = [
    sql`tenant_id = ${scope.tenantId}`,
    ...listEquals(filter),
    ...more,
    ...selectUnassigned(filter.unassigned),
    ...selectKeptOut(filter.withoutCase),
    ...selectReport(scope, filter.report),
    ...buildRange('event_date', filter.eventDate ?? {}),
    ...keyset.conditions,
  ]
  return { conditions, keyset }
}

/** One ordered index range for each type, merged, as the list of cases does with states. */
async function listByTypes(
  db: Db,
  conditions: readonly RawBuilder<unknown>[],
  types: readonly string[],
  { orderAndLimit }: PageSql,
): Promise<readonly EventSummaryRow[]> {
  const parts = types.map(
    (type) => sql`(
      select ${SUMMARY_COLUMNS} from event
      where ${sql.join([...conditions, sql`event_type = ${type}`], sql` and `)} ${orderAndLimit})`,
  )
  const result = await sql<EventSummaryRow>`
    select * from (${sql.join(parts, sql` union all `)}) as found ${orderAndLimit}`.execute(db)
  return result.rows
}

// Reading and sorting them takes some 10 ms.
const FEW_EVENTS_MAX = 2_000

interface Selected extends ListMonths {
  /** The table of the few events that there are, when they may be of all months. */
  readonly events?: RawBuilder<unknown>
}

/**
 * The conditions on a range, a site, a sender or words, whose indexes (migration 0068) are in
 * another order than the list. The ids of a few events are collected first. More events soon fill a
 * page, so the list is then read in its order.
 */
async function selectFound(
  db: Db,
  scope: TenantScope,
  filter: EventFilter,
  months: ListMonths,
): Promise<Selected> {
  const searches = listSearches(scope, filter, months)
  for (const search of searches) {
    const found = await sql<{ event_id: string }>`
      select event_id from ${search.events} limit ${FEW_EVENTS_MAX + 1}`.execute(db)
    if (found.rows.length > FEW_EVENTS_MAX) continue
    const ids = found.rows.map((row) => row.event_id)
    const others = searches.filter((one) => one !== search)
    const conditions = [...others.map((one) => one.condition), ...months.conditions]
    // The condition on a report reads the table as well, beside which no such list can stand.
    if (!months.isFew && filter.report === undefined) {
      return { conditions, isFew: true, events: listEventsById(scope, ids) }
    }
    return { conditions: [sql`event_id = any(${ids}::uuid[])`, ...conditions], isFew: true }
  }
  const checks = searches.map(({ condition }) => metByHalf(condition))
  return { ...months, conditions: [...checks, ...months.conditions] }
}

interface SearchByIndex {
  readonly condition: RawBuilder<unknown>
  /** The table of the events that meet the condition, as its own index finds them. */
  readonly events: RawBuilder<unknown>
}

function listSearches(
  scope: TenantScope,
  { range, site, senderEmail, text }: EventFilter,
  months: ListMonths,
): readonly SearchByIndex[] {
  const search = (condition: RawBuilder<unknown>): SearchByIndex => {
    const conditions = [sql`tenant_id = ${scope.tenantId}`, condition, ...months.conditions]
    return { condition, events: sql`event where ${sql.join(conditions, sql` and `)}` }
  }
  const searches = [
    ...(range === undefined ? [] : [search(sql`ip is not null and ${isInRange(range)}`)]),
    ...(site === undefined ? [] : [search(isInSite(site))]),
    ...(senderEmail === undefined ? [] : [search(sql`lower(sender_email) = ${senderEmail}`)]),
  ]
  if (text === undefined) return searches
  const query = buildWordQuery(text)
  const ofWords = search(sql`details is not null and ${EVENT_WORDS} @@ ${query}`)
  if (months.isFew) return [...searches, ofWords]
  const events = listByWords(scope, query, { most: FEW_EVENTS_MAX + 1 })
  return [...searches, { ...ofWords, events }]
}

const SUMMARY_COLUMNS = sql.raw('event_id, event_date, event_type, sender_email, domain, ip')

interface HourSearch {
  readonly conditions: readonly RawBuilder<unknown>[]
  readonly orderAndLimit: RawBuilder<unknown>
  readonly hours: RawBuilder<unknown>
}

/**
 * The hours of arrival that hold events dated before this time, the latest first (migration 0029).
 */
function selectHours(
  { tenantId }: TenantScope,
  before: string,
  { position }: PageRequest,
): RawBuilder<unknown> {
  const upTo = position === null ? sql`` : sql`and from_id <= ${position[0] ?? null}::uuid`
  return sql`
    select from_id, until_id from event_hour
    where tenant_id = ${tenantId} and first_event_date < ${before}::timestamptz ${upTo} order by from_id desc`
}

/** Whether an index of its own may find what the filter asks for. */
function isNarrow({ caseId, customerId, ip, domain, report, ...more }: EventFilter): boolean {
  const { eventTypes, range, site, senderEmail, text } = more
  return [caseId, customerId, eventTypes, ip, domain, report, range, site, senderEmail, text].some(
    (value) => value !== undefined,
  )
}

/** Begins with the last hour of arrival that has such an event. */
async function listFromHour(
  db: Db,
  { conditions, orderAndLimit, hours }: HourSearch,
): Promise<readonly EventSummaryRow[]> {
  const result = await sql<EventSummaryRow>`
    select ${SUMMARY_COLUMNS} from event
    where ${sql.join(conditions, sql` and `)}
      and event_id < (select until_id from (${hours} limit 1) as latest)
    ${orderAndLimit}`.execute(db)
  return result.rows
}

/** Hour by hour, so that a very late event costs its own hour and not all hours since. */
async function listByHours(
  db: Db,
  { conditions, orderAndLimit, hours }: HourSearch,
  { limit }: PageRequest,
): Promise<readonly EventSummaryRow[]> {
  const result = await sql<EventSummaryRow>`
    select * from (
      select one.* from (${hours} ${ONE_BY_ONE}) as hour
      cross join lateral (
        select ${SUMMARY_COLUMNS} from event
        where ${sql.join(conditions, sql` and `)} and event_id >= hour.from_id and event_id < hour.until_id
        ${orderAndLimit}
      ) as one
      limit ${limit + 1}
    ) as page
    order by event_id desc`.execute(db)
  return result.rows
}

// The exact conditions of the partial indexes (migration 0012), or the planner does not use them.
function selectUnassigned(unassigned: boolean | undefined): readonly RawBuilder<unknown>[] {
  if (unassigned === undefined) return []
  return [unassigned ? sql`unassigned_cause is not null` : sql`unassigned_cause is null`]
}

// The exact conditions of partial indexes too (migration 0025).
function selectKeptOut(withoutCase: KeptOut | undefined): readonly RawBuilder<unknown>[] {
  if (withoutCase === undefined) return []
  return withoutCase === 'muted'
    ? [sql`mute_rule_id is not null`]
    : [sql`case_id is null and mute_rule_id is null and unassigned_cause is null`]
}

// Repeats are rare. With them the ids are gathered first: a report has 10,000 events at most, and
// with an `or` the planner could read the whole list in its order.
function selectReport(
  { tenantId }: TenantScope,
  report: ReportFilter | undefined,
): readonly RawBuilder<unknown>[] {
  if (report === undefined) return []
  const { reportId, repeatedIds } = report
  if (repeatedIds.length === 0) return [sql`report_id = ${reportId}::uuid`]
  return [
    sql`event_id = any(array(
      select event_id from event where tenant_id = ${tenantId} and report_id = ${reportId}::uuid
      union select unnest(${[...repeatedIds]}::uuid[])))`,
  ]
}

function listEquals(filter: EventFilter): readonly RawBuilder<unknown>[] {
  const columns = {
    case_id: filter.caseId,
    customer_id: filter.customerId,
    event_type: filter.eventTypes?.length === 1 ? filter.eventTypes[0] : undefined,
    ip: filter.ip,
    domain: filter.domain,
    resolved: filter.resolved,
    unassigned_cause: filter.unassignedCause,
  }
  return Object.entries(columns).flatMap(([name, value]) =>
    value === undefined ? [] : [sql`${sql.ref(name)} = ${value}`],
  )
}

export interface EventOwnerRow {
  readonly case_id: string | null
  readonly customer_id: string | null
}

/** The case and the customer of events, by event id. */
export async function findOwnersOfEvents(
  db: Db,
  scope: TenantScope,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, EventOwnerRow>> {
  if (eventIds.length === 0) return new Map()
  const found = await sql<EventOwnerRow & { event_id: string }>`
    select event_id, case_id, customer_id from ${listEventsById(scope, eventIds)}`.execute(db)
  return new Map(found.rows.map(({ event_id: id, ...row }) => [id, row]))
}

export interface EventRecordRow {
  readonly tenant_id: string
  readonly event_id: string
  readonly create_date: Date
  readonly event_date: Date
  readonly event_type: string
  readonly sender_email: string
  readonly domain: string | null
  readonly ip: string | null
  readonly resolved: boolean
  readonly customer_id: string | null
  readonly contract_id: string | null
  readonly case_id: string | null
  readonly xarf_class: string | null
  readonly recipient_email: string | null
  readonly event_subtypes: readonly string[]
  readonly tags: readonly string[]
  readonly details: Record<string, unknown> | null
  /** Our id of the report that brought it first; null for a pushed event. */
  readonly report_id: string | null
}

const RECORD_COLUMNS = sql.raw(
  'tenant_id, event_id, create_date, event_date, event_type, sender_email, domain, ip, resolved, customer_id, contract_id, ' +
    'case_id, xarf_class, recipient_email, event_subtypes, tags, details, report_id',
)

/** The event, or null when the tenant has none of that id (a lower-case UUID). */
export async function findEvent(
  db: Db,
  scope: TenantScope,
  eventId: string,
): Promise<EventRecordRow | null> {
  const found = await findEvents(db, scope, [eventId])
  return found[0] ?? null
}

/** In no order; ids that the tenant does not have are left out. */
export async function findEvents(
  db: Db,
  scope: TenantScope,
  eventIds: readonly string[],
): Promise<readonly EventRecordRow[]> {
  const result = await sql<EventRecordRow>`
    select ${RECORD_COLUMNS} from event
    where tenant_id = ${scope.tenantId} and event_id = any(${[...eventIds]}::uuid[])`.execute(db)
  return result.rows
}

/**
 * The event of whichever tenant has it: for the operations path only, whose caller has the scope
 * ops:read. One probe of the primary key for each tenant, since no index starts with the event.
 */
export async function findEventOfAnyTenant(
  db: Db,
  eventId: string,
): Promise<EventRecordRow | null> {
  const result = await sql<EventRecordRow>`
    select event.* from tenant cross join lateral (
      select ${RECORD_COLUMNS} from event where tenant_id = tenant.id and event_id = ${eventId}::uuid
    ) as event limit 1`.execute(db)
  return result.rows[0] ?? null
}

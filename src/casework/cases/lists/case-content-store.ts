// SQL of filters of cases by what their events and comments contain. A value that few cases have is
// looked up first (migration 0068), and the list is made of these cases. A value that many cases
// have soon fills a page, so the list is read in its order and each case is checked.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { chooseEventMonths, type EventValue } from '../../../kernel/db/months/event-months.ts'
import { metByHalf, PLANNED_ALONE } from '../../../kernel/db/planner.ts'
import {
  buildWordQuery,
  isAddress,
  isInRange,
  isInSite,
  listByWords,
} from '../../../kernel/db/word-query.ts'
import { filterNotValid } from '../../../kernel/errors.ts'
import type { AddressSpan } from '../../../values/address-span.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { SUMMARY_VALUES_MAX } from '../case.ts'

export interface CaseContent {
  /** Canonical. */
  readonly ip?: string
  readonly range?: AddressSpan
  /** Canonical. */
  readonly domain?: string
  /** A domain, canonical: events of it or of a name below it. */
  readonly site?: string
  /** In lower case. */
  readonly reporter?: string
  readonly eventType?: string
  /** Words of events or comments. */
  readonly text?: string
}

// Two probes of an index for each: some 10 ms.
const FEW_CASES_MAX = 2_000
// Rows that the index of words may name.
const WORD_ROWS_MAX = 10_000

interface FoundContent {
  /** Null: there are more than a few, so each case of the list has to be checked. */
  readonly caseIds: readonly string[] | null
  /** What is still to be checked of each case. */
  readonly rest: CaseContent
}

/** Throws `filterNotValid` for words that are in too many events. */
export async function findByContent(
  db: Db,
  scope: TenantScope,
  { text, ...rest }: CaseContent,
): Promise<FoundContent> {
  if (text !== undefined) return { caseIds: await findByWords(db, scope, text), rest }
  for (const { member, find, held } of listSearches(scope, rest)) {
    const months = held === undefined ? sql`true` : await chooseEventMonths(db, scope, ...held)
    const found = await sql<{ id: string }>`${find(months)} limit ${FEW_CASES_MAX + 1}`.execute(db)
    if (found.rows.length > FEW_CASES_MAX) continue
    const others = Object.entries(rest).filter(([name]) => name !== member)
    const caseIds = [...new Set(found.rows.map(({ id }) => id))]
    return { caseIds, rest: Object.fromEntries(others) }
  }
  return { caseIds: null, rest }
}

async function findByWords(db: Db, scope: TenantScope, text: string): Promise<readonly string[]> {
  const query = buildWordQuery(text)
  const found = await sql<{ id: string | null }>`
    select case_id as id from ${listByWords(scope, query, { most: WORD_ROWS_MAX + 1 })}`.execute(db)
  const commented = await sql<{ id: string | null }>`
    select case_id as id from case_comment
    where tenant_id = ${scope.tenantId} and to_tsvector('simple', text) @@ ${query}
    limit ${WORD_ROWS_MAX + 1}`.execute(db)
  if (Math.max(found.rows.length, commented.rows.length) > WORD_ROWS_MAX) {
    const reason = `is in more than ${WORD_ROWS_MAX} events or comments; add a word that is rarer`
    throw filterNotValid({ path: '/text', reason })
  }
  const ids = [...found.rows, ...commented.rows].map(({ id }) => id)
  return [...new Set(ids.filter((id) => id !== null))]
}

interface ContentSearch {
  readonly member: keyof CaseContent
  /** The value of events by which their months are found. */
  readonly held?: readonly [EventValue, readonly string[]]
  /** A statement without a limit that names the cases of the value, by events of these months. */
  readonly find: (months: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** The narrowest values first. */
function listSearches(
  scope: TenantScope,
  { ip, range, domain, site, reporter, eventType }: CaseContent,
): readonly ContentSearch[] {
  const searches: ContentSearch[] = []
  const add = (
    member: keyof CaseContent,
    held: readonly [EventValue, readonly string[]],
    find: ContentSearch['find'],
  ): void => {
    searches.push({ member, held, find })
  }
  if (ip !== undefined) {
    add('ip', ['ip', [ip]], (months) => listCasesOf(scope, isAddress(ip), months))
  }
  if (domain !== undefined) {
    add('domain', ['domain', [domain]], (months) => listCasesOf(scope, isDomain(domain), months))
  }
  if (reporter !== undefined) {
    const held = ['sender', [reporter]] as const
    add('reporter', held, (months) => listCasesOf(scope, isReporter(reporter), months))
  }
  if (range !== undefined) {
    const ends = [range.ranges[0]?.text ?? '', range.ranges.at(-1)?.text ?? '']
    add('range', ['range', ends], (months) =>
      listCasesAmong(scope, sql`ip::inet`, sql`${isInRange(range)} and ${months}`),
    )
  }
  if (site !== undefined) {
    add('site', ['site', [site]], (months) =>
      listCasesAmong(scope, sql`reverse(domain)`, sql`${isInSite(site)} and ${months}`),
    )
  }
  if (eventType !== undefined) {
    const find = () => sql`select id from abuse_case where ${hasType(scope, eventType)}`
    searches.push({ member: 'eventType', find })
  }
  return searches
}

function isDomain(domain: string): RawBuilder<unknown> {
  return sql`reverse(domain) = reverse(${domain})`
}

function isReporter(reporter: string): RawBuilder<unknown> {
  return sql`lower(sender_email) = ${reporter}`
}

function hasType({ tenantId }: TenantScope, eventType: string): RawBuilder<unknown> {
  return sql`tenant_id = ${tenantId} and event_types @> array[${eventType}]::text[]`
}

/** From case to case: one probe of the index for each, however many events it has. */
function listCasesOf(
  { tenantId }: TenantScope,
  isValue: RawBuilder<unknown>,
  months: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const next = (more: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select case_id from event where tenant_id = ${tenantId} and ${isValue} and case_id is not null and ${months} ${more}
    order by case_id desc limit 1`
  return sql`
    with recursive found (case_id) as (
      (${next(sql``)})
      union all
      select (${next(sql`and case_id < found.case_id`)}) from found where found.case_id is not null
    )
    select case_id as id from found where case_id is not null`
}

/** From one value and case to the next. A case comes once for each of its values. */
function listCasesAmong(
  { tenantId }: TenantScope,
  value: RawBuilder<unknown>,
  isAmong: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const next = (more: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select ${value} as value, case_id from event
    where tenant_id = ${tenantId} and ${isAmong} and case_id is not null ${more}
    order by tenant_id, ${value}, case_id limit 1`
  return sql`
    with recursive found as (
      (${next(sql``)})
      union all
      select following.* from found cross join lateral (
        ${next(sql`and (${value}, case_id) > (found.value, found.case_id)`)}
      ) as following
    )
    select case_id as id from found`
}

/**
 * Conditions on each case of `table`, which has its id as `id`. They are PLANNED_ALONE, so that not
 * all events of a value are read in order to join them.
 */
export function checkContent(
  scope: TenantScope,
  { ip, range, domain, site, reporter, eventType }: CaseContent,
  table: 'abuse_case' | 'case_last_event',
): readonly RawBuilder<unknown>[] {
  const id = sql.ref(`${table}.id`)
  const hasEvent = (isValue: RawBuilder<unknown>): RawBuilder<unknown> => sql`exists (
    select from event where tenant_id = ${scope.tenantId} and ${isValue} and case_id = ${id} ${PLANNED_ALONE})`
  const hasRow = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`exists (
    select from abuse_case as one where one.tenant_id = ${scope.tenantId} and one.id = ${id} and ${condition} ${PLANNED_ALONE})`
  return [
    ...(ip === undefined ? [] : [hasEvent(isAddress(ip))]),
    ...(domain === undefined ? [] : [hasEvent(isDomain(domain))]),
    ...(reporter === undefined ? [] : [hasEvent(isReporter(reporter))]),
    ...(eventType === undefined
      ? []
      : [hasRow(sql`one.event_types @> array[${eventType}]::text[]`)]),
    // The events of the case are read, and not those of the site.
    ...(site === undefined ? [] : [hasEvent(metByHalf(isInSite(site)))]),
    ...(range === undefined ? [] : [hasRow(hasAddressWithin(scope, range))]),
  ]
}

/** The row of a case has all of its addresses, unless there are as many as it can hold. */
function hasAddressWithin({ tenantId }: TenantScope, range: AddressSpan): RawBuilder<unknown> {
  return sql`(
    exists (select from unnest(one.event_ips) as held (value) where ${isInRange(range, sql`value::inet`)})
    or (cardinality(one.event_ips) >= ${SUMMARY_VALUES_MAX} and exists (
      select from event where tenant_id = ${tenantId} and case_id = one.id and ip is not null and ${isInRange(range)} ${PLANNED_ALONE}))
  )`
}

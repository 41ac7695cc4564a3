// Where a list from the oldest event on begins: in the months of the hours of arrival that have the
// oldest events (migration 0029). An event may tell of any time before its arrival, so an event of
// last week may come first.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { floorOfEventDate, RECENT_MS } from '../../kernel/db/months/event-floor.ts'
import { isInMonths } from '../../kernel/db/months/event-months.ts'
import { floorOfMonth, startOfMonth } from '../../kernel/db/months/months.ts'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import { readUuidTimeMs } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

/** Months that are looked into before all others. */
export interface FirstMonths {
  readonly condition: RawBuilder<unknown>
  /** Whether these rows are the page: no event of another month belongs into it. */
  readonly isPage: (rows: readonly { readonly event_date: Date }[]) => Promise<boolean>
}

// Reading them takes some 3 ms. There are more where many hours have late events.
const HOURS_MAX = 2_000

interface FirstHours {
  readonly fromIds: readonly string[]
  /** All other hours begin later; null when there are no others. */
  readonly reached: Date | null
}

interface HoursRequest {
  readonly limit: number
  /** How many hours are looked up. */
  readonly hours: number
  /** No event of the list is earlier. */
  readonly since: string | null
}

/**
 * For a list by the time of events, in rising order. Each hour has an event of its first time, so
 * as many hours as a page has rows fill the page of a list without filters. Null where that leaves
 * out nothing.
 */
export async function chooseMonthsOfHours(
  db: Db,
  scope: TenantScope,
  { limit, hours: count, since }: HoursRequest,
): Promise<FirstMonths | null> {
  const { fromIds, reached } = await listFirstHours(db, scope, since, count)
  if (fromIds.length === 0 || fromIds.length > HOURS_MAX) return null
  const hours = fromIds.map((id) => ({ low: id, high: id }))
  return {
    condition: isInMonths(hours, sql`event.event_id`),
    async isPage(rows) {
      if (reached === null) return true
      const last = rows.at(limit)
      if (last === undefined) return false
      if (last.event_date <= reached) return true
      const isAmong = isInMonths(hours, sql`from_id`)
      const next = await findNextHour(db, scope, isSince(since), reached, isAmong)
      return next === null || last.event_date < next
    },
  }
}

async function listFirstHours(
  db: Db,
  { tenantId }: TenantScope,
  since: string | null,
  count: number,
): Promise<FirstHours> {
  const later = since === null ? sql`` : sql`and first_event_date >= ${since}::timestamptz`
  const { rows } = await sql<{ from_id: string; reached: Date | null }>`
    with reach as (
      select (
        select first_event_date from event_hour where tenant_id = ${tenantId} ${later}
        order by first_event_date offset ${count - 1} limit 1
      ) as at
    )
    select from_id, reach.at as reached from event_hour cross join reach
    where tenant_id = ${tenantId} and ${isSince(since)} and (reach.at is null or first_event_date <= reach.at)
    limit ${HOURS_MAX + 1}`.execute(db)
  return { fromIds: rows.map((row) => row.from_id), reached: rows[0]?.reached ?? null }
}

/** The first time of the hours of other months. */
async function findNextHour(
  db: Db,
  { tenantId }: TenantScope,
  isLater: RawBuilder<unknown>,
  reached: Date,
  isAmong: RawBuilder<unknown>,
): Promise<Date | null> {
  const { rows } = await sql<{ first_event_date: Date }>`
    select first_event_date from event_hour
    where tenant_id = ${tenantId} and ${isLater} and first_event_date > ${reached} and not ${isAmong}
    order by first_event_date limit 1`.execute(db)
  return rows[0]?.first_event_date ?? null
}

function isSince(since: string | null): RawBuilder<unknown> {
  return since === null ? sql`true` : sql`from_id >= ${floorOfEventDate(since)}::uuid`
}

/** For a list by arrival, in rising order: the month in which it begins, and often the next one. */
export async function chooseMonthsById(
  db: Db,
  scope: TenantScope,
  { limit, position }: PageRequest,
  after: string | null,
): Promise<FirstMonths | null> {
  const earliest = after === null ? null : floorOfEventDate(after)
  const first = position?.[0] ?? (await findFirstHour(db, scope, earliest))
  if (first === null) return null
  const firstMs = readUuidTimeMs(earliest !== null && earliest > first ? earliest : first)
  return {
    condition: sql`event.event_id >= ${floorOfMonth(firstMs)}::uuid
      and event.event_id < ${floorOfMonth(startOfMonth(firstMs + RECENT_MS, 1))}::uuid`,
    isPage: async (rows) => rows.length > limit,
  }
}

async function findFirstHour(
  db: Db,
  { tenantId }: TenantScope,
  earliest: string | null,
): Promise<string | null> {
  const since = earliest === null ? sql`` : sql`and from_id >= ${earliest}::uuid`
  const { rows } = await sql<{ from_id: string }>`
    select from_id from event_hour where tenant_id = ${tenantId} ${since} order by from_id limit 1`.execute(
    db,
  )
  return rows[0]?.from_id ?? null
}

// SQL of repeat counters: how many cases and events a customer had in the last 30, 90 and 365 days.
// Counted when asked, from indexes by customer and time, so that nothing has to be kept.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { floorOfEventDate } from '../../kernel/db/months/event-floor.ts'
import { chooseEventMonths, hasEvents } from '../../kernel/db/months/event-months.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

const COUNTER_DAYS = [30, 90, 365] as const

export interface CustomerCounter {
  readonly days: (typeof COUNTER_DAYS)[number]
  /** Cases that were opened in these days, without those that were merged into another. */
  readonly cases: number
  /** Events of these days, by their own time. */
  readonly events: number
  /** False: a limit was reached, and there are more. */
  readonly isComplete: boolean
}

// 20 ms from an index alone. Cases are read from their rows, which tell of merges.
const EVENTS_MAX = 100_000
const CASES_MAX = 10_000
const DAY_MS = 24 * 3_600_000

export interface CountLimits {
  readonly at: Date
  /** 100,000 when left out. */
  readonly eventsMax?: number
  /** 10,000 when left out. */
  readonly casesMax?: number
}

/** One for each of `COUNTER_DAYS`, ending at `at`. Zeros for a customer of nothing. */
export async function countOfCustomer(
  db: Db,
  scope: TenantScope,
  customerId: string,
  { at, eventsMax = EVENTS_MAX, casesMax = CASES_MAX }: CountLimits,
): Promise<readonly CustomerCounter[]> {
  const starts = COUNTER_DAYS.map((days) => new Date(at.getTime() - days * DAY_MS))
  const ofCustomer = sql`tenant_id = ${scope.tenantId} and customer_id = ${customerId}`
  const first = starts.at(-1) ?? at
  const months = await chooseEventMonths(db, scope, 'customer', [customerId])
  const result = await sql<{ day: number; cases: number; events: number }>`
    with opened as materialized (
      select created_at as time from abuse_case
      where ${ofCustomer} and created_at >= ${first} and created_at <= ${at} and close_reason is distinct from 'merged'
      order by created_at desc limit ${casesMax + 1}
    ), happened as materialized (
      select event_date as time from event
      where ${ofCustomer} and event_date >= ${first} and event_date <= ${at}
        and event_id >= ${floorOfEventDate(first)}::uuid and ${months}
      order by event_date desc limit ${eventsMax + 1}
    )
    select day, (select count(*) from opened where time >= start) as cases,
      (select count(*) from happened where time >= start) as events
    from unnest(${[...COUNTER_DAYS]}::integer[], ${starts}::timestamptz[]) as given (day, start)`.execute(
    db,
  )
  const byDays = new Map(result.rows.map((row) => [row.day, row]))
  return COUNTER_DAYS.map((days) => {
    const { cases = 0, events = 0 } = byDays.get(days) ?? {}
    return {
      days,
      cases: Math.min(cases, casesMax),
      events: Math.min(events, eventsMax),
      isComplete: cases <= casesMax && events <= eventsMax,
    }
  })
}

/** Whether the tenant has a record, a case or an event of this customer. */
export async function hasCustomer(
  db: Db,
  scope: TenantScope,
  customerId: string,
): Promise<boolean> {
  const { tenantId } = scope
  const result = await sql<{ found: boolean }>`
    select exists (select from customer where tenant_id = ${tenantId} and id = ${customerId})
      or exists (select from abuse_case where tenant_id = ${tenantId} and customer_id = ${customerId}) as found`.execute(
    db,
  )
  return result.rows[0]?.found === true || (await hasEvents(db, scope, 'customer', [customerId]))
}

/** The number of open cases by customer; one without any is left out. */
export async function countOpenCases(
  db: Db,
  { tenantId }: TenantScope,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (customerIds.length === 0) return new Map()
  const found = await sql<{ id: string; count: number }>`
    select customer_id as id, count(*) as count from abuse_case
    where tenant_id = ${tenantId} and customer_id = any(${[...customerIds]}::text[])
      and state in ('NEW', 'IN_PROGRESS')
    group by customer_id`.execute(db)
  return new Map(found.rows.map(({ id, count }) => [id, count]))
}

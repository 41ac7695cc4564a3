// SQL of statistics: the rows of one time by an index that begins with it, counted in one pass. The
// number of rows is bounded, and so is the time of the statement.

import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../kernel/db/database.ts'
import { floorOfEventDate } from '../../../kernel/db/months/event-floor.ts'
import { readErrorCode } from '../../../kernel/db/trouble-codes.ts'
import { buildUuidFloor } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { statsTooSlow } from '../errors.ts'

export type MetricName = 'cases_opened' | 'cases_ended' | 'events' | 'reports'
export type IntervalName = 'hour' | 'day' | 'week' | 'month'

export interface StatsRequest {
  readonly metric: MetricName
  /** A member that STATS_MEMBERS has for the metric. */
  readonly by: string | null
  readonly interval: IntervalName | null
  readonly from: Date
  readonly to: Date
  /** The number of values of `by`. */
  readonly limit: number
  /** Members of STATS_FILTERS with the value that they must have. */
  readonly filters: Readonly<Record<string, string>>
}

/** From the creation of cases to their end; null for other metrics, and where there are none. */
interface CountedTimes {
  readonly median_seconds: number
  readonly p90_seconds: number
}

interface CountedPart {
  readonly count: number
  readonly times: CountedTimes | null
}

interface CountedValue {
  readonly value: string | null
  readonly count: number
  /** As the series of all, with counts alone; null without an interval. */
  readonly series: Readonly<Record<string, number>> | null
}

export interface CountedStats {
  readonly total: number
  readonly times: CountedTimes | null
  /** By the beginning of the interval in ms; intervals without any are left out. */
  readonly series: Readonly<Record<string, CountedPart>>
  readonly top: readonly CountedValue[]
}

/** What each metric is counted by. */
export const STATS_MEMBERS: Readonly<Record<MetricName, readonly string[]>> = {
  cases_opened: [
    'state',
    'case_group_id',
    'customer_id',
    'severity',
    'assignee_user_id',
    'resolution',
    'close_reason',
  ],
  cases_ended: [
    'state',
    'case_group_id',
    'customer_id',
    'severity',
    'assignee_user_id',
    'resolution',
    'close_reason',
  ],
  events: ['event_type', 'customer_id', 'ip', 'domain', 'sender_email', 'resolved'],
  reports: ['state', 'format', 'media_type', 'via'],
}

/** The members by which each metric can be narrowed down. */
export const STATS_FILTERS: Readonly<Record<MetricName, readonly string[]>> = {
  cases_opened: ['customer_id', 'case_group_id'],
  cases_ended: ['customer_id', 'case_group_id'],
  events: ['case_id', 'customer_id', 'event_type'],
  reports: [],
}

// SQLSTATE of a statement that reached its time limit.
const QUERY_CANCELED = '57014'

export interface StatsBounds {
  readonly rowsMax: number
  readonly statementMsMax: number
}

/**
 * Null when there are more than `rowsMax` rows in the time. Throws CASEWORK_STATS_TOO_SLOW when
 * they are not counted within `statementMsMax`.
 */
export async function countStats(
  db: Db,
  scope: TenantScope,
  { metric, by, interval, from, to, limit, filters }: StatsRequest,
  { rowsMax, statementMsMax }: StatsBounds,
): Promise<CountedStats | null> {
  const { table, at, isWithin } = chooseSource(metric, from, to)
  const conditions = [
    sql`tenant_id = ${scope.tenantId}`,
    isWithin,
    ...Object.entries(filters).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
  ]
  const value = by === null ? sql`null::text` : sql`${sql.ref(by)}::text`
  // A parameter would be of no known type at each of its places.
  const part = interval === null ? null : sql.lit(interval)
  const hasTimes = metric === 'cases_ended'
  const found = part === null ? sql`null::bigint` : buildStart(part, at)
  const taken = hasTimes ? sql`ended_at - created_at` : sql`null::interval`
  return await inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(statementMsMax)}`.execute(tx)
    const counted = await sql<CountedStats>`
      with found as materialized (
        select ${value} as value, ${found} as start, extract(epoch from ${taken}) as taken
        from ${sql.table(table)}
        where ${sql.join(conditions, sql` and `)} limit ${rowsMax + 1}
      )
      select (select count(*)::int from found) as total,
        ${hasTimes ? sql`(select ${TIMES} from found)` : NO_TIMES} as times,
        ${part === null ? sql`'{}'::jsonb` : buildSeries(hasTimes ? TIMES : NO_TIMES)} as series,
        ${by === null ? sql`'[]'::jsonb` : buildTop(limit, part !== null)} as top`.execute(tx)
    const [row] = counted.rows
    if (row === undefined) throw new Error('a count has no row')
    return row.total > rowsMax ? null : row
  }).catch((error: unknown) => {
    throw readErrorCode(error) === QUERY_CANCELED ? statsTooSlow(statementMsMax, error) : error
  })
}

// A case that was opened with an end in the past has taken no time.
const TIMES = sql`case when count(taken) = 0 then null::jsonb else jsonb_build_object(
  'median_seconds', greatest(0, round(percentile_cont(0.5) within group (order by taken))),
  'p90_seconds', greatest(0, round(percentile_cont(0.9) within group (order by taken)))) end`

const NO_TIMES = sql`null::jsonb`

/** The beginning of the interval in which the row is, in ms. */
function buildStart(part: RawBuilder<unknown>, at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`floor(extract(epoch from date_trunc(${part}, ${at}, 'UTC')) * 1000)::bigint`
}

function buildSeries(times: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(jsonb_object_agg(start, jsonb_build_object('count', count, 'times', times)), '{}') from (
      select start, count(*), ${times} as times from found group by start
    ) as part)`
}

/** The values with the most rows; with an interval, each with its series, counted in one pass. */
function buildTop(limit: number, hasSeries: boolean): RawBuilder<unknown> {
  const best = sql`(
    select value, count(*) from found group by value order by count(*) desc, value limit ${limit}
  ) as best`
  if (!hasSeries) {
    return sql`(
      select coalesce(jsonb_agg(jsonb_build_object('value', value, 'count', count, 'series', null)
        order by count desc, value), '[]') from ${best})`
  }
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object('value', best.value, 'count', best.count, 'series', series)
      order by best.count desc, best.value), '[]')
    from ${best} join (
      select value, jsonb_object_agg(start, count) as series from (
        select value, start, count(*) from found group by value, start
      ) as part group by value
    ) as each on each.value is not distinct from best.value)`
}

interface Source {
  readonly table: 'abuse_case' | 'event' | 'report'
  readonly at: RawBuilder<unknown>
  readonly isWithin: RawBuilder<unknown>
}

function chooseSource(metric: MetricName, from: Date, to: Date): Source {
  const within = (column: string): Pick<Source, 'at' | 'isWithin'> => ({
    at: sql.ref(column),
    isWithin: sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`,
  })
  switch (metric) {
    case 'cases_opened':
      return { table: 'abuse_case', ...within('created_at') }
    case 'cases_ended':
      return { table: 'abuse_case', ...within('ended_at') }
    case 'events':
      return {
        table: 'event',
        at: sql.ref('event_date'),
        isWithin: sql`event_date >= ${from} and event_date < ${to} and event_id >= ${floorOfEventDate(from)}::uuid`,
      }
    case 'reports': {
      // Ids are UUIDv7: their order is that of arrival, and the primary key finds them.
      const [first, last] = [buildUuidFloor(from.getTime()), buildUuidFloor(to.getTime())]
      const isWithin = sql`id >= ${first}::uuid and id < ${last}::uuid`
      return { table: 'report', at: sql.ref('received_at'), isWithin }
    }
  }
}

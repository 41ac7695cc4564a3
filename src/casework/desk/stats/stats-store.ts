// SQL of statistics: the rows of one time by an index that begins with it, counted in one pass. The
// number of rows is bounded, and so is the time of the statement.

import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../kernel/db/database.ts'
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

export interface CountedStats {
  readonly total: number
  /** By the beginning of the interval in ms; intervals without any are left out. */
  readonly series: Readonly<Record<string, number>>
  readonly top: readonly { readonly value: string | null; readonly count: number }[]
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
  events: ['customer_id', 'event_type'],
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
  const series =
    part === null
      ? sql`'{}'::jsonb`
      : sql`(
          select coalesce(jsonb_object_agg(floor(extract(epoch from start) * 1000)::bigint, count), '{}') from (
            select date_trunc(${part}, at, 'UTC') as start, count(*) from found group by 1
          ) as part)`
  const top =
    by === null
      ? sql`'[]'::jsonb`
      : sql`(
          select coalesce(jsonb_agg(jsonb_build_object('value', value, 'count', count) order by count desc, value), '[]') from (
            select value, count(*) from found group by value order by count(*) desc, value limit ${limit}
          ) as best)`
  return await inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(statementMsMax)}`.execute(tx)
    const counted = await sql<CountedStats>`
      with found as materialized (
        select ${at} as at, ${value} as value from ${sql.table(table)}
        where ${sql.join(conditions, sql` and `)} limit ${rowsMax + 1}
      )
      select (select count(*)::int from found) as total, ${series} as series, ${top} as top`.execute(
      tx,
    )
    const [row] = counted.rows
    if (row === undefined) throw new Error('a count has no row')
    return row.total > rowsMax ? null : row
  }).catch((error: unknown) => {
    throw readErrorCode(error) === QUERY_CANCELED ? statsTooSlow(statementMsMax, error) : error
  })
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
      return { table: 'event', ...within('event_date') }
    case 'reports': {
      // Ids are UUIDv7: their order is that of arrival, and the primary key finds them.
      const [first, last] = [buildUuidFloor(from.getTime()), buildUuidFloor(to.getTime())]
      const isWithin = sql`id >= ${first}::uuid and id < ${last}::uuid`
      return { table: 'report', at: sql.ref('received_at'), isWithin }
    }
  }
}

// Counts sightings by day. An observation that spans several days is spread evenly over them, so
// the statement means the same for rows as they were pushed and for rows that are rolled up by day.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { textArray } from '../../kernel/db/sql-array.ts'
import { REPORT_SOURCE_PREFIX } from '../facts/sighting-rules.ts'

/** What the counts of a day are divided by. */
export type SightingMember = 'kind' | 'source' | 'service' | 'type'

export interface SightingDaysQuestion {
  /** Canonical texts of addresses and domains. */
  readonly subjects: readonly string[]
  /** The first day, as the milliseconds of its beginning in UTC. */
  readonly fromMs: number
  /** Number of days. */
  readonly days: number
  readonly by: SightingMember
  /** Values beyond so many of the largest ones are summed up. */
  readonly valuesMax: number
}

export interface DayCount {
  /** Empty for sightings without a service; null for the sum of the values beyond `valuesMax`. */
  readonly value: string | null
  /** The kind of the source that `value` names; null for another member. */
  readonly kind: string | null
  /** Days since the first one. */
  readonly day: number
  readonly count: number
}

const DAY_MS = 86_400_000

// Nothing may name a tenant or a reporter, so the sources of accepted reports are one.
const SOURCE_NAME = sql`case
  when starts_with(source.name, ${REPORT_SOURCE_PREFIX}) then 'casework'
  else source.name
end`

const MEMBERS: Readonly<Record<SightingMember, RawBuilder<unknown>>> = {
  kind: sql`source.kind`,
  source: SOURCE_NAME,
  service: sql`fact.service`,
  type: sql`fact.type`,
}

/**
 * The counts that are not 0; the largest value first, its days in order.
 *
 * A day gets the share of an observation up to its end less the share up to its beginning. Both are
 * rounded down, so the days of an observation add up to exactly its count.
 */
export async function countSightingDays(
  db: Db,
  { subjects, fromMs, days, by, valuesMax }: SightingDaysQuestion,
): Promise<readonly DayCount[]> {
  const [from, to] = [new Date(fromMs), new Date(fromMs + days * DAY_MS)]
  const { rows } = await sql<DayCount>`
    with observed as (
      select ${MEMBERS[by]} as value, ${by === 'source' ? sql`source.kind` : sql`null`} as kind,
        count::numeric as count,
        floor(extract(epoch from first_seen - ${from}::timestamptz) / 86400)::integer as first_day,
        floor(extract(epoch from last_seen - ${from}::timestamptz) / 86400)::integer as last_day
      from known_sighting fact join intel_source source on source.id = source_id
      where subject = any(${textArray(subjects)}::text[])
        and last_seen >= ${from} and first_seen < ${to}
    ), shared as (
      select value, kind, day, sum(
        floor((day - first_day + 1) * count / (last_day - first_day + 1))
          - floor((day - first_day) * count / (last_day - first_day + 1))
      ) as count
      from observed
      cross join lateral generate_series(
        greatest(first_day, 0), least(last_day, ${days - 1}::integer)
      ) as day
      group by value, kind, day
    ), ranked as (
      select value as of_value, kind as of_kind,
        row_number() over (order by sum(count) desc, value, kind) as place
      from shared group by value, kind
    ), named as (
      select least(place, ${valuesMax}::bigint + 1) as place, day, count,
        case when place <= ${valuesMax} then value end as value,
        case when place <= ${valuesMax} then kind end as kind
      from shared join ranked on of_value = value and of_kind is not distinct from kind
    )
    select value, kind, day, sum(count)::bigint as count
    from named
    group by place, value, kind, day
    having sum(count) > 0
    order by place, day`.execute(db)
  return rows
}

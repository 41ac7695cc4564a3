// Moves a time within an upsert, `coalesce` or `case` of a write.

import { type RawBuilder, sql } from 'kysely'

/**
 * The time of a column plus an interval. Adding to a time with a zone is stable, because a day may
 * have 23 hours, and Citus refuses stable functions there. A time in UTC is moved by an
 * immutable one.
 */
export function moveTime(
  time: RawBuilder<unknown>,
  interval: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`((${time} at time zone 'UTC' + ${interval}) at time zone 'UTC')`
}

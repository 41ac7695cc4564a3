// A condition for rows that are joined to a batch by their id.

import { type RawBuilder, sql } from 'kysely'

/**
 * A condition that these events meet: their ids lie between the lowest and the highest of them. For
 * a statement that also joins events to a batch of these ids, because the planner leaves out the
 * partitions of other months for values that it knows, and not for a join (migration 0118).
 */
export function isAmong(eventIds: readonly string[]): RawBuilder<unknown> {
  // PostgreSQL sorts UUIDs as their lower-case texts are sorted.
  const [first, ...others] = eventIds
  let [low, high] = [first ?? '', first ?? '']
  for (const id of others) {
    if (id < low) low = id
    if (id > high) high = id
  }
  return sql`event.event_id between ${low}::uuid and ${high}::uuid`
}

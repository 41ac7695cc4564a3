// A condition for rows that are joined to a batch by their id.

import { type RawBuilder, sql } from 'kysely'

/**
 * The condition that the id of an event is among these, for a statement that also joins it to a
 * batch. The planner leaves out the partitions of other months for values that it knows, and not
 * for a join (migration 0118).
 */
export function isAmong(eventIds: readonly string[]): RawBuilder<unknown> {
  // Lower-case UUIDs are in the order of their text.
  const [first, ...others] = eventIds
  let [low, high] = [first ?? '', first ?? '']
  for (const id of others) {
    if (id < low) low = id
    if (id > high) high = id
  }
  return sql`event.event_id between ${low}::uuid and ${high}::uuid`
}

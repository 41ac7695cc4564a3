// Events of any month by their ids. The planner leaves out partitions for the ids that it is given,
// and has none to leave out where each month has some of them. So the database keeps a plan
// (migrations 0126 and 0127).

import { type RawBuilder, sql } from 'kysely'

/**
 * The events of these distinct ids as a table `event`, with the columns that migration 0126 names.
 * Citus runs such a function beside no table, so it stands alone in a statement.
 */
export function listEventsById(
  { tenantId }: { readonly tenantId: string },
  eventIds: readonly string[],
): RawBuilder<unknown> {
  return sql`find_events_by_id(${tenantId}, ${[...eventIds]}::uuid[]) as event`
}

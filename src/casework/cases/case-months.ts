// The months of arrival in which a case may have events (kernel/db/months/event-months.ts).

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { floorOfEventDate } from '../../kernel/db/months/event-floor.ts'
import { findEventMonths } from '../../kernel/db/months/event-months.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

/**
 * A condition on `event.event_id` that all events of the case meet. For reading only: it rests on
 * the first date of the case, which a change of its events writes after them.
 */
export async function chooseMonthsOfCase(
  db: Db,
  scope: TenantScope,
  caseId: string,
): Promise<RawBuilder<unknown>> {
  const held = await findEventMonths(db, scope, 'case', [caseId])
  return held ?? (await chooseMonthsSinceCase(db, scope, caseId))
}

/** The same by the first date of the case alone: months since then. */
export async function chooseMonthsSinceCase(
  db: Db,
  scope: TenantScope,
  caseId: string,
): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ first: Date | null }>`
    select first_event_date as first from abuse_case
    where tenant_id = ${scope.tenantId} and id = ${caseId}`.execute(db)
  const first = rows[0]?.first ?? null
  return first === null ? sql`true` : sql`event.event_id >= ${floorOfEventDate(first)}::uuid`
}

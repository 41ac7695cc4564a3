// SQL of the changes that cases make to their events: marking them as resolved when a case ends,
// and moving them between cases. The app hands these functions to the cases feature, which comes
// before this one in the order of imports.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import { chooseEventMonths } from '../../kernel/db/months/event-months.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { ResolvedCase } from '../cases/case-move-store.ts'
import type { EventMoves, SplitChoice } from '../cases/merge/merge-deps.ts'
import { noteItemsOfCases, noteItemsOfWithdrawn } from '../sightings/sighting-change-store.ts'

export async function markEventsResolved(
  tx: Tx,
  scope: TenantScope,
  cases: readonly ResolvedCase[],
): Promise<void> {
  if (cases.length === 0) return
  const ids = cases.map(({ caseId }) => caseId)
  const months = await chooseEventMonths(tx, scope, 'case', ids)
  await sql`
    update event set resolved = true
    from json_to_recordset(${JSON.stringify(cases)}::json) as given ("caseId" text, until timestamptz)
    where event.tenant_id = ${scope.tenantId} and event.case_id = given."caseId" collate "C" and not event.resolved
      and (given.until is null or event.event_date <= given.until) and ${months}`.execute(tx)
}

export const eventMoves: EventMoves = {
  async moveIn(tx, scope, sourceId, target) {
    await noteItemsOfWithdrawn(tx, scope, [sourceId, target.id])
    return await moveInBatches(
      tx,
      scope,
      { caseId: sourceId },
      sql`case_id = ${target.id}, merged_from = coalesce(event.merged_from, ${sourceId}),
        resolved_before = array_append(event.resolved_before, event.resolved),
        resolved = ${isResolvedAt(target.resolvedAt)}`,
    )
  },
  async moveBack(tx, scope, targetId, source, originIds) {
    const moved = await moveInBatches(
      tx,
      scope,
      { caseId: targetId, more: sql`merged_from = any(${[...originIds]}::text[])` },
      // Events that were merged before migration 0023 have no entry in resolved_before.
      sql`case_id = ${source.id}, merged_from = nullif(event.merged_from, ${source.id}),
        resolved = coalesce(event.resolved_before[cardinality(event.resolved_before)], ${isResolvedAt(source.resolvedAt)}),
        resolved_before = trim_array(event.resolved_before, least(1, cardinality(event.resolved_before)))`,
    )
    // The source is again what it was, perhaps a false positive.
    await noteItemsOfCases(tx, scope, [source.id])
    return moved
  },
  async moveChosen(tx, scope, fromId, toId, choice) {
    await noteItemsOfWithdrawn(tx, scope, [fromId])
    return await moveInBatches(
      tx,
      scope,
      { caseId: fromId, more: buildChoice(choice) },
      sql`case_id = ${toId}, merged_from = null, resolved_before = null, resolved = false`,
    )
  },
  countChosen: async (tx, scope, caseId, choice) => {
    const months = await chooseEventMonths(tx, scope, 'case', [caseId])
    const result = await sql<{ count: number }>`
      select count(*) as count from event
      where tenant_id = ${scope.tenantId} and case_id = ${caseId} and ${buildChoice(choice)} and ${months}`.execute(
      tx,
    )
    return result.rows[0]?.count ?? 0
  },
}

type Fragment = ReturnType<typeof sql>

/** As when the case became RESOLVED: events dated until then are resolved with it. */
function isResolvedAt(resolvedAt: Date | null): Fragment {
  return sql`coalesce(event.event_date <= ${resolvedAt}::timestamptz, false)`
}

function buildChoice(choice: SplitChoice): Fragment {
  if ('eventIds' in choice) return sql`event_id = any(${[...choice.eventIds]}::uuid[])`
  const { ip, domain, eventType, after, before } = choice
  const conditions = [
    sql`true`,
    ...(ip === undefined ? [] : [sql`ip = ${ip}`]),
    ...(domain === undefined ? [] : [sql`domain = ${domain}`]),
    ...(eventType === undefined ? [] : [sql`event_type = ${eventType}`]),
    ...(after === undefined ? [] : [sql`event_date >= ${after}::timestamptz`]),
    ...(before === undefined ? [] : [sql`event_date < ${before}::timestamptz`]),
  ]
  return sql`${sql.join(conditions, sql` and `)}`
}

// Each event is in seven indexes; 10,000 of them move well within the statement timeout
// (database.ts).
const BATCH = 10_000

// Ends: a moved event is no longer in the case, and the caller has bounded their number and locked
// both cases.
async function moveInBatches(
  tx: Tx,
  scope: TenantScope,
  { caseId, more = sql`true` }: { readonly caseId: string; readonly more?: Fragment },
  change: Fragment,
): Promise<number> {
  const months = await chooseEventMonths(tx, scope, 'case', [caseId])
  let moved = 0
  for (;;) {
    const result = await sql`
      update event set ${change}
      from (
        select event_id as id from event
        where tenant_id = ${scope.tenantId} and case_id = ${caseId} and ${more} and ${months} limit ${BATCH}
      ) as chosen
      where event.tenant_id = ${scope.tenantId} and event.event_id = chosen.id and ${months}`.execute(
      tx,
    )
    const count = Number(result.numAffectedRows ?? 0n)
    moved += count
    if (count < BATCH) return moved
  }
}

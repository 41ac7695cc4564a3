// Retention of cases: removes ended cases with all their rows, a bounded batch at a time.

import { sql } from 'kysely'
import { RetryTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { writeCounters } from '../../cases/case-counters-store.ts'
import { readMergeTrees } from '../../cases/case-tree.ts'
import { forgetLastEvents } from '../../cases/lists/last-event-store.ts'
import { releaseKeysOf } from '../../cases/recount/stray-key-store.ts'
import { type EventItems, noteItems } from '../../sightings/sighting-change-store.ts'
import { blockNewLegalHolds, listCasesOnLegalHold } from '../legal-holds/legal-hold-store.ts'
import { hasMitigations, removeTraces } from './retention-store.ts'

export interface CaseBatch {
  readonly cases: number
  readonly events: number
  /** False: there is more to do. */
  readonly isDone: boolean
}

/**
 * Removes cases that ended before this time, the oldest end first: about `casesMax` cases and about
 * `eventsMax` of their events. Cases that were merged into a case are removed with it and not
 * before: until then they can be unmerged, and their keys lead to that case. Cases on legal hold
 * stay, and so do those of which a mitigation is in force: it could not be undone any more.
 */
export async function removeCases(
  tx: Tx,
  scope: TenantScope,
  endedBefore: Date,
  { casesMax, eventsMax }: { readonly casesMax: number; readonly eventsMax: number },
): Promise<CaseBatch> {
  await blockNewLegalHolds(tx, scope)
  const onHold = await listCasesOnLegalHold(tx, scope)
  const due = await sql<{ id: string; eventCount: number }>`
    select id, event_count as "eventCount" from abuse_case
    where tenant_id = ${scope.tenantId} and ended_at < ${endedBefore} and merged_into is null
      and id <> all(${[...onHold]}::text[]) and not ${hasMitigations(scope)}
    order by ended_at, id limit ${casesMax}`.execute(tx)
  const roots: string[] = []
  let planned = 0
  for (const { id, eventCount } of due.rows) {
    if (roots.length > 0 && planned + eventCount > eventsMax) break
    roots.push(id)
    planned += eventCount
  }
  if (roots.length === 0) return { cases: 0, events: 0, isDone: true }
  const caseIds = await lockTrees(tx, scope, roots, endedBefore)
  const events = await removeEventsOf(tx, scope, caseIds, eventsMax)
  // A case with more events than a batch takes several batches, and is recounted after each.
  const isWhole = events < eventsMax
  if (isWhole) await removeRows(tx, scope, caseIds)
  else await writeCounters(tx, scope, caseIds)
  const isDone = isWhole && roots.length === due.rows.length && due.rows.length < casesMax
  return { cases: isWhole ? caseIds.length : 0, events, isDone }
}

/**
 * Locks the cases with all cases that were merged into them. Keys first, as everywhere. An ended
 * case is not the open case of a key; a stray entry for one of its keys is removed with it.
 */
async function lockTrees(
  tx: Tx,
  scope: TenantScope,
  roots: readonly string[],
  endedBefore: Date,
): Promise<readonly string[]> {
  const tree = await readMergeTrees(tx, scope, roots)
  const caseIds = [...new Set(tree.map(({ id }) => id))]
  await releaseKeysOf(tx, scope, tree, caseIds)
  const locked = await sql<{ id: string }>`
    select id from abuse_case
    where tenant_id = ${scope.tenantId} and id = any(${caseIds}::text[])
      and case when id = any(${[...roots]}::text[]) then merged_into is null and ended_at < ${endedBefore}
        else merged_into is not null end
    order by id for update`.execute(tx)
  const again = await readMergeTrees(tx, scope, roots)
  const isSame = again.length === tree.length && again.every(({ id }) => caseIds.includes(id))
  if (!isSame || locked.rows.length !== caseIds.length) {
    throw new RetryTransaction('a case was opened or merged before retention locked it')
  }
  return caseIds
}

async function removeEventsOf(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
  limit: number,
): Promise<number> {
  const gone = await sql<EventItems & { eventId: string }>`
    delete from event using (
      select event_id from event where tenant_id = ${scope.tenantId} and case_id = any(${[...caseIds]}::text[])
      limit ${limit}
    ) as due
    where event.tenant_id = ${scope.tenantId} and event.event_id = due.event_id
    returning event.event_id as "eventId", event.ip, event.domain`.execute(tx)
  await noteItems(tx, scope, gone.rows)
  await removeTraces(
    tx,
    scope,
    gone.rows.map((row) => row.eventId),
  )
  return gone.rows.length
}

async function removeRows(tx: Tx, scope: TenantScope, caseIds: readonly string[]): Promise<void> {
  const { tenantId } = scope
  const ids = [...caseIds]
  // Locked, so that no worker runs a step of them.
  const runs = await sql<{ id: string }>`
    select id from run where tenant_id = ${tenantId} and case_id = any(${ids}::text[]) order by id for update`.execute(
    tx,
  )
  const runIds = runs.rows.map((row) => row.id)
  for (const table of ['trigger_signal', 'run_attempt', 'visit', 'run_token'] as const) {
    // A fixed few, on one connection.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await sql`delete from ${sql.table(table)} where tenant_id = ${tenantId} and run_id = any(${runIds}::uuid[])`.execute(
      tx,
    )
  }
  await sql`delete from run where tenant_id = ${tenantId} and id = any(${runIds}::uuid[])`.execute(
    tx,
  )
  // A digest has the text of notices about these cases.
  await sql`
    delete from notice where tenant_id = ${tenantId} and id = any(
      select digest_id from notice where tenant_id = ${tenantId} and case_id = any(${ids}::text[]) and digest_id is not null)`.execute(
    tx,
  )
  const ofCases = [
    'notice',
    'mitigation',
    'case_comment',
    'case_history',
    'bulk_change_case',
  ] as const
  for (const table of ofCases) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    await sql`delete from ${sql.table(table)} where tenant_id = ${tenantId} and case_id = any(${ids}::text[])`.execute(
      tx,
    )
  }
  await sql`delete from case_merge where tenant_id = ${tenantId} and source_id = any(${ids}::text[])`.execute(
    tx,
  )
  await forgetLastEvents(tx, scope, ids)
  await sql`delete from abuse_case where tenant_id = ${tenantId} and id = any(${ids}::text[])`.execute(
    tx,
  )
}

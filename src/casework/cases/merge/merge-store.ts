// SQL of merges (migration 0014): their records, and the rows of the cases that are merged and
// unmerged.

import { sql } from 'kysely'
import { seeTables, type Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CaseState, CloseReason, Resolution } from '../case-state.ts'
import type { CaseRow, CaseTables, WaitingOn } from '../case-tables.ts'
import { copyStates } from '../lists/last-event-store.ts'

/** The state of a case before its merge. */
export interface MergeRecord {
  readonly id: string
  readonly sourceId: string
  readonly state: CaseState
  readonly resolution: Resolution | null
  readonly closeReason: CloseReason | null
  readonly resolvedAt: Date | null
  readonly endedAt: Date | null
  readonly waitingOn: WaitingOn
}

export async function insertMerge(
  tx: Tx,
  scope: TenantScope,
  id: string,
  source: CaseRow,
  targetId: string,
  at: Date,
): Promise<void> {
  await sql`
    insert into case_merge (tenant_id, id, source_id, target_id, merged_at, event_count, state, resolution, close_reason,
      resolved_at, ended_at, waiting_on)
    values (${scope.tenantId}, ${id}, ${source.id}, ${targetId}, ${at}, ${source.event_count}, ${source.state},
      ${source.resolution}, ${source.close_reason}, ${source.resolved_at}, ${source.ended_at}, ${readOwnWaitingOn(source)})`.execute(
    tx,
  )
}

// Its runs end with the merge, and so does what they have set.
function readOwnWaitingOn({ waiting_on: shown, run_waits_for: set }: CaseRow): WaitingOn {
  return shown === set ? 'none' : shown
}

/** The merges into this case that were not undone, by the id of the source. */
export async function findMerges(
  tx: Tx,
  scope: TenantScope,
  targetId: string,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, MergeRecord>> {
  const result = await sql<MergeRecord>`
    select id, source_id as "sourceId", state, resolution, close_reason as "closeReason", resolved_at as "resolvedAt",
      ended_at as "endedAt", waiting_on as "waitingOn"
    from case_merge
    where tenant_id = ${scope.tenantId} and source_id = any(${[...sourceIds]}::text[]) and target_id = ${targetId}
      and unmerged_at is null`.execute(tx)
  return new Map(result.rows.map((row) => [row.sourceId, row]))
}

export async function endMerge(tx: Tx, scope: TenantScope, id: string, at: Date): Promise<void> {
  await sql`
    update case_merge set unmerged_at = ${at} where tenant_id = ${scope.tenantId} and id = ${id}`.execute(
    tx,
  )
}

/** Closes the locked case as merged into the target. */
export async function writeMerged(
  tx: Tx,
  source: CaseRow,
  targetId: string,
  at: Date,
): Promise<void> {
  await seeTables<CaseTables>(tx)
    .updateTable('abuse_case')
    .set({
      state: 'CLOSED',
      close_reason: 'merged',
      merged_into: targetId,
      ended_at: source.ended_at ?? at,
      waiting_on: 'none',
      run_waits_for: null,
      version: source.version + 1,
      updated_at: at,
    })
    .where('tenant_id', '=', source.tenant_id)
    .where('id', '=', source.id)
    .execute()
  await copyStates(tx, { tenantId: source.tenant_id }, [source.id])
}

/** Gives the locked case back the state it had before the merge. */
export async function writeUnmerged(
  tx: Tx,
  source: CaseRow,
  record: MergeRecord,
  at: Date,
): Promise<void> {
  await seeTables<CaseTables>(tx)
    .updateTable('abuse_case')
    .set({
      state: record.state,
      resolution: record.resolution,
      close_reason: record.closeReason,
      resolved_at: record.resolvedAt,
      ended_at: record.endedAt,
      waiting_on: record.waitingOn,
      merged_into: null,
      version: source.version + 1,
      updated_at: at,
    })
    .where('tenant_id', '=', source.tenant_id)
    .where('id', '=', source.id)
    .execute()
  await copyStates(tx, { tenantId: source.tenant_id }, [source.id])
}

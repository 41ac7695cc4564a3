// SQL of merges: their records, the events that go from case to case in batches, and the runs that
// end (migration 0014).

import { sql } from 'kysely'
import { seeTables, type Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CaseState, CloseReason, Resolution } from '../case-state.ts'
import type { CaseRow, CaseTables, WaitingOn } from '../case-tables.ts'
import { copyStates } from '../lists/last-event-store.ts'

/** What a case was like before its merge. */
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
      ${source.resolution}, ${source.close_reason}, ${source.resolved_at}, ${source.ended_at}, ${source.waiting_on})`.execute(
    tx,
  )
}

/** By the source: the merges into this case that stand. */
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

/** Makes the locked case one that was merged away. */
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
      version: source.version + 1,
      updated_at: at,
    })
    .where('tenant_id', '=', source.tenant_id)
    .where('id', '=', source.id)
    .execute()
  await copyStates(tx, { tenantId: source.tenant_id }, [source.id])
}

/** Makes the locked case what it was before. */
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

/** A decided change of the case that is told in its history only. */
export async function raiseVersion(tx: Tx, current: CaseRow, at: Date): Promise<void> {
  await seeTables<CaseTables>(tx)
    .updateTable('abuse_case')
    .set({ version: current.version + 1, updated_at: at })
    .where('tenant_id', '=', current.tenant_id)
    .where('id', '=', current.id)
    .execute()
}

// Each event is in seven indexes; 10,000 of them are moved well within the time that a statement
// may take (database.ts).
const BATCH = 10_000

/**
 * Moves every event of the source into the target, where it is as settled as the events there; each
 * remembers the first case it was in, and whether it was settled before. Gives their number.
 */
export async function moveEventsIn(
  tx: Tx,
  scope: TenantScope,
  sourceId: string,
  target: Pick<CaseRow, 'id' | 'resolved_at'>,
): Promise<number> {
  return await moveInBatches(
    tx,
    scope,
    sql`case_id = ${sourceId}`,
    sql`case_id = ${target.id}, merged_from = coalesce(event.merged_from, ${sourceId}),
      resolved_before = array_append(event.resolved_before, event.resolved),
      resolved = ${isSettledAt(target.resolved_at)}`,
  )
}

/** As when the case became RESOLVED: what happened until then is settled with it. */
function isSettledAt(resolvedAt: Date | null): Fragment {
  return sql`coalesce(event.event_date <= ${resolvedAt}::timestamptz, false)`
}

/**
 * Moves the events of a merge back: those whose first case is the source or was merged into it
 * before.
 */
export async function moveEventsBack(
  tx: Tx,
  scope: TenantScope,
  targetId: string,
  record: Pick<MergeRecord, 'sourceId' | 'resolvedAt'>,
  originIds: readonly string[],
): Promise<number> {
  const { sourceId } = record
  return await moveInBatches(
    tx,
    scope,
    sql`case_id = ${targetId} and merged_from = any(${[...originIds]}::text[])`,
    // A merge from before migration 0023 has nothing to give back.
    sql`case_id = ${sourceId}, merged_from = nullif(event.merged_from, ${sourceId}),
      resolved = coalesce(event.resolved_before[cardinality(event.resolved_before)], ${isSettledAt(record.resolvedAt)}),
      resolved_before = trim_array(event.resolved_before, least(1, cardinality(event.resolved_before)))`,
  )
}

/** Which events of a case are taken out of it. */
export type SplitChoice =
  | { readonly eventIds: readonly string[] }
  | {
      readonly ip?: string
      readonly domain?: string
      readonly eventType?: string
      readonly after?: string
      readonly before?: string
    }

/**
 * Moves the chosen events into a new case for good: no unmerge takes them along, and nothing of it
 * is settled.
 */
export async function moveChosenEvents(
  tx: Tx,
  scope: TenantScope,
  fromId: string,
  toId: string,
  choice: SplitChoice,
): Promise<number> {
  return await moveInBatches(
    tx,
    scope,
    sql`case_id = ${fromId} and ${buildChoice(choice)}`,
    sql`case_id = ${toId}, merged_from = null, resolved_before = null, resolved = false`,
  )
}

export async function countChosenEvents(
  tx: Tx,
  scope: TenantScope,
  caseId: string,
  choice: SplitChoice,
): Promise<number> {
  const result = await sql<{ count: number }>`
    select count(*) as count from event
    where tenant_id = ${scope.tenantId} and case_id = ${caseId} and ${buildChoice(choice)}`.execute(
    tx,
  )
  return result.rows[0]?.count ?? 0
}

function buildChoice(choice: SplitChoice) {
  if ('eventIds' in choice) return sql`event_id = any(${[...choice.eventIds]}::uuid[])`
  const { ip, domain, eventType, after, before } = choice
  return sql.join(
    [
      sql`true`,
      ...(ip === undefined ? [] : [sql`ip = ${ip}`]),
      ...(domain === undefined ? [] : [sql`domain = ${domain}`]),
      ...(eventType === undefined ? [] : [sql`event_type = ${eventType}`]),
      ...(after === undefined ? [] : [sql`event_date >= ${after}::timestamptz`]),
      ...(before === undefined ? [] : [sql`event_date < ${before}::timestamptz`]),
    ],
    sql` and `,
  )
}

type Fragment = ReturnType<typeof sql>

// What is moved no longer matches, so the loop ends; the caller has bounded their number and locked
// both cases.
async function moveInBatches(
  tx: Tx,
  scope: TenantScope,
  from: Fragment,
  change: Fragment,
): Promise<number> {
  let moved = 0
  for (;;) {
    const result = await sql`
      update event set ${change}
      from (
        select event_id as id from event where tenant_id = ${scope.tenantId} and ${from} limit ${BATCH}
      ) as chosen
      where event.tenant_id = ${scope.tenantId} and event.event_id = chosen.id`.execute(tx)
    const count = Number(result.numAffectedRows ?? 0n)
    moved += count
    if (count < BATCH) return moved
  }
}

export interface EndedRun {
  readonly runId: string
  readonly caseId: string
  readonly node: string
}

/**
 * Ends the active runs of these cases, wherever they stand. Taken before slots and cases, as
 * workers lock them (run-token-store.ts).
 */
export async function endRunsOfCases(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<readonly EndedRun[]> {
  const live = await sql<EndedRun>`
    select run_token.run_id as "runId", run_token.case_id as "caseId", run_token.node
    from run join run_token on run_token.tenant_id = run.tenant_id and run_token.run_id = run.id
    where run.tenant_id = ${scope.tenantId} and run.case_id = any(${[...caseIds]}::text[]) and run.state = 'active'
      and run_token.state in ('ready', 'waiting')
    order by run_token.case_id, run_token.run_id, run_token.id
    for update of run_token, run`.execute(tx)
  const runIds = [...new Set(live.rows.map((row) => row.runId))]
  if (runIds.length === 0) return []
  await sql`
    update run_token set state = 'done', lease_owner = null, lease_until = null
    where tenant_id = ${scope.tenantId} and run_id = any(${runIds}::uuid[]) and state in ('ready', 'waiting')`.execute(
    tx,
  )
  await sql`
    update run set state = 'ended', ended_at = now()
    where tenant_id = ${scope.tenantId} and id = any(${runIds}::uuid[])`.execute(tx)
  return live.rows
}

// SQL of runs that a person cancels, pauses, resumes or migrates: a run with the children below it,
// locked, and the states of their tokens.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { Vars, WaitingParty } from '../node-kind.ts'
import type { RunState, TokenState } from './run-store.ts'
import { KEEP_LEASE_OF_CALL } from './run-token-store.ts'

export interface LockedRun {
  readonly runId: string
  readonly caseId: string
  readonly playbookId: string
  readonly version: number
  readonly state: RunState
  readonly failure: string | null
  readonly parentRunId: string | null
  readonly parentTokenId: number | null
}

export interface LockedToken {
  readonly tenantId: string
  readonly runId: string
  readonly tokenId: number
  readonly caseId: string
  readonly state: TokenState
  readonly node: string
  readonly visit: number
  /** The visit whose key its effect has; null for its own. */
  readonly keyVisit: number | null
  readonly enteredAt: Date
  readonly waitsFor: WaitingParty | null
  readonly chosenPath: string | null
  readonly chosenBy: string | null
  readonly timerRang: boolean
  readonly vars: Vars
  readonly memo: object | null
  readonly fork: string
}

/** A run and the active and paused children below it, each before its own children. */
export interface RunFamily {
  readonly run: LockedRun
  readonly children: readonly LockedRun[]
  /** The tokens that have not ended by themselves, of all these runs. */
  readonly tokens: readonly LockedToken[]
}

/**
 * Null when the tenant has no such run. All runs of the case are locked before any token: a worker
 * that ends a child changes a token of its parent.
 */
export async function lockRunFamily(
  tx: Tx,
  scope: TenantScope,
  runId: string,
): Promise<RunFamily | null> {
  const locked = await sql<LockedRun>`
    select run.id as "runId", run.case_id as "caseId", run.playbook_id as "playbookId", run.version, run.state, run.failure,
      run.parent_run_id as "parentRunId", run.parent_token_id as "parentTokenId"
    from run
    where run.tenant_id = ${scope.tenantId} and run.case_id = (
        select case_id from run as given where given.tenant_id = ${scope.tenantId} and given.id = ${runId}::uuid
      ) and (run.state in ('active', 'paused') or run.id = ${runId}::uuid)
    order by run.case_id, run.id
    for update`.execute(tx)
  const run = locked.rows.find((one) => one.runId === runId)
  if (run === undefined) return null
  const children = listChildren(locked.rows, run)
  const tokens = await lockTokens(tx, scope, [run, ...children])
  return { run, children, tokens }
}

function listChildren(runs: readonly LockedRun[], of: LockedRun): readonly LockedRun[] {
  const children = runs.filter(({ parentRunId, runId }) => {
    return parentRunId === of.runId && runId !== of.runId
  })
  return children.flatMap((child) => [child, ...listChildren(runs, child)])
}

async function lockTokens(
  tx: Tx,
  scope: TenantScope,
  runs: readonly LockedRun[],
): Promise<readonly LockedToken[]> {
  const found = await sql<LockedToken>`
    select tenant_id as "tenantId", run_id as "runId", id as "tokenId", case_id as "caseId", state, node, visit, key_visit as "keyVisit",
      entered_at as "enteredAt", waits_for as "waitsFor", chosen_path as "chosenPath",
      chosen_by as "chosenBy", timer_rang as "timerRang", vars, memo, fork
    from run_token
    where tenant_id = ${scope.tenantId} and run_id = any(${runs.map(({ runId }) => runId)}::uuid[])
      and state <> 'done'
    order by case_id, run_id, id
    for update`.execute(tx)
  return found.rows
}

/** The live tokens of these runs end; what a call brings back later is dropped. */
export async function cancelRuns(
  tx: Tx,
  scope: TenantScope,
  runs: readonly Pick<LockedRun, 'runId'>[],
): Promise<void> {
  const ids = runs.map(({ runId }) => runId)
  const ended = await sql<{ runId: string }>`
    update run_token set state = 'done', lease_owner = null, lease_until = null
    where tenant_id = ${scope.tenantId} and run_id = any(${ids}::uuid[]) and state in ('ready', 'waiting', 'paused')
    returning run_id as "runId"`.execute(tx)
  const visits = Map.groupBy(ended.rows, ({ runId }) => runId)
  await sql`
    update run set state = 'cancelled', failure = null, ended_at = now(), paused_at = null, visits = run.visits + given.visits
    from unnest(${ids}::uuid[], ${ids.map((id) => visits.get(id)?.length ?? 0)}::integer[]) as given (id, visits)
    where run.tenant_id = ${scope.tenantId} and run.id = given.id`.execute(tx)
}

/**
 * Nobody moves them until they are resumed. Timers that become due meanwhile ring then, and the
 * outcome of a call that ends meanwhile is kept.
 */
export async function pauseRuns(
  tx: Tx,
  scope: TenantScope,
  runs: readonly Pick<LockedRun, 'runId'>[],
): Promise<void> {
  const ids = runs.map(({ runId }) => runId)
  await sql`
    update run_token set state = 'paused', ${KEEP_LEASE_OF_CALL}
    where tenant_id = ${scope.tenantId} and run_id = any(${ids}::uuid[]) and state in ('ready', 'waiting')`.execute(
    tx,
  )
  await sql`
    update run set state = 'paused', paused_at = now()
    where tenant_id = ${scope.tenantId} and id = any(${ids}::uuid[])`.execute(tx)
}

/**
 * Paused tokens decide again at their visit. A dead one begins a new visit of its node, whose
 * effect has the key of the former visit unless it is to be sent anew.
 */
export async function resumeRuns(
  tx: Tx,
  scope: TenantScope,
  runs: readonly Pick<LockedRun, 'runId'>[],
  { resend }: { readonly resend: boolean },
): Promise<void> {
  const ids = runs.map(({ runId }) => runId)
  await sql`
    update run_token set state = 'ready', wake_at = now(), attempts = 0
    where tenant_id = ${scope.tenantId} and run_id = any(${ids}::uuid[]) and state = 'paused'`.execute(
    tx,
  )
  await sql`
    update run_token set state = 'ready', wake_at = now(), attempts = 0, entered_at = now(), visit = visit + 1,
      key_visit = case when ${resend}::boolean then null else coalesce(key_visit, visit) end,
      chosen_path = null, chosen_by = null, timer_at = null, timer_rang = false, watches_case = false, calls = false, memo = null, call_outcome = null
    where tenant_id = ${scope.tenantId} and run_id = any(${ids}::uuid[]) and state = 'dead'`.execute(
    tx,
  )
  // The version of a failed run may be inactive by now, and drains again. The row is locked, so
  // that upkeep does not make it inactive before the run is active.
  await sql`
    update playbook_version set state = 'draining'
    from run
    where run.tenant_id = ${scope.tenantId} and run.id = any(${ids}::uuid[]) and playbook_version.tenant_id = run.tenant_id
      and playbook_version.playbook_id = run.playbook_id and playbook_version.version = run.version
      and playbook_version.state in ('inactive', 'draining')`.execute(tx)
  await sql`
    update run set state = 'active', failure = null, ended_at = null, paused_at = null
    where tenant_id = ${scope.tenantId} and id = any(${ids}::uuid[])`.execute(tx)
}

/** Whether the case has another run of the playbook that a resumed run would meet. */
export async function hasOtherRun(tx: Tx, scope: TenantScope, run: LockedRun): Promise<boolean> {
  const found = await sql`
    select from run
    where tenant_id = ${scope.tenantId} and case_id = ${run.caseId} and playbook_id = ${run.playbookId}::uuid
      and id <> ${run.runId}::uuid and state in ('active', 'paused') and parent_run_id is null
    limit 1`.execute(tx)
  return found.rows.length > 0
}

/** A token that goes on at a node of another version. */
export interface TokenMove {
  readonly token: LockedToken
  readonly toNode: string
  /** The node is of the same kind: the time there and the key of its effect stay. */
  readonly isSameKind: boolean
  /** Null: as they are. */
  readonly vars: Vars | null
}

/**
 * Puts the run on the version, and its tokens at their new nodes, which decide again: a waiting
 * token at once, a paused or dead one when the run is resumed.
 */
export async function moveToVersion(
  tx: Tx,
  scope: TenantScope,
  runId: string,
  version: number,
  moves: readonly TokenMove[],
): Promise<void> {
  await sql`
    update run set version = ${version}, visits = run.visits + ${moves.filter(({ token }) => token.state !== 'dead').length}
    where tenant_id = ${scope.tenantId} and id = ${runId}::uuid`.execute(tx)
  await sql`
    update run_token set node = given.node, visit = run_token.visit + 1,
      state = case when run_token.state = 'waiting' then 'ready' else run_token.state end,
      key_visit = case when given.is_same then coalesce(run_token.key_visit, run_token.visit) end,
      entered_at = case when given.is_same then run_token.entered_at else clock.at end,
      memo = case when run_token.memo ? 'child_run' or given.is_same then run_token.memo end,
      vars = coalesce(given.vars, run_token.vars), wake_at = now(), attempts = 0, timer_at = null, watches_case = false, calls = false, call_outcome = null
    from unnest(
      ${moves.map(({ token }) => token.tokenId)}::smallint[], ${moves.map(({ toNode }) => toNode)}::text[],
      ${moves.map(({ isSameKind }) => isSameKind)}::boolean[],
      ${moves.map(({ vars }) => (vars === null ? null : JSON.stringify(vars)))}::jsonb[]
    ) as given (id, node, is_same, vars) cross join (select now() as at) as clock
    where run_token.tenant_id = ${scope.tenantId} and run_token.run_id = ${runId}::uuid and run_token.id = given.id`.execute(
    tx,
  )
}

/** The next runs of a version that have not ended, in the order of their ids. */
export async function listRunsOfVersion(
  tx: Db,
  scope: TenantScope,
  version: { readonly playbookId: string; readonly version: number },
  after: string | null,
  limit: number,
): Promise<readonly string[]> {
  const found = await sql<{ id: string }>`
    select id from run
    where tenant_id = ${scope.tenantId} and playbook_id = ${version.playbookId}::uuid and version = ${version.version}
      and state in ('active', 'paused', 'failed') and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`.execute(tx)
  return found.rows.map(({ id }) => id)
}

/** Those of the nodes at which a token of a run of the version stands. */
export async function listNodesOfTokens(
  db: Db,
  scope: TenantScope,
  version: { readonly playbookId: string; readonly version: number },
  nodes: readonly string[],
): Promise<readonly string[]> {
  if (nodes.length === 0) return []
  const found = await sql<{ node: string }>`
    select distinct run_token.node from run join run_token on run_token.tenant_id = run.tenant_id and run_token.run_id = run.id
    where run.tenant_id = ${scope.tenantId} and run.playbook_id = ${version.playbookId}::uuid and run.version = ${version.version}
      and run.state in ('active', 'paused', 'failed') and run_token.state <> 'done' and run_token.node = any(${[...nodes]}::text[])`.execute(
    db,
  )
  return found.rows.map(({ node }) => node)
}

/** Whether runs may be on the version; it is not retired until the transaction ends. */
export async function lockUsedVersion(
  tx: Tx,
  scope: TenantScope,
  version: { readonly playbookId: string; readonly version: number },
): Promise<boolean> {
  const found = await sql`
    select from playbook_version
    where tenant_id = ${scope.tenantId} and playbook_id = ${version.playbookId}::uuid and version = ${version.version}
      and state in ('active', 'draining')
    for share`.execute(tx)
  return found.rows.length > 0
}

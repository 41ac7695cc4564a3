// SQL of playbook runs: starting, ending and listing them. signal-store.ts has the SQL of triggers,
// run-token-store.ts that of the workers.

import { type RawBuilder, sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../../kernel/db/database.ts'
import { buildPage, type PageRequest } from '../../../kernel/db/page-request.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { PlaybookPosition } from '../../cases/case-progress.ts'
import type { Vars, WaitingParty } from '../node-kind.ts'
import type { EndedToken } from './cancel-effects.ts'
import { noteRuns, noteStarted } from './run-change-store.ts'

export type RunState = 'active' | 'paused' | 'ended' | 'failed' | 'cancelled'
export type TokenState = 'ready' | 'waiting' | 'paused' | 'done' | 'dead'

export interface RunTables {
  run: {
    tenant_id: string
    id: string
    case_id: string
    playbook_id: string
    version: number
    state: RunState
    visits: number
    failure: string | null
    started_at: Date
    ended_at: Date | null
    started_by: string | null
    parent_run_id: string | null
    parent_token_id: number | null
    next_token: number
    depth: number
    paused_at: Date | null
  }
  run_token: {
    tenant_id: string
    run_id: string
    id: number
    case_id: string
    state: TokenState
    node: string
    visit: number
    entered_at: Date
    chosen_path: string | null
    chosen_by: string | null
    waits_for: string | null
    wake_at: Date
    lease_owner: string | null
    lease_until: Date | null
    attempts: number
    timer_at: Date | null
    timer_rang: boolean
    watches_case: boolean
    vars: Record<string, unknown>
    memo: Record<string, unknown> | null
    fork: string
    calls: boolean
    key_visit: number | null
    call_outcome: Record<string, unknown> | null
  }
  visit: {
    tenant_id: string
    run_id: string
    token_id: number
    visit: number
    case_id: string
    node: string
    kind: string
    path: string | null
    actor: string | null
    output: Record<string, unknown> | null
    entered_at: Date
    left_at: Date
  }
  trigger_signal: {
    tenant_id: string
    run_id: string
    token_id: number
    visit: number
    case_id: string
    node: string
    path: string
    actor: string
    accepted_at: Date
  }
}

export interface NewCaseOfPlaybook {
  readonly caseId: string
  /** The playbook attached to the case's group. */
  readonly playbookId: string
}

/**
 * Starts a run for each case on the active version of its playbook, with its first token due at
 * once. Ingest calls it in the transaction that makes the cases. No run starts where the playbook
 * has no active version or belongs to another tenant, or where the case already has an active run
 * of it. The active version is read without a lock: a run whose statement began before an
 * activation belongs to the version before it. Returns the number of runs; when it is not 0, wake
 * the workers after the commit.
 */
export async function startRunsForNewCases(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  cases: readonly NewCaseOfPlaybook[],
): Promise<number> {
  return (await startRuns(tx, ids, scope, cases, null)).length
}

/**
 * Starts the runs, and returns their ids. `startedBy` says who or what begins them, such as
 * `token:<id>`. Null is the intake of new cases: a run then begins only where the active version
 * starts on new cases.
 */
export async function startRuns(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  cases: readonly NewCaseOfPlaybook[],
  startedBy: string | null,
): Promise<readonly string[]> {
  if (cases.length === 0) return []
  const started = await sql<{ id: string }>`
    with started as (
      insert into run (tenant_id, id, case_id, playbook_id, version, state, started_by)
      select playbook.tenant_id, given.id, given.case_id, playbook.id, playbook.active_version, 'active', ${startedBy}::text
      from unnest(
          ${cases.map(() => ids.nextUuid())}::uuid[],
          ${cases.map((entry) => entry.caseId)}::text[],
          ${cases.map((entry) => entry.playbookId)}::uuid[]
        ) as given (id, case_id, playbook_id)
      join playbook on playbook.tenant_id = ${scope.tenantId} and playbook.id = given.playbook_id
      join playbook_version as active on active.tenant_id = playbook.tenant_id and active.playbook_id = playbook.id
        and active.version = playbook.active_version
      where ${startedBy}::text is not null or active.starts_new_cases
      on conflict (tenant_id, case_id, playbook_id) where state in ('active', 'paused') and parent_run_id is null do nothing
      returning tenant_id, id, case_id, playbook_id, version, started_by
    ), noted as (${noteStarted(scope)}), tokens as (
      insert into run_token (tenant_id, run_id, id, case_id, state, node)
      select started.tenant_id, started.id, 1, started.case_id, 'ready', playbook_version.start_node
      from started join playbook_version using (tenant_id, playbook_id, version)
      returning run_id
    )
    select run_id as id from tokens`.execute(tx)
  return started.rows.map(({ id }) => id)
}

/**
 * Who changes several tokens of a run locks the run first, and then its tokens: a step of one token
 * may end others.
 */
export async function lockRunsOfCases(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  await sql`
    select from run
    where tenant_id = ${scope.tenantId} and case_id = any(${[...caseIds]}::text[]) and state in ('active', 'paused')
    order by case_id, id for update`.execute(tx)
}

export interface RunRecord {
  readonly runId: string
  readonly caseId: string
  readonly playbookId: string
  readonly version: number
  readonly state: RunState
  readonly failure: string | null
  /** The node of its token, at which it also failed; null when the run has ended. */
  readonly node: string | null
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly playbookName: string
  /** Null for a case that retention has removed. */
  readonly caseGroup: string | null
  /** Whom its first waiting token waits for. */
  readonly waitsFor: WaitingParty | null
  /** Since when it has failed, ended, been paused, or been at this node. */
  readonly since: Date
  readonly nextTimerAt: Date | null
  /** Who or what began it; null for the intake of a new case. */
  readonly startedBy: string | null
  readonly parentRunId: string | null
}

// A case starts one run of its group's playbook. Only repeated automation starts more.
const RUNS_LISTED_MAX = 1_000

/** Runs of a case, newest first, at most 1,000; none for a case of another tenant. */
export async function listRuns(
  db: Db,
  scope: TenantScope,
  caseId: string,
): Promise<readonly RunRecord[]> {
  // A page has one row more than its limit.
  const page = { limit: RUNS_LISTED_MAX - 1, order: 'desc', position: null } as const
  return await listRunsOfTenant(db, scope, { caseId }, page)
}

export interface RunFilter {
  readonly state?: RunState
  readonly caseId?: string
  readonly playbookId?: string
  readonly version?: number
  /** A token of it that has not ended is there. */
  readonly node?: string
  readonly waitsFor?: WaitingParty
  /** In its state or at its node for at least so many seconds. */
  readonly olderThanSeconds?: number
}

/** Up to `limit` runs and one more, in the order of their start (ids are UUIDv7). */
export async function listRunsOfTenant(
  db: Db,
  scope: TenantScope,
  { state, caseId, playbookId, version, node, waitsFor, olderThanSeconds }: RunFilter,
  page: PageRequest,
): Promise<readonly RunRecord[]> {
  const keyset = buildPage([{ name: 'run.id', type: 'uuid' }], page)
  const conditions = [
    sql`tenant_id = ${scope.tenantId}`,
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(playbookId === undefined ? [] : [sql`playbook_id = ${playbookId}::uuid`]),
    ...(version === undefined ? [] : [sql`version = ${version}`]),
    ...(node === undefined ? [] : [hasToken(scope, sql`run_token.node = ${node}`)]),
    ...(waitsFor === undefined
      ? []
      : [hasToken(scope, sql`run_token.state = 'waiting' and run_token.waits_for = ${waitsFor}`)]),
    ...(olderThanSeconds === undefined
      ? []
      : [sql`${selectSince(scope)} <= now() - ${olderThanSeconds} * interval '1 second'`]),
    ...keyset.conditions,
  ]
  return await selectRuns(
    db,
    scope,
    sql`select * from run where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`,
    keyset.order,
  )
}

/** A token of the run that has not ended. */
// The tenant is given for each table, since Citus does not follow it through outer joins.
function isTokenOfRun({ tenantId }: TenantScope): RawBuilder<unknown> {
  return sql`run_token.tenant_id = ${tenantId} and run_token.run_id = run.id and run_token.state <> 'done'`
}

function hasToken(scope: TenantScope, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select from run_token where ${isTokenOfRun(scope)} and ${condition})`
}

function selectSince(scope: TenantScope): RawBuilder<unknown> {
  return sql`coalesce(run.ended_at, run.paused_at, (select max(entered_at) from run_token where ${isTokenOfRun(scope)}), run.started_at)`
}

/** Null when the tenant has no run of this id (a UUID). */
export async function findRunOfTenant(
  db: Db,
  scope: TenantScope,
  runId: string,
): Promise<RunRecord | null> {
  const rows = await selectRuns(
    db,
    scope,
    sql`select * from run where tenant_id = ${scope.tenantId} and id = ${runId}::uuid`,
    sql``,
  )
  return rows[0] ?? null
}

/** Null when the case has no run of this id (a UUID), or belongs to another tenant. */
export async function findRun(
  db: Db,
  scope: TenantScope,
  caseId: string,
  runId: string,
): Promise<RunRecord | null> {
  const rows = await selectRuns(
    db,
    scope,
    sql`select * from run where tenant_id = ${scope.tenantId} and case_id = ${caseId} and id = ${runId}::uuid`,
    sql``,
  )
  return rows[0] ?? null
}

/** Where the last run of the case ended or failed; null when there was none. */
export async function findLastPosition(
  db: Db,
  scope: TenantScope,
  caseId: string,
): Promise<PlaybookPosition | null> {
  const result = await sql<PlaybookPosition>`
    select run.playbook_id as "playbookId", run.version, run.state, last.node as step
    from run cross join lateral (
      select node from run_token where run_token.tenant_id = run.tenant_id and run_token.run_id = run.id
      order by entered_at desc, id desc limit 1
    ) as last
    where run.tenant_id = ${scope.tenantId} and run.case_id = ${caseId}
    order by run.id desc limit 1`.execute(db)
  return result.rows[0] ?? null
}

/** One row for each run, whatever the number of its tokens. */
async function selectRuns(
  db: Db,
  scope: TenantScope,
  runs: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<readonly RunRecord[]> {
  const result = await sql<RunRecord>`
    select run.id as "runId", run.case_id as "caseId", run.playbook_id as "playbookId", run.version, run.state, run.failure,
      token.node, run.started_at as "startedAt", run.ended_at as "endedAt", run.started_by as "startedBy",
      run.parent_run_id as "parentRunId", ${selectSince(scope)} as since, playbook.name as "playbookName", one.case_group_id as "caseGroup",
      waiting.waits_for as "waitsFor", waiting.timer_at as "nextTimerAt"
    from (${runs}) as run
    join playbook on playbook.tenant_id = ${scope.tenantId} and playbook.id = run.playbook_id
    left join abuse_case as one on one.tenant_id = ${scope.tenantId} and one.id = run.case_id
    left join lateral (
      select node from run_token where ${isTokenOfRun(scope)} order by run_token.state = 'dead' desc, run_token.id limit 1
    ) as token on true
    left join lateral (
      select min(waits_for) as waits_for, min(timer_at) as timer_at
      from run_token where ${isTokenOfRun(scope)} and run_token.state = 'waiting'
    ) as waiting on true
    ${order}`.execute(db)
  return result.rows
}

export interface VisitRecord {
  readonly token: number
  readonly visit: number
  readonly node: string
  readonly kind: string
  readonly path: string | null
  readonly actor: string | null
  readonly output: Record<string, unknown> | null
  readonly enteredAt: Date
  readonly leftAt: Date
}

// A run with more visits loops; its newest visits show what it does.
const VISITS_LISTED_MAX = 1_000

/** The newest 1,000 visits of a run, the oldest of them first. */
export async function listVisits(
  db: Db,
  scope: TenantScope,
  runId: string,
): Promise<readonly VisitRecord[]> {
  const rows = await seeTables<RunTables>(db)
    .selectFrom('visit')
    .select([
      'token_id as token',
      'visit',
      'node',
      'kind',
      'path',
      'actor',
      'output',
      'entered_at as enteredAt',
      'left_at as leftAt',
    ])
    .where('tenant_id', '=', scope.tenantId)
    .where('run_id', '=', runId)
    .orderBy('token_id', 'desc')
    .orderBy('visit', 'desc')
    .limit(VISITS_LISTED_MAX)
    .execute()
  return rows.toReversed()
}

export interface TokenRecord {
  readonly token: number
  readonly state: TokenState
  readonly node: string
  readonly visit: number
  readonly enteredAt: Date
  readonly waitsFor: WaitingParty | null
  readonly timerAt: Date | null
  readonly watchesCase: boolean
  readonly chosenPath: string | null
  /** Of a ready token: when it is due. */
  readonly dueAt: Date | null
  /** Claims since the last progress. */
  readonly attempts: number
  readonly childRun: string | null
  readonly key: string
  readonly vars: Vars
}

const TOKENS_LISTED_MAX = 1_000

/** The tokens of a run that have not ended, at most 1,000. */
export async function listTokens(
  db: Db,
  scope: TenantScope,
  runId: string,
): Promise<readonly TokenRecord[]> {
  const result = await sql<TokenRecord>`
    select id as token, state, node, visit, entered_at as "enteredAt", waits_for as "waitsFor", timer_at as "timerAt",
      watches_case as "watchesCase", chosen_path as "chosenPath", case state when 'ready' then wake_at end as "dueAt",
      attempts, memo ->> 'child_run' as "childRun", run_id || ':' || id || ':' || coalesce(key_visit, visit) as key, vars
    from run_token
    where tenant_id = ${scope.tenantId} and run_id = ${runId}::uuid and state <> 'done'
    order by id limit ${TOKENS_LISTED_MAX}`.execute(db)
  return result.rows
}

/**
 * Ends the active runs of these cases, at whatever node they are, when the cases are merged. Locks
 * the runs in the order in which workers lock them (run-token-store.ts).
 */
export async function endRunsOfCases(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<readonly EndedToken[]> {
  await lockRunsOfCases(tx, scope, caseIds)
  const live = await sql<EndedToken>`
    select run_token.tenant_id as "tenantId", run_token.run_id as "runId", run_token.id as "tokenId", run_token.case_id as "caseId",
      run_token.node, run_token.visit, run_token.key_visit as "keyVisit"
    from run join run_token on run_token.tenant_id = run.tenant_id and run_token.run_id = run.id
    where run.tenant_id = ${scope.tenantId} and run.case_id = any(${[...caseIds]}::text[]) and run.state in ('active', 'paused')
      and run_token.state in ('ready', 'waiting', 'paused')
    order by run_token.case_id, run_token.run_id, run_token.id
    for update of run_token`.execute(tx)
  const runIds = [...new Set(live.rows.map((row) => row.runId))]
  if (runIds.length === 0) return []
  await sql`
    update run_token set state = 'done', lease_owner = null, lease_until = null
    where tenant_id = ${scope.tenantId} and run_id = any(${runIds}::uuid[]) and state in ('ready', 'waiting', 'paused')`.execute(
    tx,
  )
  await sql`
    update run set state = 'ended', ended_at = now()
    where tenant_id = ${scope.tenantId} and id = any(${runIds}::uuid[])`.execute(tx)
  await noteRuns(tx, scope, 'ended', runIds, { kind: 'system', id: 'merge' })
  return live.rows
}

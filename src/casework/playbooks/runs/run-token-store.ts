// SQL of the workers: claiming due tokens under a lease, and saving the steps of a batch. All times
// are those of the database, so the clocks of nodes may differ. Fencing: a worker saves a step only
// while the token is still at the same visit and leased to it.

import { type RawBuilder, sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../../kernel/db/database.ts'
import {
  collectByTenant,
  createTenantTurns,
  type DueRows,
  forEachTenant,
  hasDueRows,
  renewByTenant,
  type TenantPass,
  type TenantTurns,
} from '../../../kernel/db/due-tenants.ts'
import { NOT_COPIED } from '../../../kernel/db/not-copied.ts'
import { writeTexts, writeWords } from '../../../kernel/db/write-arrays.ts'
import { type Log, silentLog } from '../../../kernel/log.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CallOutcome, Vars, WaitingParty } from '../node-kind.ts'
import { type EndedChild, wakeParents } from './child-run-store.ts'
import { noteEnded, noteWaiting } from './run-change-store.ts'
import type { RunTables, TokenState } from './run-store.ts'

export interface TokenKey {
  readonly tenantId: string
  readonly runId: string
  readonly tokenId: number
}

export interface ClaimedToken extends TokenKey {
  readonly visit: number
  /** Claims since the last progress, including this one. */
  readonly attempts: number
}

// Design section 10: tokens of a dead process run again within 5 s.
const LEASE_SECONDS = 4

/** Movers take steps in the transaction; callers call other systems (column run_token.calls). */
export type TokenQueue = 'movers' | 'callers'

// In the words of the partial index of each queue, so that the planner takes it.
const IS_IN_QUEUE = { movers: sql`not calls`, callers: sql`calls` } as const

/** Tokens that are due in the queue, those that another worker has leased included. */
function dueTokensOf(queue: TokenQueue): DueRows {
  return {
    table: 'run_token',
    isDue: sql`state = 'ready' and ${IS_IN_QUEUE[queue]} and wake_at <= now()`,
    since: sql`wake_at`,
  }
}

/** Whether a claim may find tokens. */
export function hasTokensOf(queue: TokenQueue): RawBuilder<boolean> {
  return hasDueRows(dueTokensOf(queue))
}

/** For the claims of one worker. */
export function createTokenTurns(queue: TokenQueue, log: Log): TenantTurns {
  return createTenantTurns(dueTokensOf(queue), log)
}

/**
 * Leases up to `limit` due tokens to `owner`: of each tenant that has some the same number, the
 * longest due first. A tenant with very many holds up no other.
 */
export async function claimDueTokens(
  db: Db,
  owner: string,
  limit: number,
  queue: TokenQueue = 'movers',
  turns: TenantTurns = createTokenTurns(queue, silentLog),
): Promise<readonly ClaimedToken[]> {
  return await turns.claim(db, limit, (tenantId, share) =>
    claimTokensOf(db, owner, { tenantId, share, queue }),
  )
}

interface ShareOfTenant {
  readonly tenantId: string
  readonly share: number
  readonly queue: TokenQueue
}

async function claimTokensOf(
  db: Db,
  owner: string,
  { tenantId, share, queue }: ShareOfTenant,
): Promise<readonly ClaimedToken[]> {
  // The share is a parameter, so that the planner knows how few rows it is asked for.
  const claimed = await sql<ClaimedToken>`
    with due as materialized (
      select run_id, id from run_token
      where tenant_id = ${tenantId} and state = 'ready' and ${IS_IN_QUEUE[queue]} and wake_at <= now()
        and (lease_until is null or lease_until <= now())
      order by wake_at limit ${share}
      for update skip locked
    )
    update run_token
    set lease_owner = ${owner}, lease_until = now() + ${LEASE_SECONDS} * interval '1 second',
        attempts = run_token.attempts + 1
    from due
    where run_token.tenant_id = ${tenantId} and run_token.run_id = due.run_id and run_token.id = due.id
    returning run_token.tenant_id as "tenantId", run_token.run_id as "runId", run_token.id as "tokenId",
      run_token.visit, run_token.attempts`.execute(db)
  return claimed.rows
}

/**
 * For an update that pauses tokens. A call that is under way goes on under its lease: its outcome
 * is taken, and no other worker makes the call again when the run is resumed meanwhile.
 */
export const KEEP_LEASE_OF_CALL = sql`lease_owner = case when run_token.calls then run_token.lease_owner end,
  lease_until = case when run_token.calls then run_token.lease_until end`

/**
 * Extends the leases that `owner` still has; a call may last while its run is paused. A token whose
 * step is being committed is locked: no other worker can claim it, so it is skipped.
 */
export async function renewLeases(
  { db, log }: TenantPass,
  owner: string,
  tokens: readonly TokenKey[],
): Promise<void> {
  await renewByTenant(log, tokens, async (tenantId, own) => {
    await sql`
      with leased as materialized (
        select run_token.run_id, run_token.id
        from run_token join ${unnestIds(own)} using (run_id, id)
        where run_token.tenant_id = ${tenantId} and run_token.lease_owner = ${owner} and run_token.state in ('ready', 'paused')
        for update of run_token skip locked
      )
      update run_token set lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
      from leased
      where run_token.tenant_id = ${tenantId} and run_token.run_id = leased.run_id and run_token.id = leased.id`.execute(
      db,
    )
  })
}

function unnestIds(tokens: readonly TokenKey[]): RawBuilder<unknown> {
  return sql`unnest(
    ${tokens.map((token) => token.runId)}::uuid[], ${tokens.map((token) => token.tokenId)}::smallint[]
  ) as given (run_id, id)`
}

/** Releases unfinished tokens of a worker that stops. The claim does not count as an attempt. */
export async function releaseLeases(
  db: Db,
  owner: string,
  tokens: readonly TokenKey[],
): Promise<void> {
  await forEachTenant(tokens, async (tenantId, own) => {
    await sql`
      update run_token set lease_owner = null, lease_until = null, attempts = greatest(attempts - 1, 0)
      from ${unnestIds(own)}
      where run_token.tenant_id = ${tenantId} and run_token.run_id = given.run_id
        and run_token.id = given.id and run_token.lease_owner = ${owner}`.execute(db)
  })
}

export interface LeasedToken extends TokenKey {
  readonly caseId: string
  readonly playbookId: string
  /** The author of comments and moves of the run. */
  readonly playbookName: string
  readonly version: number
  readonly node: string
  readonly visit: number
  /** The visit whose key its effect has; null for its own. */
  readonly keyVisit: number | null
  readonly enteredAt: Date
  readonly chosenPath: string | null
  readonly chosenBy: string | null
  /** Whom it waited for until its path was chosen. */
  readonly waitsFor: WaitingParty | null
  readonly timerRang: boolean
  /** Its node has decided at this visit that it waits. */
  readonly hasWaited: boolean
  readonly vars: Vars
  readonly memo: object | null
  /** Of a call that ended while the run was paused; it is not made again. */
  readonly callOutcome: CallOutcome | null
  /** In which forks it is: '' at the root, else a segment `/<token>:<visit>` each. */
  readonly fork: string
  /** How many runs stand above its run. */
  readonly depth: number
  readonly runVisits: number
  /** When this transaction began, by the clock of the database, rounded as `entered_at` is. */
  readonly now: Date
}

/**
 * Whether the node has decided to wait at this visit: it has left one of these marks. There is none
 * on a token that the limit of one transaction has stopped before its node decided, nor on the dead
 * token of a failed run that was resumed. Their wait is news, and the outbox tells of it.
 */
const HAS_WAITED = sql`(
  run_token.waits_for is not null or run_token.timer_at is not null or run_token.watches_case or run_token.timer_rang
  or run_token.chosen_path is not null
)`

// A process that hangs inside the transaction (stopped, swapped out, machine lost) would keep its
// tokens locked, and locked tokens are never claimed. The database therefore ends such a session
// after this time.
const IDLE_IN_TRANSACTION_MS = LEASE_SECONDS * 1_000

/**
 * Locks the claimed tokens that are still leased to this owner at the same visit, their runs first.
 * Tokens that another worker has claimed are left out. Sorted by case, so that all batches lock
 * cases in the same order.
 */
export async function fenceTokens(
  tx: Tx,
  owner: string,
  claimed: readonly ClaimedToken[],
): Promise<readonly LeasedToken[]> {
  await sql`select set_config('idle_in_transaction_session_timeout', ${String(IDLE_IN_TRANSACTION_MS)}, true)`.execute(
    tx,
  )
  return await collectByTenant(claimed, (tenantId, own) => fenceTokensOf(tx, owner, tenantId, own))
}

async function fenceTokensOf(
  tx: Tx,
  owner: string,
  tenantId: string,
  claimed: readonly ClaimedToken[],
): Promise<readonly LeasedToken[]> {
  const fenced = await sql<LeasedToken>`
    with locked as materialized (
      select run.id, run.playbook_id, run.version, run.visits, run.depth from run
      where run.tenant_id = ${tenantId} and run.id = any(${claimed.map((token) => token.runId)}::uuid[])
      order by run.case_id, run.id
      for update
    )
    select run_token.tenant_id as "tenantId", run_token.run_id as "runId", run_token.id as "tokenId",
      run_token.case_id as "caseId", run.playbook_id as "playbookId", run.version, run_token.node,
      run_token.visit, run_token.key_visit as "keyVisit", run_token.entered_at as "enteredAt", run_token.chosen_path as "chosenPath",
      run_token.chosen_by as "chosenBy", run_token.waits_for as "waitsFor", run_token.timer_rang as "timerRang", ${HAS_WAITED} as "hasWaited",
      run_token.vars, run_token.memo, run_token.call_outcome as "callOutcome", run_token.fork, run.depth, run.visits as "runVisits", playbook.name as "playbookName",
      now()::timestamptz(3) as now
    from unnest(
        ${claimed.map((token) => token.runId)}::uuid[],
        ${claimed.map((token) => token.tokenId)}::smallint[], ${claimed.map((token) => token.visit)}::integer[]
      ) as given (run_id, id, visit)
    join run_token on run_token.tenant_id = ${tenantId} and run_token.run_id = given.run_id and run_token.id = given.id
    join locked as run on run.id = run_token.run_id
    join playbook on playbook.tenant_id = ${tenantId} and playbook.id = run.playbook_id
    where run_token.state = 'ready' and run_token.lease_owner = ${owner} and run_token.visit = given.visit
    order by run_token.case_id, run_token.run_id, run_token.id
    for update of run_token`.execute(tx)
  return fenced.rows
}

export interface EndedCall {
  readonly claimed: ClaimedToken
  readonly outcome: CallOutcome
}

/**
 * Keeps the outcomes of calls whose runs were paused meanwhile, with their tokens, and ends their
 * leases. Locks the runs first, so none of them is paused or resumed until the transaction ends.
 */
export async function keepOutcomes(
  tx: Tx,
  owner: string,
  ended: readonly EndedCall[],
): Promise<void> {
  const calls = ended.map(({ claimed, outcome }) => ({ ...claimed, outcome }))
  await forEachTenant(calls, async (tenantId, own) => {
    await sql`
      select from run
      where tenant_id = ${tenantId} and id = any(${own.map((call) => call.runId)}::uuid[])
      order by case_id, id
      for update`.execute(tx)
    await sql`
      update run_token set call_outcome = given.outcome, lease_owner = null, lease_until = null
      from unnest(
        ${own.map((call) => call.runId)}::uuid[], ${own.map((call) => call.tokenId)}::smallint[],
        ${own.map((call) => call.visit)}::integer[], ${own.map(({ outcome }) => JSON.stringify(outcome))}::jsonb[]
      ) as given (run_id, id, visit, outcome)
      where run_token.tenant_id = ${tenantId} and run_token.run_id = given.run_id and run_token.id = given.id
        and run_token.visit = given.visit and run_token.state = 'paused' and run_token.calls and run_token.lease_owner = ${owner}`.execute(
      tx,
    )
  })
}

export interface NewVisit extends TokenKey {
  readonly visit: number
  readonly caseId: string
  readonly node: string
  readonly kind: string
  readonly path: string | null
  readonly actor: string | null
  readonly output: object | null
  /** Null: the token entered the node in this transaction. */
  readonly enteredAt: Date | null
}

/** `at`: the time of this transaction, as `fenceTokens` gave it; null for that of the database. */
export async function insertVisits(
  tx: Tx,
  visits: readonly NewVisit[],
  at: Date | null = null,
): Promise<void> {
  if (visits.length === 0) return
  await sql`
    insert into visit (tenant_id, run_id, token_id, visit, case_id, node, kind, path, actor, output, entered_at, left_at)
    select tenant_id, run_id, token_id, visit, case_id, node, kind, path, actor, output,
      coalesce(entered_at, ${at}::timestamptz, clock.at), coalesce(${at}::timestamptz, clock.at)
    from (select now() as at) as clock cross join unnest(
      ${visits.map((entry) => entry.tenantId)}::text[], ${visits.map((entry) => entry.runId)}::uuid[],
      ${visits.map((entry) => entry.tokenId)}::smallint[], ${visits.map((entry) => entry.visit)}::integer[],
      ${visits.map((entry) => entry.caseId)}::text[], ${visits.map((entry) => entry.node)}::text[],
      ${visits.map((entry) => entry.kind)}::text[], ${visits.map((entry) => entry.path)}::text[],
      ${visits.map((entry) => entry.actor)}::text[],
      ${visits.map((entry) => (entry.output === null ? null : JSON.stringify(entry.output)))}::jsonb[],
      ${visits.map((entry) => entry.enteredAt)}::timestamptz[]
    ) as given (tenant_id, run_id, token_id, visit, case_id, node, kind, path, actor, output, entered_at)
    ${NOT_COPIED}`.execute(tx)
}

export interface TokenProgress extends TokenKey {
  readonly state: TokenState
  readonly node: string
  readonly visit: number
  /** Null: the token entered the node in this transaction. */
  readonly enteredAt: Date | null
  readonly waitsFor: WaitingParty | null
  readonly timerAt: Date | null
  readonly watchesCase: boolean
  /** The node calls another system: the token is due for callers. */
  readonly calls: boolean
  /** Null: unchanged. */
  readonly vars: Vars | null
  readonly memo: object | null
  readonly fork: string
  /** It waits for the first time at this visit, if it waits. */
  readonly isArrival: boolean
  /** Visits of this batch. */
  readonly visits: number
  /** Why the run has failed; null when it has not. */
  readonly failure: string | null
}

/**
 * Saves the positions of the tokens after a batch and ends their leases. Runs without a live token
 * end as well. `at`: the time of this transaction, as `fenceTokens` gave it.
 */
export async function saveProgress(
  tx: Tx,
  tokens: readonly TokenProgress[],
  at: Date,
): Promise<void> {
  await forEachTenant(tokens, async (tenantId, own) => {
    await saveProgressOf(tx, { tenantId }, own, at)
  })
}

async function saveProgressOf(
  tx: Tx,
  scope: TenantScope,
  tokens: readonly TokenProgress[],
  at: Date,
): Promise<void> {
  await saveTokens(tx, scope, tokens, at)
  const stopped = (await saveRuns(tx, scope, tokens)).filter(({ state }) => state !== 'active')
  const failed = stopped.filter(({ state }) => state === 'failed')
  await pauseOthers(
    tx,
    scope,
    failed.map(({ runId }) => runId),
  )
  await wakeParents(tx, scope, stopped)
}

async function saveTokens(
  tx: Tx,
  scope: TenantScope,
  tokens: readonly TokenProgress[],
  at: Date,
): Promise<void> {
  await sql`
    with saved as (
    update run_token set state = given.state, node = given.node, visit = given.visit,
      key_visit = case when given.visit = run_token.visit then run_token.key_visit end, entered_at = coalesce(given.entered_at, ${at}::timestamptz),
      chosen_path = null, chosen_by = null, waits_for = given.waits_for, timer_at = given.timer_at, timer_rang = false,
      watches_case = given.watches_case, calls = given.calls, vars = coalesce(given.vars, run_token.vars), memo = given.memo, fork = given.fork, call_outcome = null,
      wake_at = now(), lease_owner = null, lease_until = null, attempts = 0
    from unnest(
      ${tokens.map((token) => token.runId)}::uuid[], ${tokens.map((token) => token.tokenId)}::smallint[], ${tokens.map((token) => token.state)}::text[],
      ${tokens.map((token) => token.node)}::text[], ${tokens.map((token) => token.visit)}::integer[],
      ${writeWords(tokens.map((token) => token.enteredAt?.toISOString() ?? null))}::timestamptz[],
      ${tokens.map((token) => token.waitsFor)}::text[],
      ${writeWords(tokens.map((token) => token.timerAt?.toISOString() ?? null))}::timestamptz[],
      ${writeWords(tokens.map((token) => token.watchesCase))}::boolean[], ${writeWords(tokens.map((token) => token.calls))}::boolean[],
      ${writeTexts(tokens.map((token) => writeJson(token.vars)))}::jsonb[], ${writeTexts(tokens.map((token) => writeJson(token.memo)))}::jsonb[],
      ${tokens.map((token) => token.fork)}::text[], ${writeWords(tokens.map((token) => token.isArrival))}::boolean[]
    ) as given (run_id, id, state, node, visit, entered_at, waits_for, timer_at, watches_case, calls, vars, memo, fork, is_arrival)
    where run_token.tenant_id = ${scope.tenantId} and run_token.run_id = given.run_id and run_token.id = given.id
    returning run_token.tenant_id, run_token.run_id, run_token.id, run_token.case_id, run_token.state, run_token.node,
      run_token.visit, run_token.waits_for, given.is_arrival
    )
    ${noteWaiting(scope)}`.execute(tx)
}

/** Counts the visits of the runs, and ends those without a live token. Returns them all. */
async function saveRuns(
  tx: Tx,
  scope: TenantScope,
  tokens: readonly TokenProgress[],
): Promise<readonly EndedChild[]> {
  const saved = await sql<EndedChild>`
    with saved as (
    update run set visits = run.visits + given.visits, failure = coalesce(given.failure, run.failure),
      state = next.state, ended_at = case when next.state = 'active' then null else clock.at end
    from (
      select run_id, sum(visits) as visits, min(failure) as failure, min(node) filter (where failure is not null) as node
      from unnest(
        ${tokens.map((token) => token.runId)}::uuid[], ${tokens.map((token) => token.visits)}::integer[], ${tokens.map((token) => token.failure)}::text[],
        ${tokens.map((token) => token.node)}::text[]
      ) as entry (run_id, visits, failure, node)
      group by run_id
    ) as given
    cross join lateral (
      select case
        when given.failure is not null then 'failed'
        when exists (
          select from run_token where run_token.tenant_id = ${scope.tenantId}
            and run_token.run_id = given.run_id and run_token.state in ('ready', 'waiting', 'paused')
        ) then 'active'
        else 'ended'
      end as state
    ) as next
    cross join (select now() as at) as clock
    where run.tenant_id = ${scope.tenantId} and run.id = given.run_id
    returning run.*, given.node
    ), noted as (${noteEnded(scope)})
    select id as "runId", state, parent_run_id as "parentRunId", parent_token_id as "parentTokenId"
    from saved`.execute(tx)
  return saved.rows
}

/**
 * A failed run moves no more until a person resumes it; the nodes then decide again. A call that is
 * under way keeps its lease, as in `pauseRuns`.
 */
async function pauseOthers(
  tx: Tx,
  { tenantId }: TenantScope,
  runIds: readonly string[],
): Promise<void> {
  if (runIds.length === 0) return
  await sql`
    update run_token set state = 'paused', ${KEEP_LEASE_OF_CALL}
    where run_token.tenant_id = ${tenantId} and run_token.run_id = any(${[...runIds]}::uuid[])
      and run_token.state in ('ready', 'waiting')`.execute(tx)
}

/**
 * Delays the retry of a step or call that failed; a run that was paused retries it at its resume.
 * Does nothing when the token is no longer leased to this owner at this visit.
 */
export async function postponeToken(
  db: Db,
  owner: string,
  token: ClaimedToken,
  delaySeconds: number,
): Promise<void> {
  await seeTables<RunTables>(db)
    .updateTable('run_token')
    .set({
      lease_owner: null,
      lease_until: null,
      wake_at: sql<Date>`now() + ${delaySeconds} * interval '1 second'`,
    })
    .where('tenant_id', '=', token.tenantId)
    .where('run_id', '=', token.runId)
    .where('id', '=', token.tokenId)
    .where('visit', '=', token.visit)
    .where('state', 'in', ['ready', 'paused'])
    .where('lease_owner', '=', owner)
    .execute()
}

function writeJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

// SQL of triggers: the nodes at which runs wait, and the signals that move them.

import { sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { EarlyLeave } from '../node-kind.ts'
import { takeTokenIds } from './fork-store.ts'
import { lockRunsOfCases, type RunTables, type TokenState } from './run-store.ts'

export interface TokenOfRun {
  readonly runId: string
  readonly tokenId: number
  readonly playbookId: string
  readonly version: number
  readonly state: TokenState
  readonly node: string
  readonly visit: number
  readonly enteredAt: Date
  /** Of its run. */
  readonly startedAt: Date
  /** When its node is left by itself; null for never. */
  readonly timerAt: Date | null
  /** As its node keeps it. */
  readonly memo: object | null
  /**
   * A change of the case, or a deadline that has passed, has made it ready, and its node has not
   * decided again yet.
   */
  readonly isWoken: boolean
  /** It is still at the node before, whose wait ends when somebody chooses here (pass-early.ts). */
  readonly passes?: PassedNode | null
}

/** The node that a token leaves by the choice at the next one. */
interface PassedNode extends EarlyLeave {
  readonly node: string
  readonly kind: string
  readonly enteredAt: Date
}

/** Whether a trigger may choose the path of the token. */
export function isOpenToTriggers(token: TokenOfRun): boolean {
  return token.state === 'waiting' || token.isWoken
}

/** Tokens of the active runs of a case that are ready or waiting, oldest run first. */
export function listLiveTokens(
  db: Db,
  scope: TenantScope,
  caseId: string,
): Promise<readonly TokenOfRun[]> {
  return selectLiveTokens(db, scope, caseId).execute()
}

/** As listLiveTokens. No other transaction moves the tokens until this one ends. */
export async function lockLiveTokens(
  tx: Tx,
  scope: TenantScope,
  caseId: string,
): Promise<readonly TokenOfRun[]> {
  await lockRunsOfCases(tx, scope, [caseId])
  return await selectLiveTokens(tx, scope, caseId).forUpdate('run_token').execute()
}

function selectLiveTokens(db: Db, scope: TenantScope, caseId: string) {
  return seeTables<RunTables>(db)
    .selectFrom('run')
    .innerJoin('run_token', (join) =>
      join
        .onRef('run_token.tenant_id', '=', 'run.tenant_id')
        .onRef('run_token.run_id', '=', 'run.id'),
    )
    .select([
      'run.id as runId',
      'run_token.id as tokenId',
      'run.playbook_id as playbookId',
      'run.version',
      'run_token.state',
      'run_token.node',
      'run_token.visit',
      'run_token.entered_at as enteredAt',
      'run.started_at as startedAt',
      'run_token.timer_at as timerAt',
      'run_token.memo',
      sql<boolean>`run_token.state = 'ready' and run_token.chosen_path is null and case
        when run_token.timer_rang then coalesce(run_token.memo ->> 'timer' = 'deadline', false)
        else run_token.watches_case
      end`.as('isWoken'),
    ])
    .where('run.tenant_id', '=', scope.tenantId)
    .where('run.case_id', '=', caseId)
    .where('run.state', '=', 'active')
    .where('run_token.state', 'in', ['ready', 'waiting'])
    .orderBy('run.id')
    .orderBy('run_token.id')
}

export interface SignalRecord {
  readonly runId: string
  readonly path: string
}

export interface SignalQuestion {
  readonly caseId: string
  readonly node: string
  /** As the caller wrote it, so it may not be an id; null for any playbook. */
  readonly playbookId: string | null
}

/**
 * The last signal accepted for this node, in any run of the playbook on the case; null when there
 * is none.
 */
export async function findLastSignal(
  db: Db,
  scope: TenantScope,
  { caseId, node, playbookId }: SignalQuestion,
): Promise<SignalRecord | null> {
  let query = seeTables<RunTables>(db)
    .selectFrom('trigger_signal')
    .innerJoin('run', (join) =>
      join
        .onRef('run.tenant_id', '=', 'trigger_signal.tenant_id')
        .onRef('run.id', '=', 'trigger_signal.run_id'),
    )
    .select(['trigger_signal.run_id as runId', 'trigger_signal.path'])
    .where('trigger_signal.tenant_id', '=', scope.tenantId)
    .where('trigger_signal.case_id', '=', caseId)
    .where('trigger_signal.node', '=', node)
  if (playbookId !== null) query = query.where(sql`run.playbook_id::text`, '=', playbookId)
  const row = await query
    .orderBy('trigger_signal.accepted_at', 'desc')
    .orderBy('trigger_signal.visit', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Whether a person has paused a run of the playbook on the case, and whether a token of one stands
 * at the node with no path chosen.
 */
export async function findPaused(
  db: Db,
  { tenantId }: TenantScope,
  { caseId, node, playbookId }: SignalQuestion,
): Promise<{ readonly isThere: boolean; readonly isUndecided: boolean }> {
  const found = await sql<{ isUndecided: boolean }>`
    select exists (
        select from run_token where run_token.tenant_id = run.tenant_id and run_token.run_id = run.id
          and run_token.state = 'paused' and run_token.node = ${node} and run_token.chosen_path is null
      ) as "isUndecided"
    from run
    where run.tenant_id = ${tenantId} and run.case_id = ${caseId} and run.state = 'paused'
      and (${playbookId}::text is null or run.playbook_id::text = ${playbookId})`.execute(db)
  const isUndecided = found.rows.some((one) => one.isUndecided)
  return { isThere: found.rows.length > 0, isUndecided }
}

// A caller that lost the answer repeats a trigger within minutes. The same trigger later is a new
// one.
const REPEATED_SECONDS = 300

/**
 * Whether a trigger at a node at which no token waits repeats an earlier one: the token of that is
 * still on its way, or the same `actor` has just sent it. `actor` is null for a caller that has
 * marked its trigger as a new one by an Idempotency-Key. The caller has locked the run.
 */
export async function isUnderWay(
  tx: Tx,
  { tenantId }: TenantScope,
  signal: { readonly runId: string; readonly node: string; readonly path: string },
  actor: string | null,
): Promise<boolean> {
  const found = await sql`
    select from trigger_signal as sent
    join run_token using (tenant_id, run_id)
    where sent.tenant_id = ${tenantId} and sent.run_id = ${signal.runId}::uuid and run_token.id = sent.token_id
      and sent.node = ${signal.node} and sent.path = ${signal.path}
      and (
        run_token.state in ('ready', 'waiting', 'paused')
          and (run_token.begun_at_node = sent.node or run_token.node = sent.node and run_token.visit = sent.visit)
        or sent.actor = ${actor}::text and sent.accepted_at > now() - ${REPEATED_SECONDS} * interval '1 second'
      )
    limit 1`.execute(tx)
  return found.rows.length > 0
}

/**
 * A further token of the run of `beside`, at `node`, with a copy of its vars; null when the run
 * would have too many. The caller has locked the run.
 */
export async function insertTokenBeside(
  tx: Tx,
  scope: TenantScope,
  beside: TokenOfRun,
  node: string,
): Promise<TokenOfRun | null> {
  const { runId } = beside
  const { tenantId } = scope
  const tokenId = (await takeTokenIds(tx, [{ tenantId, runId, count: 1 }])).get(runId)
  if (tokenId === undefined) return null
  const made = await sql<{ enteredAt: Date }>`
    insert into run_token (tenant_id, run_id, id, case_id, state, node, vars, begun_at_node)
    select tenant_id, run_id, ${tokenId}, case_id, 'ready', ${node}, vars, ${node} from run_token
    where tenant_id = ${tenantId} and run_id = ${runId}::uuid and id = ${beside.tokenId}
    -- Only so does Citus name the new row right when it reads a table of the tenant.
    on conflict do nothing
    returning entered_at as "enteredAt"`.execute(tx)
  const [row] = made.rows
  if (row === undefined) return null
  const { enteredAt } = row
  const own = { tokenId, node, visit: 1, enteredAt, state: 'ready', isWoken: false } as const
  return { ...beside, ...own, timerAt: null, memo: null, passes: null }
}

/** Keeps what the node of a waiting token is to know. The caller has locked the token. */
export async function keepMemo(
  tx: Tx,
  { tenantId }: TenantScope,
  { runId, tokenId }: Pick<TokenOfRun, 'runId' | 'tokenId'>,
  memo: object,
): Promise<void> {
  await sql`
    update run_token set memo = ${JSON.stringify(memo)}::jsonb
    where tenant_id = ${tenantId} and run_id = ${runId}::uuid and id = ${tokenId}`.execute(tx)
}

export interface AcceptedSignal {
  readonly caseId: string
  readonly token: TokenOfRun
  readonly path: string
  readonly actor: string
  /** Replaces the memo of the visit; it stays when left out. */
  readonly memo?: object
}

/** Stores the signal and makes the token due at once. The caller has locked the token. */
export async function acceptSignal(
  tx: Tx,
  scope: TenantScope,
  signal: AcceptedSignal,
): Promise<void> {
  const { token, memo } = signal
  if (memo !== undefined) await keepMemo(tx, scope, token, memo)
  const db = seeTables<RunTables>(tx)
  await db
    .insertInto('trigger_signal')
    .values({
      tenant_id: scope.tenantId,
      run_id: token.runId,
      token_id: token.tokenId,
      visit: token.visit,
      case_id: signal.caseId,
      node: token.node,
      path: signal.path,
      actor: signal.actor,
      accepted_at: sql<Date>`now()`,
    })
    .execute()
  await db
    .updateTable('run_token')
    .set({
      state: 'ready',
      wake_at: sql<Date>`now()`,
      attempts: 0,
      chosen_path: signal.path,
      chosen_by: signal.actor,
    })
    .where('tenant_id', '=', scope.tenantId)
    .where('run_id', '=', token.runId)
    .where('id', '=', token.tokenId)
    .execute()
}

// SQL of a simulation, all of it in a transaction that is rolled back: the run that is tried, its
// tokens and those of its children, and what the run has written.

import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { NOT_COPIED } from '../../../kernel/db/not-copied.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CaseState } from '../../cases/case-state.ts'
import type { HistoryKind } from '../../cases/case-tables.ts'
import type { WaitingParty } from '../node-kind.ts'
import { lockRunsOfCases } from '../runs/run-store.ts'
import type { ClaimedToken } from '../runs/run-token-store.ts'

/** A lock that is not there by then is given up. */
const LOCK_MS_MAX = 250
const STATEMENT_MS_MAX = 2_000

/** Nothing waits long for a simulation, nor a simulation for anything. */
export async function limitWaits(tx: Tx): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_MS_MAX)}`.execute(tx)
  await sql`set local statement_timeout = ${sql.lit(STATEMENT_MS_MAX)}`.execute(tx)
}

/** The runs that work the case by now: the one that is tried must not see them. */
export async function setRunsAside(tx: Tx, scope: TenantScope, caseId: string): Promise<void> {
  await lockRunsOfCases(tx, scope, [caseId])
  await sql`
    update run set state = 'cancelled'
    where tenant_id = ${scope.tenantId} and case_id = ${caseId} and state in ('active', 'paused')`.execute(
    tx,
  )
}

interface TriedRun {
  readonly runId: string
  readonly caseId: string
  readonly playbookId: string
  readonly version: number
  readonly startNode: string
  readonly at: Date
}

export async function insertTriedRun(tx: Tx, scope: TenantScope, run: TriedRun): Promise<void> {
  await sql`
    with started as (
      insert into run (tenant_id, id, case_id, playbook_id, version, state, started_by)
      values (${scope.tenantId}, ${run.runId}, ${run.caseId}, ${run.playbookId}, ${run.version}, 'active', 'simulation')
      returning tenant_id, id, case_id
    )
    insert into run_token (tenant_id, run_id, id, case_id, state, node, entered_at)
    select tenant_id, id, 1, case_id, 'ready', ${run.startNode}, ${run.at} from started
    ${NOT_COPIED}`.execute(tx)
}

/** A live token of the run that is tried, or of one of its children. */
export interface TriedToken extends ClaimedToken {
  readonly playbookId: string
  readonly version: number
  readonly state: 'ready' | 'waiting'
  readonly node: string
  readonly calls: boolean
  readonly watchesCase: boolean
  readonly waitsFor: WaitingParty | null
  readonly timerAt: Date | null
}

const TREE = (scope: TenantScope, runId: string) => sql`tree as (
  select id, playbook_id, version from run where tenant_id = ${scope.tenantId} and id = ${runId}
  union all
  select child.id, child.playbook_id, child.version
  from tree join run as child on child.tenant_id = ${scope.tenantId} and child.parent_run_id = tree.id
)`

/** The oldest run first, and its tokens in their order. */
export async function listTriedTokens(
  tx: Tx,
  scope: TenantScope,
  runId: string,
): Promise<readonly TriedToken[]> {
  const found = await sql<TriedToken>`
    with recursive ${TREE(scope, runId)}
    select run_token.tenant_id as "tenantId", run_token.run_id as "runId", run_token.id as "tokenId", run_token.visit,
      run_token.attempts, tree.playbook_id as "playbookId", tree.version, run_token.state, run_token.node, run_token.calls,
      run_token.watches_case as "watchesCase", run_token.waits_for as "waitsFor", run_token.timer_at as "timerAt"
    from tree join run_token on run_token.tenant_id = ${scope.tenantId} and run_token.run_id = tree.id
    where run_token.state in ('ready', 'waiting')
    order by run_token.run_id, run_token.id`.execute(tx)
  return found.rows
}

interface Readiness {
  readonly rings?: boolean
  readonly chosenPath?: string | null
  readonly vars?: object
}

/** Makes the tokens ready, if they are not, and leases them to `owner`. */
export async function leaseTokens(
  tx: Tx,
  scope: TenantScope,
  owner: string,
  tokens: readonly TriedToken[],
  { rings = false, chosenPath = null, vars = {} }: Readiness = {},
): Promise<void> {
  await sql`
    update run_token set state = 'ready', lease_owner = ${owner}, lease_until = now() + interval '1 minute',
      timer_rang = timer_rang or ${rings}, chosen_path = coalesce(${chosenPath}, chosen_path),
      chosen_by = case when ${chosenPath}::text is null then chosen_by else 'simulation' end,
      vars = vars || ${JSON.stringify(vars)}::jsonb
    from unnest(
      ${tokens.map(({ runId }) => runId)}::uuid[], ${tokens.map(({ tokenId }) => tokenId)}::smallint[]
    ) as given (run_id, id)
    where run_token.tenant_id = ${scope.tenantId} and run_token.run_id = given.run_id and run_token.id = given.id`.execute(
    tx,
  )
}

/** Differs when the case or its history has changed. */
export async function readPulse(tx: Tx, scope: TenantScope, caseId: string): Promise<string> {
  const found = await sql<{ pulse: string }>`
    select version || '/' || (
      select count(*) from case_history where tenant_id = ${scope.tenantId} and case_id = ${caseId}
    ) as pulse
    from abuse_case where tenant_id = ${scope.tenantId} and id = ${caseId}`.execute(tx)
  return found.rows[0]?.pulse ?? ''
}

export async function findTriedRun(
  tx: Tx,
  scope: TenantScope,
  runId: string,
): Promise<{ readonly state: string; readonly failure: string | null }> {
  const found = await sql<{ state: string; failure: string | null }>`
    select state, failure from run where tenant_id = ${scope.tenantId} and id = ${runId}`.execute(
    tx,
  )
  return found.rows[0] ?? { state: 'cancelled', failure: null }
}

/** What the run and its children have written to the history of the case. */
export interface TriedEffect {
  readonly kind: HistoryKind
  readonly at: Date
  readonly node: string
  readonly fromState: CaseState | null
  readonly toState: CaseState | null
  readonly reason: string | null
  readonly changes: Readonly<Record<string, unknown>> | null
  /** Of a comment. */
  readonly text: string | null
  /** Of a notice, as it would be sent. */
  readonly notice: Readonly<Record<string, unknown>> | null
  /** Of a mitigation, as it would be asked for. */
  readonly mitigation: Readonly<Record<string, unknown>> | null
}

export async function listTriedEffects(
  tx: Tx,
  scope: TenantScope,
  runId: string,
  caseId: string,
): Promise<readonly TriedEffect[]> {
  const found = await sql<TriedEffect>`
    with recursive ${TREE(scope, runId)}
    select entry.kind, entry.at, split_part(entry.actor, ':', 2) as node, entry.from_state as "fromState",
      entry.to_state as "toState", entry.reason, entry.changes, case_comment.text,
      case when notice.id is null then null else jsonb_build_object(
        'purpose', notice.purpose, 'party', notice.party, 'recipient', notice.recipient, 'language', notice.language,
        'template', notice.template, 'subject', notice.subject, 'text', notice.text, 'state', notice.state, 'reason', notice.reason
      ) end as notice,
      case when mitigation.id is null then null else jsonb_strip_nulls(jsonb_build_object(
        'kind', mitigation.kind, 'target_type', mitigation.target_type, 'target', mitigation.target, 'port', nullif(mitigation.port, 0),
        'adapter', mitigation.adapter, 'duration_seconds', mitigation.duration_seconds, 'parameters', mitigation.parameters,
        'note', nullif(mitigation.note, '')
      )) end as mitigation
    from case_history as entry
    left join case_comment on entry.kind = 'comment' and case_comment.tenant_id = entry.tenant_id
      and case_comment.case_id = entry.case_id and case_comment.id = (entry.changes ->> 'comment_id')::uuid
    left join notice on entry.kind = 'notice' and notice.tenant_id = entry.tenant_id
      and notice.id = (entry.changes ->> 'notice_id')::uuid
    left join mitigation on entry.kind = 'mitigation' and mitigation.tenant_id = entry.tenant_id
      and mitigation.id = (entry.changes ->> 'mitigation_id')::uuid
    where entry.tenant_id = ${scope.tenantId} and entry.case_id = ${caseId} and entry.actor_kind = 'run'
      and split_part(entry.actor, ':', 1) in (select id::text from tree)
    order by entry.id`.execute(tx)
  return found.rows
}

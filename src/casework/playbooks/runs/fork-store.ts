// SQL of forks: ids for new tokens, and the other live tokens of a run. The caller has locked the
// runs.

import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { collectByTenant } from '../../../kernel/db/due-tenants.ts'
import { NOT_COPIED } from '../../../kernel/db/not-copied.ts'
import type { TokenState } from './run-store.ts'
import type { LeasedToken, TokenKey } from './run-token-store.ts'

/** As many tokens as a run makes in its life; their ids are 16 bits wide. */
const TOKENS_MAX = 10_000

type RunKey = Pick<TokenKey, 'tenantId' | 'runId'>

/** The first of `count` new ids for each run; runs that would have too many tokens are left out. */
export async function takeTokenIds(
  tx: Tx,
  runs: readonly (RunKey & { readonly count: number })[],
): Promise<ReadonlyMap<string, number>> {
  const taken = await collectByTenant(runs, async (tenantId, own) => {
    const found = await sql<{ runId: string; first: number }>`
      update run set next_token = run.next_token + given.count
      from unnest(
        ${own.map((run) => run.runId)}::uuid[], ${own.map((run) => run.count)}::smallint[]
      ) as given (id, count)
      where run.tenant_id = ${tenantId} and run.id = given.id and run.next_token + given.count <= ${TOKENS_MAX}
      returning run.id as "runId", run.next_token - given.count as first`.execute(tx)
    return found.rows
  })
  return new Map(taken.map(({ runId, first }) => [runId, first]))
}

/** Rows of new tokens, which the end of the transaction saves as any others. */
export async function insertTokens(tx: Tx, tokens: readonly LeasedToken[]): Promise<void> {
  await sql`
    insert into run_token (tenant_id, run_id, id, case_id, state, node, fork, vars)
    select tenant_id, run_id, id, case_id, 'ready', node, fork, vars
    from unnest(
      ${tokens.map((token) => token.tenantId)}::text[], ${tokens.map((token) => token.runId)}::uuid[],
      ${tokens.map((token) => token.tokenId)}::smallint[], ${tokens.map((token) => token.caseId)}::text[],
      ${tokens.map((token) => token.node)}::text[], ${tokens.map((token) => token.fork)}::text[],
      ${tokens.map((token) => JSON.stringify(token.vars))}::jsonb[]
    ) as given (tenant_id, run_id, id, case_id, node, fork, vars)
    ${NOT_COPIED}`.execute(tx)
}

export type OtherToken = LeasedToken & { readonly state: TokenState }

/** The live tokens of these runs, locked; one tenant after the other. */
export async function lockTokensOfRuns(
  tx: Tx,
  runs: readonly RunKey[],
): Promise<readonly OtherToken[]> {
  return await collectByTenant(runs, async (tenantId, own) => {
    const found = await sql<OtherToken>`
      select run_token.tenant_id as "tenantId", run_token.run_id as "runId", run_token.id as "tokenId",
        run_token.case_id as "caseId", run.playbook_id as "playbookId", run.version, run_token.node,
        run_token.visit, run_token.key_visit as "keyVisit", run_token.entered_at as "enteredAt", run_token.chosen_path as "chosenPath",
        run_token.chosen_by as "chosenBy", run_token.waits_for as "waitsFor", run_token.timer_rang as "timerRang",
        run_token.state = 'waiting' as "hasWaited",
        run_token.vars, run_token.memo, run_token.call_outcome as "callOutcome", run_token.fork, run.depth, run.visits as "runVisits", playbook.name as "playbookName",
        now()::timestamptz(3) as now, run_token.state
      from run_token
      join run on run.tenant_id = run_token.tenant_id and run.id = run_token.run_id
      join playbook on playbook.tenant_id = run.tenant_id and playbook.id = run.playbook_id
      where run_token.tenant_id = ${tenantId} and run_token.run_id = any(${own.map(({ runId }) => runId)}::uuid[])
        and run_token.state in ('ready', 'waiting', 'paused')
      order by run_token.case_id, run_token.run_id, run_token.id
      for update of run_token`.execute(tx)
    return found.rows
  })
}

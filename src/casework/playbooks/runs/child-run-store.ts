// SQL of child runs: a token at a sub_playbook node waits for the end of a run that it has started.

import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { collectByTenant } from '../../../kernel/db/due-tenants.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { Vars } from '../node-kind.ts'
import type { EndedToken } from './cancel-effects.ts'
import { noteRuns, noteStarted } from './run-change-store.ts'
import type { TokenKey } from './run-token-store.ts'

/** A run, and the token of its parent that waits for its end; null where it has no parent. */
export interface EndedChild {
  readonly runId: string
  readonly state: string
  readonly parentRunId: string | null
  readonly parentTokenId: number | null
}

/**
 * Lets the parents of these runs of one tenant decide again: by `next` when the child has come to
 * its end, else by `error`.
 */
export async function wakeParents(
  tx: Tx,
  { tenantId }: TenantScope,
  ended: readonly EndedChild[],
): Promise<void> {
  const children = ended.filter(({ parentRunId }) => parentRunId !== null)
  if (children.length === 0) return
  await sql`
    update run_token set state = case when run_token.state = 'waiting' then 'ready' else run_token.state end,
      chosen_path = case when given.state = 'ended' then 'next' else 'error' end, chosen_by = 'run:' || given.child_id,
      wake_at = now(), attempts = 0
    from unnest(
      ${children.map((child) => child.parentRunId)}::uuid[], ${children.map((child) => child.parentTokenId)}::smallint[],
      ${children.map((child) => child.runId)}::text[], ${children.map((child) => child.state)}::text[]
    ) as given (run_id, id, child_id, state)
    where run_token.tenant_id = ${tenantId} and run_token.run_id = given.run_id and run_token.id = given.id
      and run_token.state in ('waiting', 'paused') and run_token.memo ->> 'child_run' = given.child_id`.execute(
    tx,
  )
}

export interface NewChild extends TokenKey {
  readonly childId: string
  readonly caseId: string
  readonly playbookId: string
  readonly depth: number
  readonly vars: Vars
}

/**
 * Starts the children on the active versions of their playbooks; the ids of those that were
 * started. A playbook without an active version, or of another tenant, has none.
 */
export async function startChildren(
  tx: Tx,
  children: readonly NewChild[],
): Promise<ReadonlySet<string>> {
  const started = await collectByTenant(children, (tenantId, own) =>
    startChildrenOf(tx, { tenantId }, own),
  )
  return new Set(started)
}

async function startChildrenOf(
  tx: Tx,
  scope: TenantScope,
  children: readonly NewChild[],
): Promise<readonly string[]> {
  const started = await sql<{ id: string }>`
    with given as (
      select * from unnest(
        ${children.map((child) => child.childId)}::uuid[], ${children.map((child) => child.caseId)}::text[],
        ${children.map((child) => child.playbookId)}::uuid[], ${children.map((child) => child.runId)}::uuid[],
        ${children.map((child) => child.tokenId)}::smallint[], ${children.map((child) => child.depth)}::smallint[],
        ${children.map((child) => JSON.stringify(child.vars))}::jsonb[]
      ) as given (id, case_id, playbook_id, parent_run_id, parent_token_id, depth, vars)
    ), started as (
      insert into run (tenant_id, id, case_id, playbook_id, version, state, started_by, parent_run_id, parent_token_id, depth)
      select playbook.tenant_id, given.id, given.case_id, playbook.id, playbook.active_version, 'active',
        'run:' || given.parent_run_id, given.parent_run_id, given.parent_token_id, given.depth
      from given join playbook on playbook.tenant_id = ${scope.tenantId} and playbook.id = given.playbook_id
      where playbook.active_version is not null
      -- Only so does Citus name the new rows right when it reads tables of the tenant beside them.
      on conflict do nothing
      returning tenant_id, id, case_id, playbook_id, version, started_by
    ), noted as (${noteStarted(scope)}), tokens as (
      insert into run_token (tenant_id, run_id, id, case_id, state, node, vars)
      select started.tenant_id, started.id, 1, started.case_id, 'ready', playbook_version.start_node, given.vars
      from started join given using (id)
      join playbook_version on playbook_version.tenant_id = started.tenant_id
        and playbook_version.playbook_id = started.playbook_id and playbook_version.version = started.version
      returning run_id
    )
    select run_id as id from tokens`.execute(tx)
  return started.rows.map(({ id }) => id)
}

/**
 * Cancels the runs that these tokens wait for, and the children of those. Returns the tokens that
 * ended by it.
 */
export async function cancelChildren(
  tx: Tx,
  parents: readonly TokenKey[],
): Promise<readonly EndedToken[]> {
  return await collectByTenant(parents, (tenantId, own) => cancelChildrenOf(tx, { tenantId }, own))
}

async function cancelChildrenOf(
  tx: Tx,
  scope: TenantScope,
  parents: readonly TokenKey[],
): Promise<readonly EndedToken[]> {
  const { tenantId } = scope
  const cancelled = await sql<EndedToken>`
    with recursive child as (
      select run.id from unnest(
        ${parents.map((token) => token.runId)}::uuid[], ${parents.map((token) => token.tokenId)}::smallint[]
      ) as given (run_id, id)
      join run on run.tenant_id = ${tenantId} and run.parent_run_id = given.run_id and run.parent_token_id = given.id
      where run.state in ('active', 'paused')
      union
      select run.id from child
      join run on run.tenant_id = ${tenantId} and run.parent_run_id = child.id
      where run.state in ('active', 'paused')
    ), cancelled as (
      update run set state = 'cancelled', ended_at = now() from child
      where run.tenant_id = ${tenantId} and run.id = child.id
      returning run.id
    ), ended as (
      update run_token set state = 'done', lease_owner = null, lease_until = null from cancelled
      where run_token.tenant_id = ${tenantId} and run_token.run_id = cancelled.id
        and run_token.state in ('ready', 'waiting', 'paused')
      returning run_token.tenant_id as "tenantId", run_token.run_id as "runId", run_token.id as "tokenId", run_token.case_id as "caseId",
        run_token.node, run_token.visit, run_token.key_visit as "keyVisit"
    )
    select * from ended`.execute(tx)
  const ids = [...new Set(cancelled.rows.map(({ runId }) => runId))]
  await noteRuns(tx, scope, 'cancelled', ids, { kind: 'system', id: 'parent' })
  return cancelled.rows
}

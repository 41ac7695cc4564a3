// SQL of what ends a wait by itself: timers that are due, and changes of cases that tokens watch.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import {
  claimByTenant,
  type DueRows,
  hasDueRows,
  listDueTenants,
  type TenantPass,
} from '../../../kernel/db/due-tenants.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { lockRunsOfCases } from './run-store.ts'

const TIMERS: DueRows = {
  table: 'run_token',
  isDue: sql`state = 'waiting' and timer_at <= now()`,
  since: sql`timer_at`,
}

/** Whether a timer is due. */
export const HAS_DUE_TIMERS = hasDueRows(TIMERS)

/**
 * Makes up to `limit` tokens ready whose timer is due; returns how many. Of each tenant the same
 * number, the longest due first. A token that somebody moves at the moment is skipped: of a trigger
 * and a timer, the first to commit wins.
 */
export async function ringTimers({ db, log }: TenantPass, limit: number): Promise<number> {
  const tenants = await listDueTenants(db, TIMERS, limit)
  const rung = await claimByTenant({ tenants, limit, log }, (tenantId, share) =>
    ringTimersOf(db, tenantId, share),
  )
  return rung.length
}

async function ringTimersOf(db: Db, tenantId: string, limit: number): Promise<readonly object[]> {
  const rung = await sql<{ runId: string }>`
    with due as materialized (
      select run_id, id from run_token
      where tenant_id = ${tenantId} and state = 'waiting' and timer_at <= now()
      order by timer_at limit ${limit}
      for update skip locked
    )
    update run_token set state = 'ready', timer_rang = true, wake_at = now(), attempts = 0
    from due
    where run_token.tenant_id = ${tenantId} and run_token.run_id = due.run_id and run_token.id = due.id
    returning run_token.run_id as "runId"`.execute(db)
  return rung.rows
}

interface LiveToken {
  readonly runId: string
  readonly id: number
  readonly watches: boolean
}

/**
 * The cases have changed: tokens that watch them become ready, so that their nodes decide again.
 * Returns how many; when it is not 0, wake the workers after the commit.
 *
 * All live tokens of a case that a version watches are locked first. A worker that has read the
 * facts before the change, and is about to save that the token waits, is thus waited for. Runs of
 * other cases are left alone: most changes are made by movers, which would wait here.
 */
export async function wakeWatchers(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<number> {
  const watched = await findWatchedCases(tx, scope, caseIds)
  if (watched.length === 0) return 0
  await lockRunsOfCases(tx, scope, watched)
  const live = await sql<LiveToken>`
    select run_token.run_id as "runId", run_token.id, run_token.state = 'waiting' and run_token.watches_case as watches
    from run join run_token on run_token.tenant_id = run.tenant_id and run_token.run_id = run.id
    where run.tenant_id = ${scope.tenantId} and run.case_id = any(${[...watched]}::text[]) and run.state = 'active'
      and run_token.state in ('ready', 'waiting')
    order by run_token.case_id, run_token.run_id, run_token.id
    for update of run_token`.execute(tx)
  const watching = live.rows.filter(({ watches }) => watches)
  if (watching.length === 0) return 0
  await sql`
    update run_token set state = 'ready', wake_at = now(), attempts = 0
    from unnest(
      ${watching.map(({ runId }) => runId)}::uuid[], ${watching.map(({ id }) => id)}::smallint[]
    ) as given (run_id, id)
    where run_token.tenant_id = ${scope.tenantId} and run_token.run_id = given.run_id and run_token.id = given.id`.execute(
    tx,
  )
  return watching.length
}

/**
 * The cases among these with a run of a version that watches cases. A run that begins, or is moved
 * to such a version, after this look decides by facts that are younger than the change.
 */
async function findWatchedCases(
  tx: Tx,
  { tenantId }: TenantScope,
  caseIds: readonly string[],
): Promise<readonly string[]> {
  if (caseIds.length === 0) return []
  const found = await sql<{ caseId: string }>`
    select distinct run.case_id as "caseId"
    from run join playbook_version on playbook_version.tenant_id = run.tenant_id
      and playbook_version.playbook_id = run.playbook_id and playbook_version.version = run.version
    where run.tenant_id = ${tenantId} and run.case_id = any(${[...caseIds]}::text[])
      and run.state in ('active', 'paused') and playbook_version.watches_cases`.execute(tx)
  return found.rows.map(({ caseId }) => caseId)
}

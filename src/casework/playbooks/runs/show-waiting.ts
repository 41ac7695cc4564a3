// Whom a case waits for, as its runs say it: a node that waits for somebody sets `waiting_on` of
// the case, and takes it back when the run goes on. A person's change in between stays.

import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../../kernel/clock.ts'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { forEachTenant } from '../../../kernel/db/due-tenants.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { writeRunWaits } from '../../cases/case-waiting-store.ts'
import type { WaitingParty } from '../node-kind.ts'
import type { TokenKey } from './run-token-store.ts'

export interface WaitChange extends TokenKey {
  readonly caseId: string
  readonly node: string
  readonly visit: number
  /** Null for a token that no longer waits. */
  readonly arrivesFor: WaitingParty | null
}

/** After the tokens were saved, in the same transaction. */
export async function showWaiting(
  tx: Tx,
  deps: { readonly ids: IdSource; readonly clock: Clock },
  changes: readonly WaitChange[],
): Promise<void> {
  await forEachTenant(changes, async (tenantId, own) => {
    const byCase = Map.groupBy(own, (one) => one.caseId)
    const waits = await findWaits(tx, { tenantId }, [...byCase.keys()])
    const at = new Date(deps.clock.nowMs())
    const given = [...byCase].flatMap(([caseId, ofCase]) => {
      const last = ofCase.findLast(({ arrivesFor }) => arrivesFor !== null) ?? ofCase.at(-1)
      if (last === undefined) return []
      return {
        caseId,
        waitsFor: waits.get(caseId) ?? null,
        arrivesFor: last.arrivesFor,
        actor: { kind: 'run' as const, id: `${last.runId}:${last.node}`, name: 'playbook' },
        at,
        causeId: `${last.runId}:${last.tokenId}:${last.visit}`,
      }
    })
    await writeRunWaits(tx, deps.ids, { tenantId }, given)
  })
}

/**
 * Of several runs that wait on one case, the one that came to its node last counts. A failed run
 * waits for an agent; a failed child does not, since its parent takes the path error.
 */
async function findWaits(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, WaitingParty>> {
  const result = await sql<{ caseId: string; waitsFor: WaitingParty }>`
    ${selectRunWaits(sql`run.tenant_id = ${scope.tenantId} and run.case_id = any(${[...caseIds]}::text[])`)}`.execute(
    tx,
  )
  return new Map(result.rows.map(({ caseId, waitsFor }) => [caseId, waitsFor]))
}

export interface WrongWait {
  readonly caseId: string
  readonly stored: WaitingParty | null
  readonly waitsFor: WaitingParty | null
}

const WRONG_LISTED_MAX = 1_000

/** The first thousand cases that say otherwise than their runs; merged ones have no runs. */
export async function listWrongWaits(db: Db, scope: TenantScope): Promise<readonly WrongWait[]> {
  const result = await sql<WrongWait>`
    with waits as materialized (${selectRunWaits(sql`run.tenant_id = ${scope.tenantId}`)})
    select one.id as "caseId", one.run_waits_for as stored, waits."waitsFor"
    from abuse_case as one left join waits on waits."caseId" = one.id
    where one.tenant_id = ${scope.tenantId} and one.close_reason is distinct from 'merged'
      and one.run_waits_for is distinct from waits."waitsFor"
    order by one.id limit ${WRONG_LISTED_MAX}`.execute(db)
  return result.rows
}

/** Sets what the case repeats of its runs, and `waiting_on` where nobody has changed it since. */
export async function repairWaits(
  tx: Tx,
  deps: { readonly ids: IdSource; readonly clock: Clock },
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<void> {
  const waits = await findWaits(tx, scope, caseIds)
  const at = new Date(deps.clock.nowMs())
  const actor = { kind: 'system', id: 'doctor', name: 'doctor' } as const
  const given = caseIds.map((caseId) => {
    return { caseId, waitsFor: waits.get(caseId) ?? null, arrivesFor: null, actor, at }
  })
  await writeRunWaits(tx, deps.ids, scope, given)
}

/** Whom the runs of each case wait for: the value that `run_waits_for` of the case repeats. */
function selectRunWaits(runs: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select distinct on (run.case_id) run.case_id as "caseId",
      case run.state when 'failed' then 'agent' else run_token.waits_for end as "waitsFor"
    from run join run_token on run_token.tenant_id = run.tenant_id and run_token.run_id = run.id
    where ${runs} and (
        run.state = 'active' and run_token.state = 'waiting' and run_token.waits_for is not null
        or run.state = 'failed' and run_token.state = 'dead' and run.parent_run_id is null
      )
    order by run.case_id, coalesce(run.ended_at, run_token.entered_at) desc, run.id desc`
}

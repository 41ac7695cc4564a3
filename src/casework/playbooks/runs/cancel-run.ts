// Cancels a run with the runs below it. Their tokens leave the nodes at which they are, by no path.

import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { runNotChanged } from '../errors.ts'
import { cancelEffects } from './cancel-effects.ts'
import type { ChangeRunDeps, RunChange } from './change-run.ts'
import { wakeParents } from './child-run-store.ts'
import { cancelRuns, type LockedRun, type LockedToken, type RunFamily } from './locked-run-store.ts'
import { recordRunChange, showChange } from './record-run-change.ts'
import { noteRuns } from './run-change-store.ts'
import { insertVisits, type NewVisit } from './run-token-store.ts'

export async function cancelRun(
  tx: Tx,
  deps: ChangeRunDeps,
  scope: TenantScope,
  family: RunFamily,
  change: RunChange,
): Promise<void> {
  const { run, children, tokens } = family
  if (run.state === 'cancelled') return
  if (run.state === 'ended') throw runNotChanged('has_ended')
  const runs = [run, ...children]
  const live = tokens.filter(({ state }) => state !== 'dead')
  await insertVisits(tx, await describeVisits(tx, deps, runs, live, change))
  await cancelRuns(tx, scope, runs)
  await cancelEffects(tx, deps, tokens)
  await noteRuns(tx, scope, 'cancelled', listIds(runs), change.actor)
  // The parent of a failed run was told when it failed.
  if (run.state !== 'failed') await wakeParents(tx, scope, [{ ...run, state: 'cancelled' }])
  await recordRunChange(tx, deps, scope, family, { ...change, kind: 'run_cancelled' })
  await showChange(tx, deps, tokens)
}

function listIds(runs: readonly LockedRun[]): readonly string[] {
  return runs.map(({ runId }) => runId)
}

async function describeVisits(
  tx: Tx,
  { graphs }: ChangeRunDeps,
  runs: readonly LockedRun[],
  tokens: readonly LockedToken[],
  { actor }: RunChange,
): Promise<readonly NewVisit[]> {
  const visits: NewVisit[] = []
  for (const token of tokens) {
    const run = runs.find(({ runId }) => runId === token.runId)
    if (run === undefined) continue
    // A graph that this program cannot read must not keep its runs alive.
    const version = await graphs.load(tx, { ...run, tenantId: token.tenantId }).catch(() => null)
    const kind = version?.graph.nodes.get(token.node)?.kind.kind ?? 'unknown'
    const output = { cancelled_by: `${actor.kind}:${actor.id}` }
    visits.push({ ...token, kind, path: null, actor: token.chosenBy, output })
  }
  return visits
}

// Pauses a run with the runs below it, wherever they are.

import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { runNotChanged } from '../errors.ts'
import type { ChangeRunDeps, RunChange } from './change-run.ts'
import { pauseRuns, type RunFamily } from './locked-run-store.ts'
import { recordRunChange, showChange } from './record-run-change.ts'
import { noteRuns } from './run-change-store.ts'

export async function pauseRun(
  tx: Tx,
  deps: ChangeRunDeps,
  scope: TenantScope,
  family: RunFamily,
  change: RunChange,
): Promise<void> {
  const { run, children, tokens } = family
  if (run.state === 'paused') return
  if (run.state === 'ended') throw runNotChanged('has_ended')
  if (run.state === 'failed') throw runNotChanged('has_failed')
  if (run.state === 'cancelled') throw runNotChanged('was_cancelled')
  const runs = [run, ...children.filter(({ state }) => state === 'active')]
  await pauseRuns(tx, scope, runs)
  await noteRuns(
    tx,
    scope,
    'paused',
    runs.map(({ runId }) => runId),
    change.actor,
  )
  await recordRunChange(tx, deps, scope, family, { ...change, kind: 'run_paused' })
  await showChange(tx, deps, tokens)
}

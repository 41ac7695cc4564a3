// Resumes a run that a person has paused, or that has failed, with the paused runs below it.

import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { runNotChanged } from '../errors.ts'
import type { ChangeRunDeps, RunChange } from './change-run.ts'
import { hasOtherRun, type RunFamily, resumeRuns } from './locked-run-store.ts'
import { recordRunChange, showChange } from './record-run-change.ts'
import { noteRuns } from './run-change-store.ts'

export async function resumeRun(
  tx: Tx,
  deps: ChangeRunDeps,
  scope: TenantScope,
  family: RunFamily,
  change: RunChange,
  { resend }: { readonly resend: boolean },
): Promise<void> {
  const { run, children, tokens } = family
  if (run.state === 'active') return
  if (run.state === 'ended') throw runNotChanged('has_ended')
  if (run.state === 'cancelled') throw runNotChanged('was_cancelled')
  if (run.state === 'failed') {
    if (run.parentRunId !== null) throw runNotChanged('parent_went_on')
    if (await hasOtherRun(tx, scope, run)) throw runNotChanged('runs_already')
  }
  const paused = children.filter(({ state }) => state === 'paused')
  const runs = [run, ...paused]
  await resumeRuns(tx, scope, runs, { resend })
  await noteRuns(
    tx,
    scope,
    'resumed',
    runs.map(({ runId }) => runId),
    change.actor,
  )
  const changes = run.state === 'failed' ? { failure: run.failure, resend } : null
  await recordRunChange(tx, deps, scope, family, { ...change, kind: 'run_resumed', changes })
  await showChange(tx, deps, tokens)
}

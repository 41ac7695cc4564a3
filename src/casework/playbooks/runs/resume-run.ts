// Resumes a run that a person has paused, or that has failed, with the paused runs below it.

import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { findMissingCalendar } from '../calendars/check-calendars.ts'
import { runNotChanged } from '../errors.ts'
import type { ChangeRunDeps, RunChange } from './change-run.ts'
import { hasOtherRun, type LockedRun, type RunFamily, resumeRuns } from './locked-run-store.ts'
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
    await requireCalendars(tx, deps, scope, run)
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

/**
 * The calendars of an active or draining version are there. A failed run keeps no version from
 * becoming inactive, so they may be gone, and the run would fail again.
 */
async function requireCalendars(
  tx: Tx,
  { graphs }: ChangeRunDeps,
  scope: TenantScope,
  run: LockedRun,
): Promise<void> {
  const { graph } = await graphs.load(tx, { ...scope, ...run })
  const missing = await findMissingCalendar(tx, scope, graph)
  if (missing !== null) throw runNotChanged('calendar_gone', missing)
}

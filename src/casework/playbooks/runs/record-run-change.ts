// What a person did to a run, in the history of its case and in `waiting_on`.

import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import type { ChangeRunDeps, RunChange } from './change-run.ts'
import type { LockedToken, RunFamily } from './locked-run-store.ts'
import { showWaiting } from './show-waiting.ts'

interface RecordedChange extends RunChange {
  readonly kind: 'run_cancelled' | 'run_paused' | 'run_resumed' | 'run_migrated'
  readonly changes?: Record<string, unknown> | null
}

/** One entry for the run; what happens to the runs below it follows from it. */
export async function recordRunChange(
  tx: Tx,
  { ids, clock }: Pick<ChangeRunDeps, 'ids' | 'clock'>,
  scope: TenantScope,
  { run, tokens }: RunFamily,
  { kind, actor, reason, changes = null }: RecordedChange,
): Promise<void> {
  const own = tokens.filter(({ runId }) => runId === run.runId)
  const first = own.find(({ state }) => state === 'dead') ?? own[0]
  const causeId = [run.runId, ...(first === undefined ? [] : [first.tokenId, first.visit])].join(
    ':',
  )
  const nodes = own.length === 0 ? {} : { nodes: own.map(({ node }) => node) }
  await addHistory(tx, ids, scope, [
    {
      caseId: run.caseId,
      kind,
      actor,
      at: new Date(clock.nowMs()),
      reason,
      causeId,
      changes: { run_id: run.runId, playbook_id: run.playbookId, ...nodes, ...changes },
    },
  ])
}

/** Whom the case waits for after the change of its runs. */
export async function showChange(
  tx: Tx,
  deps: Pick<ChangeRunDeps, 'ids' | 'clock'>,
  tokens: readonly LockedToken[],
): Promise<void> {
  await showWaiting(
    tx,
    deps,
    tokens.map((token) => ({ ...token, arrivesFor: null })),
  )
}

// Runs that stop before the end of their graph, or miss a deadline: the entry in the history of the
// case, and the last resort for a step that fails again and again.

import type { Clock } from '../../../kernel/clock.ts'
import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { forEachTenant } from '../../../kernel/db/due-tenants.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import { type ClaimedToken, fenceTokens, insertVisits, saveProgress } from './run-token-store.ts'
import { showWaiting } from './show-waiting.ts'
import type { WorkerDeps } from './worker.ts'

export interface RunStop {
  readonly kind: 'run_failed' | 'run_ended' | 'run_overdue'
  readonly tenantId: string
  readonly caseId: string
  readonly runId: string
  readonly tokenId: number
  readonly node: string
  readonly visit: number
  /** The reason as one stable word. */
  readonly reason: string
}

/** Writes to the history of the cases at which nodes their runs stopped or are late, and why. */
export async function recordStops(
  tx: Tx,
  deps: { readonly ids: IdSource; readonly clock: Clock },
  stops: readonly RunStop[],
): Promise<void> {
  await forEachTenant(stops, async (tenantId, own) => {
    const entries = own.map((stop) => ({
      caseId: stop.caseId,
      kind: stop.kind,
      actor: { kind: 'run' as const, id: `${stop.runId}:${stop.node}`, name: 'playbook' },
      at: new Date(deps.clock.nowMs()),
      reason: stop.reason,
      causeId: `${stop.runId}:${stop.tokenId}:${stop.visit}`,
      changes: null,
    }))
    await addHistory(tx, deps.ids, { tenantId }, entries)
  })
}

/**
 * Ends the token as dead and its run as failed, so that a person sees it. Does nothing when another
 * worker has claimed the token meanwhile.
 */
export async function giveUp(
  deps: WorkerDeps,
  owner: string,
  claimed: ClaimedToken,
): Promise<void> {
  const given = await inTransaction(deps.database.kysely, async (tx) => {
    const [token] = await fenceTokens(tx, owner, [claimed])
    if (token === undefined) return false
    const failure = 'gave_up'
    const visit = { ...token, path: null, actor: token.chosenBy, output: { failure } }
    // The graph itself may be unreadable, so the kind of the node is not looked up.
    await insertVisits(tx, [{ ...visit, kind: 'unknown' }], token.now)
    await saveProgress(
      tx,
      [
        {
          ...token,
          state: 'dead',
          waitsFor: null,
          timerAt: null,
          watchesCase: false,
          calls: false,
          vars: null,
          memo: null,
          isArrival: false,
          visits: 1,
          failure,
        },
      ],
      token.now,
    )
    await recordStops(tx, deps, [{ ...token, kind: 'run_failed', reason: failure }])
    await showWaiting(tx, deps, [{ ...token, arrivesFor: 'agent' }])
    return true
  })
  if (given) {
    deps.countFailed?.(1)
    deps.log.error('A playbook run failed and needs a person', {
      run_id: claimed.runId,
      attempts: claimed.attempts,
    })
  }
}

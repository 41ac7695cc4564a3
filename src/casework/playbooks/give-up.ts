// The last resort for a step that fails again and again: the run stops, visibly, and waits for a
// person.

import { inTransaction } from '../../kernel/db/database.ts'
import { recordStops } from './record-stops.ts'
import { type ClaimedToken, fenceTokens, insertVisits, saveProgress } from './run-token-store.ts'
import type { WorkerDeps } from './worker.ts'

/** Ends the token as dead and its run as failed, unless another worker has it by now. */
export async function giveUp(
  deps: WorkerDeps,
  owner: string,
  claimed: ClaimedToken,
): Promise<void> {
  const given = await inTransaction(deps.database.kysely, async (tx) => {
    const [token] = await fenceTokens(tx, owner, [claimed])
    if (token === undefined) return false
    const failure = 'gave_up'
    const passage = { ...token, path: null, actor: token.chosenBy, output: { failure } }
    // The graph may be what cannot be read, so the kind of the node is not asked for.
    await insertVisits(tx, [{ ...passage, kind: 'unknown' }])
    await saveProgress(tx, [{ ...token, state: 'dead', visits: 1, failure }])
    await recordStops(tx, deps, [{ ...token, kind: 'run_failed', reason: failure }])
    return true
  })
  if (given) {
    deps.log.error('A playbook run failed and needs a person', {
      run_id: claimed.runId,
      attempts: claimed.attempts,
    })
  }
}

// What the history of a case tells when its playbook stops before the end of its graph: that it
// did, where, and why.

import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { addHistory } from '../cases/case-history-store.ts'

export interface RunStop {
  readonly kind: 'run_failed' | 'run_ended'
  readonly tenantId: string
  readonly caseId: string
  readonly runId: string
  readonly tokenId: number
  readonly node: string
  readonly visit: number
  /** One stable word. */
  readonly reason: string
}

export async function recordStops(
  tx: Tx,
  deps: { readonly ids: IdSource; readonly clock: Clock },
  stops: readonly RunStop[],
): Promise<void> {
  for (const [tenantId, ofTenant] of Map.groupBy(stops, (one) => one.tenantId)) {
    const entries = ofTenant.map((stop) => ({
      caseId: stop.caseId,
      kind: stop.kind,
      actor: { kind: 'run' as const, id: `${stop.runId}:${stop.node}`, name: 'playbook' },
      at: new Date(deps.clock.nowMs()),
      reason: stop.reason,
      causeId: `${stop.runId}:${stop.tokenId}:${stop.visit}`,
      changes: null,
    }))
    await addHistory(tx, deps.ids, { tenantId }, entries)
  }
}

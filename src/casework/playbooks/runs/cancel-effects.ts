// What tokens leave behind that are ended at their nodes: a mail that still waits for the relay
// does not go out, since no run waits for it any more.

import type { Clock } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import { forEachTenant } from '../../../kernel/db/due-tenants.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import { lockRows } from '../../cases/case-locks.ts'
import { cancelNoticesOfEffects } from '../../notices/notice-store.ts'
import { buildEffectKey } from './run-step.ts'
import type { TokenKey } from './run-token-store.ts'

/** A token that did not leave its node by itself. */
export interface EndedToken extends TokenKey {
  readonly caseId: string
  readonly node: string
  readonly visit: number
  /** The visit whose key its effect has; null for its own. */
  readonly keyVisit: number | null
}

/** The caller has locked the runs. A mail that is with the relay at this moment may go out. */
export async function cancelEffects(
  tx: Tx,
  { ids, clock }: { readonly ids: IdSource; readonly clock: Clock },
  ended: readonly EndedToken[],
): Promise<void> {
  await forEachTenant(ended, async (tenantId, own) => {
    const scope = { tenantId }
    const effects = own.map((token) => {
      const visit = token.keyVisit ?? token.visit
      return { ...token, key: buildEffectKey({ ...token, visit }) }
    })
    // The cases before the notices, as everywhere.
    await lockRows(tx, scope, [...new Set(effects.map(({ caseId }) => caseId))])
    const cancelled = await cancelNoticesOfEffects(tx, scope, effects)
    const nodes = new Map(effects.map(({ key, runId, node }) => [key, `${runId}:${node}`]))
    const at = new Date(clock.nowMs())
    const entries = cancelled.map(({ id, caseId, purpose, party, effectKey }) => ({
      caseId,
      kind: 'notice' as const,
      actor: { kind: 'run' as const, id: nodes.get(effectKey) ?? '', name: 'playbook' },
      at,
      reason: null,
      causeId: effectKey,
      changes: { notice_id: id, purpose, party, state: 'suppressed', reason: 'cancelled' },
    }))
    await addHistory(tx, ids, scope, entries)
  })
}

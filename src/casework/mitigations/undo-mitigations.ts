// Undoes mitigations: by a request, a step of a playbook, or because their time is over. What no
// adapter was asked for is removed at once, and so is what another mitigation holds as well; for
// the rest the adapter or a person is asked.

import type { Tx } from '../../kernel/db/database.ts'
import type { TenantPass } from '../../kernel/db/due-tenants.ts'
import type { Actor } from '../cases/case-tables.ts'
import { MANUAL_ADAPTER, type RemovalCause } from './mitigation.ts'
import {
  endExpired,
  hasOtherHolder,
  type MitigationRecord,
  markRemoved,
  markRemoving,
} from './mitigation-store.ts'
import { noteMitigation } from './note-mitigation.ts'
import type { MitigationDeps } from './request-mitigation.ts'

export interface UndoRequest {
  readonly cause: RemovalCause
  readonly actor: Actor
  readonly causeId: string | null
  /** When the removal begins; now where it is left out. */
  readonly at?: Date
}

/**
 * Undoes locked mitigations. A removal that is under way goes on; one that is stuck begins anew.
 */
export async function undoMitigations(
  tx: Tx,
  deps: MitigationDeps,
  locked: readonly MitigationRecord[],
  request: UndoRequest,
): Promise<void> {
  for (const one of locked) {
    const end = await beginRemoval(tx, one, request)
    if (end !== null) await noteMitigation(tx, deps, { ...one, ...end }, request)
  }
}

interface RemovalState {
  readonly state: 'removing' | 'removed'
  readonly reason: string | null
}

/** Null when nothing changed. */
async function beginRemoval(
  tx: Tx,
  one: MitigationRecord,
  { cause, at }: UndoRequest,
): Promise<RemovalState | null> {
  const isManual = one.adapter === MANUAL_ADAPTER
  const isStuck = one.state === 'removing' && one.reason !== null
  if (one.state === 'removed' || (one.state === 'removing' && !isStuck)) return null
  if (isUntouched(one)) {
    await markRemoved(tx, one, { reason: 'never_executed', cause })
    return { state: 'removed', reason: 'never_executed' }
  }
  if (isManual && (await hasOtherHolder(tx, one))) {
    await markRemoved(tx, one, { reason: 'held_by_other', cause })
    return { state: 'removed', reason: 'held_by_other' }
  }
  await markRemoving(tx, one, { cause, isAsked: !isManual, at })
  return { state: 'removing', reason: null }
}

/** True when surely nobody has acted on it. */
function isUntouched({ state, tries, adapter, reason, effectiveFrom }: MitigationRecord): boolean {
  if (effectiveFrom !== null) return false
  if (adapter === MANUAL_ADAPTER) return true
  return tries === 0 || (state === 'failed' && reason === 'refused')
}

export const MITIGATION_ACTOR: Actor = {
  kind: 'system',
  id: 'mitigations',
  name: 'mitigations',
}

/** Begins to remove up to `limit` whose time is over, over all tenants; returns how many. */
export async function undoExpired(
  deps: MitigationDeps & TenantPass,
  limit: number,
): Promise<number> {
  const request = { actor: MITIGATION_ACTOR, causeId: null, cause: 'expired' } as const
  return await endExpired(deps, limit, (tx, expired) => undoMitigations(tx, deps, expired, request))
}

// What a person or an adapter says about a mitigation by a request: its result, or that it is to be
// asked for again.

import type { Tx } from '../../kernel/db/database.ts'
import type { Actor } from '../cases/case-tables.ts'
import { MANUAL_ADAPTER } from './mitigation.ts'
import {
  type MitigationRecord,
  makeDue,
  markInForce,
  markPending,
  markRemoved,
  markTrouble,
} from './mitigation-store.ts'
import { noteMitigation } from './note-mitigation.ts'
import type { MitigationDeps } from './request-mitigation.ts'

interface Origin {
  readonly actor: Actor
  readonly causeId: string | null
}

export interface MitigationResult extends Origin {
  readonly result: 'done' | 'refused'
  readonly detail: string | null
  readonly reference: string | null
}

/**
 * Records the result of a locked mitigation. False when nothing is asked for, and the mitigation
 * has not this result already.
 */
export async function confirmMitigation(
  tx: Tx,
  deps: MitigationDeps,
  one: MitigationRecord,
  { result, detail, reference, ...origin }: MitigationResult,
): Promise<boolean> {
  const { state, reason } = one
  if (state !== 'pending' && state !== 'removing') return hasResult(one, result)
  if (result === 'refused') {
    if (state === 'removing' && reason === 'refused') return true
    await markTrouble(tx, one, { reason: 'refused', detail })
    const failed = { state: state === 'pending' ? 'failed' : state, reason: 'refused' }
    await noteMitigation(tx, deps, { ...one, ...failed }, origin)
    return true
  }
  if (state === 'pending') await markInForce(tx, one, { detail, reference })
  else await markRemoved(tx, one, { reason: null, detail })
  const done = { state: state === 'pending' ? 'active' : 'removed', reason: null }
  await noteMitigation(tx, deps, { ...one, ...done }, origin)
  return true
}

function hasResult({ state, reason }: MitigationRecord, result: 'done' | 'refused'): boolean {
  return result === 'refused'
    ? state === 'failed' && reason === 'refused'
    : state === 'active' || state === 'removed'
}

/** Asks again for a locked mitigation. False when it neither failed nor is pending. */
export async function executeAgain(
  tx: Tx,
  deps: MitigationDeps,
  one: MitigationRecord,
  origin: Origin,
): Promise<boolean> {
  if (one.state === 'pending') {
    await makeDue(tx, one)
    return true
  }
  if (one.state !== 'failed') return false
  await markPending(tx, one, one.adapter !== MANUAL_ADAPTER)
  await noteMitigation(tx, deps, { ...one, state: 'pending', reason: null }, origin)
  return true
}

// Legal holds: a case is kept from retention and from erasure, with a reason and a row in its
// history, until somebody lifts the hold. Events that leave a held case take the hold along.

import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { Foundation } from '../../../kernel/foundation.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import { lockRows } from '../../cases/case-locks.ts'
import { type ChangeOrigin, pickOrigin } from '../../cases/case-store.ts'
import type { CaseRow } from '../../cases/case-tables.ts'
import { caseIsMerged, caseNotFound } from '../../cases/errors.ts'
import { raiseVersion } from '../../cases/merge/merge-store.ts'
import { caseIsHeld, caseIsNotHeld } from '../errors.ts'
import {
  endHold,
  findHold,
  hasHolds,
  insertHold,
  type LegalHold,
  listHeldCases,
  waitForRemovals,
} from './legal-hold-store.ts'

type Deps = Pick<Foundation, 'database' | 'ids'>

export interface HoldWish extends ChangeOrigin {
  readonly caseId: string
  readonly reason: string
}

/** The hold. Throws 404, and 409 for a case that is held already or was merged away. */
export async function placeHold(
  { database, ids }: Deps,
  scope: TenantScope,
  wish: HoldWish,
): Promise<LegalHold> {
  return await inTransaction(database.kysely, async (tx) => {
    await waitForRemovals(tx, scope)
    const row = await lockCase(tx, scope, wish.caseId)
    // Its events are in the other one.
    if (row.close_reason === 'merged') throw caseIsMerged()
    const hold = {
      id: ids.nextUuid(),
      caseId: wish.caseId,
      reason: wish.reason,
      placedAt: wish.at,
      placedBy: wish.actor.id,
      extendsId: null,
    }
    if (!(await insertHold(tx, scope, hold))) throw caseIsHeld()
    await raiseVersion(tx, row, wish.at)
    const entry = { ...pickOrigin(wish), caseId: wish.caseId, kind: 'hold' } as const
    await addHistory(tx, ids, scope, [{ ...entry, changes: { legal_hold_id: hold.id } }])
    return { ...hold, liftedAt: null, liftedBy: null, liftReason: null }
  })
}

/** The hold as it was. Throws 404, and 409 for a case without one. */
export async function liftHold(
  { database, ids }: Deps,
  scope: TenantScope,
  wish: HoldWish,
): Promise<LegalHold> {
  return await inTransaction(database.kysely, async (tx) => {
    const row = await lockCase(tx, scope, wish.caseId)
    const { caseId, at, reason, actor } = wish
    const hold = await endHold(tx, scope, { caseId, at, by: actor.id, reason })
    if (hold === null) throw caseIsNotHeld()
    await raiseVersion(tx, row, at)
    const entry = { ...pickOrigin(wish), caseId, kind: 'lift_hold' } as const
    await addHistory(tx, ids, scope, [{ ...entry, changes: { legal_hold_id: hold.id } }])
    return hold
  })
}

async function lockCase(tx: Tx, scope: TenantScope, caseId: string): Promise<CaseRow> {
  const row = (await lockRows(tx, scope, [caseId])).get(caseId)
  if (row === undefined) throw caseNotFound()
  return row
}

/**
 * Before events go from case to case, and before any other lock: what is being erased ends first,
 * if holds may have a say.
 */
export async function prepareToExtend(tx: Tx, scope: TenantScope): Promise<void> {
  if (await hasHolds(tx, scope)) await waitForRemovals(tx, scope)
}

/** After events have left a case for others: if it is held, so are those. */
export async function extendHold(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { from, to, origin }: { from: string; to: readonly string[]; origin: ChangeOrigin },
): Promise<void> {
  if (!(await hasHolds(tx, scope))) return
  const held = new Set(await listHeldCases(tx, scope))
  if (!held.has(from)) return
  const former = await findHold(tx, scope, from)
  for (const caseId of to.filter((id) => !held.has(id))) {
    const hold = {
      id: ids.nextUuid(),
      caseId,
      // It may be that of a case that was merged into the one they come from.
      reason: former?.reason ?? `As ${from}, from which events came.`,
      placedAt: origin.at,
      placedBy: origin.actor.id,
      extendsId: former?.id ?? null,
    }
    // A few cases, on one connection.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await insertHold(tx, scope, hold)
    const changes = { legal_hold_id: hold.id, from_case_id: from }
    const entry = { ...pickOrigin(origin), caseId, kind: 'hold', changes } as const
    // oxlint-disable-next-line eslint/no-await-in-loop
    await addHistory(tx, ids, scope, [entry])
  }
}

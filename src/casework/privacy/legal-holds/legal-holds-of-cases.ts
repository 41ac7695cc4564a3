// Legal holds follow the events: when events leave a case on legal hold for other cases, these are
// put on legal hold too. The app hands these functions to merging and splitting of cases.

import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory, pickOrigin } from '../../cases/case-history-store.ts'
import type { LegalHoldExtension } from '../../cases/merge/merge-deps.ts'
import { eventUnderLegalHold } from '../errors.ts'
import {
  findLegalHold,
  hasLegalHolds,
  insertLegalHold,
  isCaseOnLegalHold,
  listCasesOnLegalHold,
  waitForRemovals,
} from './legal-hold-store.ts'

export const legalHoldsOfCases: LegalHoldExtension = {
  async prepare(tx, scope) {
    if (await hasLegalHolds(tx, scope)) await waitForRemovals(tx, scope)
  },

  async extend(tx, ids, scope, { from, to, origin }) {
    if (!(await hasLegalHolds(tx, scope))) return
    const onHold = new Set(await listCasesOnLegalHold(tx, scope))
    if (!onHold.has(from)) return
    const former = await findLegalHold(tx, scope, from)
    // A few cases, on one connection.
    for (const caseId of to.filter((id) => !onHold.has(id))) {
      const hold = {
        id: ids.nextUuid(),
        caseId,
        // There is no former legal hold when `from` is on hold through a case merged into it.
        reason: former?.reason ?? `As ${from}, from which events came.`,
        placedAt: origin.at,
        placedBy: origin.actor.id,
        extendsId: former?.id ?? null,
      }
      await insertLegalHold(tx, scope, hold)
      const changes = { legal_hold_id: hold.id, from_case_id: from }
      const entry = { ...pickOrigin(origin), caseId, kind: 'hold', changes } as const
      await addHistory(tx, ids, scope, [entry])
    }
  },
}

/** Throws the operating error of 409 when no event may leave this case. The case is locked. */
export async function requireNoLegalHold(
  tx: Tx,
  scope: TenantScope,
  caseId: string,
): Promise<void> {
  if (await isCaseOnLegalHold(tx, scope, caseId)) throw eventUnderLegalHold()
}

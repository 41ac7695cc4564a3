// POST /beta/casework/cases/{caseId}/hold/lift: ends the legal hold of a case.

import { Type } from 'typebox'
import { inTransaction } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory, pickOrigin } from '../../cases/case-history-store.ts'
import { lockRows } from '../../cases/case-locks.ts'
import { raiseVersion } from '../../cases/case-store.ts'
import { caseNotFound } from '../../cases/errors.ts'
import { caseIsNotOnLegalHold } from '../errors.ts'
import {
  type LegalHoldCommand,
  type LegalHoldDeps,
  readLegalHoldCommand,
} from './add-legal-hold.ts'
import { endLegalHold, type LegalHoldRecord } from './legal-hold-store.ts'
import { LegalHold, LegalHoldBody, presentLegalHold } from './legal-hold-wire.ts'

export function liftLegalHoldRoute({ db, audit, ids, clock }: LegalHoldDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/hold/lift',
    group: 'casework',
    access: { kind: 'scope', scope: 'privacy:hold' },
    operationId: 'liftHold',
    summary: 'Lift a legal hold',
    description:
      'Cases that were put on legal hold because events of this case moved to them stay on hold until theirs are lifted too. Erasures that left rows because of the legal hold can be repeated.',
    params: Type.Object({ caseId: Type.String() }),
    body: LegalHoldBody,
    responses: {
      200: { description: 'The legal hold that was lifted.', schema: LegalHold },
      404: { description: 'There is no such case.' },
      409: { description: 'The case is not on legal hold.' },
    },
    async handle(request) {
      const { scope, command } = readLegalHoldCommand(clock, request)
      const hold = await liftLegalHold({ db, audit, ids }, scope, command)
      return { status: 200, json: presentLegalHold(hold) }
    },
  })
}

async function liftLegalHold(
  { db, audit, ids }: Omit<LegalHoldDeps, 'clock'>,
  scope: TenantScope,
  command: LegalHoldCommand,
): Promise<LegalHoldRecord> {
  const { caseId, at, reason, actor } = command
  return await inTransaction(db, async (tx) => {
    const row = (await lockRows(tx, scope, [caseId])).get(caseId)
    if (row === undefined) throw caseNotFound()
    const hold = await endLegalHold(tx, scope, { caseId, at, by: actor.id, reason })
    if (hold === null) throw caseIsNotOnLegalHold()
    await raiseVersion(tx, row, at)
    const entry = { ...pickOrigin(command), caseId, kind: 'lift_hold' } as const
    await addHistory(tx, ids, scope, [{ ...entry, changes: { legal_hold_id: hold.id } }])
    const { tenantId } = scope
    const after = presentLegalHold(hold)
    await audit.record(tx, 'legal_hold.lift', { tenantId, id: hold.id, after })
    return hold
  })
}

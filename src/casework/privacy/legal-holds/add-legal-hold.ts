// POST /beta/casework/cases/{caseId}/hold: puts a legal hold on a case. Retention and erasure then
// leave the case as it is, until the legal hold is lifted.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { AuditLog } from '../../../access/audit/audit-log.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type Db, inTransaction } from '../../../kernel/db/database.ts'
import { defineRoute, type RequestContext, type Route } from '../../../kernel/http/route.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { parseCaseId } from '../../../values/uuid.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory, type ChangeOrigin, pickOrigin } from '../../cases/case-history-store.ts'
import { lockRows } from '../../cases/case-locks.ts'
import { raiseVersion } from '../../cases/case-store.ts'
import { caseIsMerged, caseNotFound } from '../../cases/errors.ts'
import { caseIsOnLegalHold } from '../errors.ts'
import { insertLegalHold, type LegalHoldRecord, waitForRemovals } from './legal-hold-store.ts'
import { LegalHold, LegalHoldBody, presentLegalHold } from './legal-hold-wire.ts'

export interface LegalHoldDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly ids: IdSource
  readonly clock: Clock
}

export interface LegalHoldCommand extends ChangeOrigin {
  /** In canonical form. */
  readonly caseId: string
  readonly reason: string
}

export function addLegalHoldRoute({ db, audit, ids, clock }: LegalHoldDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/hold',
    group: 'casework',
    access: { kind: 'scope', scope: 'privacy:hold' },
    operationId: 'placeHold',
    idempotency: 'kept',
    summary: 'Place a legal hold',
    description:
      'Until it is lifted, retention removes nothing of the case and of the cases it is merged with, and an erasure changes nothing of them: events and their reports with their bytes, comments, history and runs.',
    params: Type.Object({ caseId: Type.String() }),
    body: LegalHoldBody,
    responses: {
      201: { description: 'The legal hold.', schema: LegalHold },
      404: { description: 'There is no such case.' },
      409: { description: 'The case is on legal hold already, or was merged into another case.' },
    },
    async handle(request) {
      const { scope, command } = readLegalHoldCommand(clock, request)
      const hold = await addLegalHold({ db, audit, ids }, scope, command)
      return { status: 201, json: presentLegalHold(hold) }
    },
  })
}

type LegalHoldRequest = RequestContext<{ caseId: string }, unknown, { reason: string }>

/** The command of a request to put or lift a legal hold. Throws 404 for an id of no case. */
export function readLegalHoldCommand(
  clock: Clock,
  { caller, params, body, requestId }: LegalHoldRequest,
): { readonly scope: TenantScope; readonly command: LegalHoldCommand } {
  const { tenantId, tokenId, name } = requireCaller(caller)
  const caseId = parseCaseId(params.caseId)
  if (caseId === null) throw caseNotFound()
  return {
    scope: { tenantId },
    command: {
      caseId,
      reason: body.reason,
      actor: { kind: 'token', id: tokenId, name },
      at: new Date(clock.nowMs()),
      causeId: requestId,
    },
  }
}

async function addLegalHold(
  { db, audit, ids }: Omit<LegalHoldDeps, 'clock'>,
  scope: TenantScope,
  command: LegalHoldCommand,
): Promise<LegalHoldRecord> {
  const { caseId, reason, at, actor } = command
  return await inTransaction(db, async (tx) => {
    await waitForRemovals(tx, scope)
    const row = (await lockRows(tx, scope, [caseId])).get(caseId)
    if (row === undefined) throw caseNotFound()
    // The events of a merged case are in the other case.
    if (row.close_reason === 'merged') throw caseIsMerged()
    const id = ids.nextUuid()
    const hold = { id, caseId, reason, placedAt: at, placedBy: actor.id, extendsId: null }
    if (!(await insertLegalHold(tx, scope, hold))) throw caseIsOnLegalHold()
    await raiseVersion(tx, row, at)
    const entry = { ...pickOrigin(command), caseId, kind: 'hold' } as const
    await addHistory(tx, ids, scope, [{ ...entry, changes: { legal_hold_id: id } }])
    const placed = { ...hold, liftedAt: null, liftedBy: null, liftReason: null }
    const { tenantId } = scope
    const after = presentLegalHold(placed)
    await audit.record(tx, 'legal_hold.place', { tenantId, id, after })
    return placed
  })
}

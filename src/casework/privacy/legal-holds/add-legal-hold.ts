// POST /beta/casework/cases/{caseId}/hold and …/hold/lift, GET /beta/casework/legal-holds: cases
// that are neither removed nor erased.

import { Type } from 'typebox'
import type { Casework } from '../../../app/open-casework.ts'
import { readPage } from '../../../kernel/http/read-page.ts'
import { parseCaseId } from '../../../kernel/http/record-ids.ts'
import {
  defineRoute,
  type RequestContext,
  type Route,
  requireCaller,
} from '../../../kernel/http/route.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { caseNotFound } from '../../cases/errors.ts'
import { type LegalHold as LegalHoldRecord, listHolds } from './legal-hold-store.ts'
import { HoldBody, LegalHold, LegalHoldList } from './legal-hold-wire.ts'
import { type HoldWish, liftHold, placeHold } from './legal-holds-of-cases.ts'

type HoldRequest = RequestContext<{ caseId: string }, unknown, { reason: string }>

const ACCESS = { kind: 'scope', scope: 'privacy:hold' } as const

export function placeHoldRoute({ foundation }: Casework): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/hold',
    group: 'casework',
    access: ACCESS,
    operationId: 'placeHold',
    summary: 'Put a legal hold on a case',
    description:
      'Until it is lifted, retention removes nothing of the case and of what it was merged with, nor does an erasure change it: its events and their reports with their bytes, comments, history and runs.',
    params: Type.Object({ caseId: Type.String() }),
    body: HoldBody,
    responses: {
      201: { description: 'The hold.', schema: LegalHold },
      404: { description: 'There is no such case.' },
      409: { description: 'A hold is on it already, or it was merged into another case.' },
    },
    async handle(request) {
      const { scope, wish } = readWish(foundation, request)
      return { status: 201, json: presentHold(await placeHold(foundation, scope, wish)) }
    },
  })
}

export function liftHoldRoute({ foundation }: Casework): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/hold/lift',
    group: 'casework',
    access: ACCESS,
    operationId: 'liftHold',
    summary: 'Lift the legal hold of a case',
    description:
      'Holds that other cases have since events went there from this one stay until they are lifted too. Erasures that left something because of the hold can be repeated.',
    params: Type.Object({ caseId: Type.String() }),
    body: HoldBody,
    responses: {
      200: { description: 'The hold as it was.', schema: LegalHold },
      404: { description: 'There is no such case.' },
      409: { description: 'No hold is on it.' },
    },
    async handle(request) {
      const { scope, wish } = readWish(foundation, request)
      return { status: 200, json: presentHold(await liftHold(foundation, scope, wish)) }
    },
  })
}

export function listHoldsRoute({ foundation, cursors }: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/legal-holds',
    group: 'casework',
    access: ACCESS,
    operationId: 'listHolds',
    summary: 'List legal holds, lifted ones as well',
    query: Type.Object({
      in_force: Type.Optional(Type.Literal('true', { description: 'Only those that hold now.' })),
      case_id: Type.Optional(Type.String()),
      ...PAGE_PARAMETERS,
    }),
    responses: { 200: { description: 'A page of holds.', schema: LegalHoldList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const { in_force: inForce, case_id: caseIdText } = query
      // What is no id of a case has no hold.
      const caseId = caseIdText === undefined ? undefined : (parseCaseId(caseIdText) ?? '')
      const filters = { in_force: inForce, case_id: caseId }
      const page = readPage(cursors, scope, { list: 'holds', sort: 'placed_at', filters }, query)
      const filter = {
        isInForce: inForce !== undefined,
        ...(caseId === undefined ? {} : { caseId }),
      }
      const rows = await listHolds(foundation.database.kysely, scope, filter, page.request)
      return { status: 200, json: page.present(rows, (row) => [row.id], presentHold) }
    },
  })
}

function readWish(
  { clock }: Casework['foundation'],
  { caller, params, body, requestId }: HoldRequest,
): { readonly scope: TenantScope; readonly wish: HoldWish } {
  const { tenantId, tokenId, name } = requireCaller(caller)
  const caseId = parseCaseId(params.caseId)
  if (caseId === null) throw caseNotFound()
  const actor = { kind: 'token', id: tokenId, name } as const
  const at = new Date(clock.nowMs())
  return {
    scope: { tenantId },
    wish: { caseId, reason: body.reason, actor, at, causeId: requestId },
  }
}

function presentHold(hold: LegalHoldRecord) {
  const { id, caseId, reason, placedAt, placedBy, extendsId } = hold
  const { liftedAt, liftedBy, liftReason } = hold
  return {
    id,
    case_id: caseId,
    reason,
    placed_at: placedAt.toISOString(),
    placed_by: placedBy,
    ...(extendsId === null ? {} : { extends: extendsId }),
    in_force: liftedAt === null,
    ...(liftedAt === null ? {} : { lifted_at: liftedAt.toISOString() }),
    ...(liftedBy === null ? {} : { lifted_by: liftedBy }),
    ...(liftReason === null ? {} : { lift_reason: liftReason }),
  }
}

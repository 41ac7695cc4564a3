// GET /beta/casework/legal-holds: the legal holds of the tenant, with the lifted ones.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import { readPage } from '../../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { parseCaseId } from '../../../values/uuid.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { listLegalHolds } from './legal-hold-store.ts'
import { LegalHoldList, presentLegalHold } from './legal-hold-wire.ts'

export function listLegalHoldsRoute({
  db,
  cursors,
}: {
  readonly db: Db
  readonly cursors: CursorSealer
}): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/legal-holds',
    group: 'casework',
    access: { kind: 'scope', scope: 'privacy:hold' },
    operationId: 'listHolds',
    summary: 'List legal holds',
    description: 'The legal holds of your tenant, with who placed and lifted them.',
    query: Type.Object({
      in_force: Type.Optional(
        Type.Literal('true', { description: 'Only legal holds that are in force.' }),
      ),
      case_id: Type.Optional(Type.String()),
      ...PAGE_PARAMETERS,
    }),
    responses: { 200: { description: 'A page of legal holds.', schema: LegalHoldList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const { in_force: inForce, case_id: caseIdText } = query
      // A text that is no case id matches no legal hold.
      const caseId = caseIdText === undefined ? undefined : (parseCaseId(caseIdText) ?? '')
      const filters = { in_force: inForce, case_id: caseId }
      const page = readPage(cursors, scope, { list: 'holds', sort: 'placed_at', filters }, query)
      const filter = {
        isInForce: inForce !== undefined,
        ...(caseId === undefined ? {} : { caseId }),
      }
      const holds = await listLegalHolds(db, scope, filter, page.request)
      return { status: 200, json: page.present(holds, (hold) => [hold.id], presentLegalHold) }
    },
  })
}

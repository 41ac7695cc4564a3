// GET /beta/casework/legal-holds: the legal holds of the tenant, with the lifted ones.

import { Type } from 'typebox'
import { byId, listRoute, showRows } from '../../../access/list-route.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import type { Route } from '../../../kernel/http/route.ts'
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
  return listRoute({
    cursors,
    path: '/beta/casework/legal-holds',
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
    list: 'holds',
    sort: 'placed_at',
    open({ caller, query: { in_force: inForce, case_id: caseIdText } }) {
      // A text that is no case id matches no legal hold.
      const caseId = caseIdText === undefined ? undefined : (parseCaseId(caseIdText) ?? '')
      const filter = {
        isInForce: inForce !== undefined,
        ...(caseId === undefined ? {} : { caseId }),
      }
      return {
        filters: { in_force: inForce, case_id: caseId },
        find: async (request) =>
          showRows(await listLegalHolds(db, caller, filter, request), byId, presentLegalHold),
      }
    },
  })
}

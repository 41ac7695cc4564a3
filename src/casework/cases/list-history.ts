// GET /beta/casework/cases/{caseId}/history: the changes of a case, the newest first.

import { Type } from 'typebox'
import { findActorNames } from '../../access/groups/actor-name-store.ts'
import { byId, listRoute, showRows } from '../../access/list-route.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import type { Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { listHistory } from './case-history-store.ts'
import { HistoryList, presentHistoryEntry } from './case-history-wire.ts'
import { requireCase } from './case-store.ts'

export function listHistoryRoute({
  db,
  cursors,
}: {
  readonly db: Db
  readonly cursors: CursorSealer
}): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/cases/{caseId}/history',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCaseHistory',
    summary: 'List the history of a case',
    description: 'Every change of the case: what, when, by whom and why.',
    params: Type.Object({ caseId: Type.String() }),
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of history.', schema: HistoryList },
      404: { description: 'There is no such case.' },
    },
    list: 'history',
    sort: 'at',
    async open({ caller, params }) {
      const { id } = await requireCase(db, caller, params.caseId)
      return {
        filters: { id },
        async find(request) {
          const rows = await listHistory(db, caller, id, request)
          const actors = rows.map(({ actor }) => actor)
          const names = await findActorNames(db, caller.tenantId, actors)
          return showRows(rows, byId, (row) => presentHistoryEntry(row, names.get(row.actor)))
        },
      }
    },
  })
}

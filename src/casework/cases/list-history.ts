// GET /beta/casework/cases/{caseId}/history: the changes of a case, the newest first.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { findActorNames } from '../../access/groups/actor-name-store.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
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
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/history',
    group: 'casework',
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
    async handle({ caller, params, query }) {
      const scope = requireCaller(caller)
      const { id } = await requireCase(db, scope, params.caseId)
      const view = { list: 'history', sort: 'at', filters: { id } }
      const page = readPage(cursors, scope, view, query)
      const entries = await listHistory(db, scope, id, page.request)
      const names = await findActorNames(
        db,
        scope.tenantId,
        entries.map(({ actor }) => actor),
      )
      const json = page.present(
        entries,
        (entry) => [entry.id],
        (entry) => presentHistoryEntry(entry, names.get(entry.actor)),
      )
      return { status: 200, json }
    },
  })
}

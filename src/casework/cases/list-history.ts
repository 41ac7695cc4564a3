// GET /beta/casework/cases/{caseId}/history: who changed what and why, the newest first.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { HistoryList } from './case-detail-wire.ts'
import { listHistory } from './lists/case-list-store.ts'
import { answerPageOfCase } from './page-of-case.ts'
import { presentHistoryEntry } from './present-case.ts'

export function listHistoryRoute(casework: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/history',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCaseHistory',
    summary: 'List the history of a case',
    params: Type.Object({ caseId: Type.String() }),
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of history.', schema: HistoryList },
      404: { description: 'There is no such case.' },
    },
    handle: (question) =>
      answerPageOfCase(casework, question, {
        view: { list: 'history', sort: 'at' },
        list: listHistory,
        present: presentHistoryEntry,
      }),
  })
}

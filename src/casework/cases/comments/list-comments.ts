// GET /beta/casework/cases/{caseId}/comments: what people and playbooks wrote beside a case, the
// newest first.

import { Type } from 'typebox'
import type { Casework } from '../../../app/open-casework.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { CommentList } from '../case-detail-wire.ts'
import { listComments } from '../lists/case-list-store.ts'
import { answerPageOfCase } from '../page-of-case.ts'
import { presentComment } from '../present-case.ts'

export function listCommentsRoute(casework: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/comments',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listComments',
    summary: 'List the comments on a case',
    params: Type.Object({ caseId: Type.String() }),
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of comments.', schema: CommentList },
      404: { description: 'There is no such case.' },
    },
    handle: (question) =>
      answerPageOfCase(casework, question, {
        view: { list: 'comments', sort: 'created_at' },
        list: listComments,
        present: presentComment,
      }),
  })
}

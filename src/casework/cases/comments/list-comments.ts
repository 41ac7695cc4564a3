// GET /beta/casework/cases/{caseId}/comments: the comments on a case, the newest first.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import { findActorNames } from '../../../access/groups/actor-name-store.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import { readPage } from '../../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { requireCase } from '../case-store.ts'
import { listComments } from './comment-store.ts'
import { CommentList, presentComment } from './comment-wire.ts'

export function listCommentsRoute({
  db,
  cursors,
}: {
  readonly db: Db
  readonly cursors: CursorSealer
}): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/comments',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listComments',
    summary: 'List the comments on a case',
    description: 'The comments on the case, those of playbooks and answers by mail too.',
    params: Type.Object({ caseId: Type.String() }),
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of comments.', schema: CommentList },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params, query }) {
      const scope = requireCaller(caller)
      const { id } = await requireCase(db, scope, params.caseId)
      const view = { list: 'comments', sort: 'created_at', filters: { id } }
      const page = readPage(cursors, scope, view, query)
      const comments = await listComments(db, scope, id, page.request)
      const names = await findActorNames(
        db,
        scope.tenantId,
        comments.map((comment) => comment.authorUserId),
      )
      const json = page.present(
        comments,
        (comment) => [comment.id],
        (comment) => presentComment(comment, names),
      )
      return { status: 200, json }
    },
  })
}

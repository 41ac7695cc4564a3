// GET /beta/casework/cases/{caseId}/comments: the comments on a case, the newest first.

import { Type } from 'typebox'
import { findActorNames } from '../../../access/groups/actor-name-store.ts'
import { byId, listRoute, showRows } from '../../../access/list-route.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import type { Route } from '../../../kernel/http/route.ts'
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
  return listRoute({
    cursors,
    path: '/beta/casework/cases/{caseId}/comments',
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
    list: 'comments',
    sort: 'created_at',
    async open({ caller, params }) {
      const { id } = await requireCase(db, caller, params.caseId)
      return {
        filters: { id },
        async find(request) {
          const rows = await listComments(db, caller, id, request)
          const authors = rows.map(({ authorUserId }) => authorUserId)
          const names = await findActorNames(db, caller.tenantId, authors)
          return showRows(rows, byId, (row) => presentComment(row, names))
        },
      }
    },
  })
}

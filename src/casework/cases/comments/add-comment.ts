// POST /beta/casework/cases/{caseId}/comments: a note beside a case, with its author, for good.

import { Type } from 'typebox'
import type { Casework } from '../../../app/open-casework.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { defineRoute, type Route, requireCaller } from '../../../kernel/http/route.ts'
import { Comment, CommentBody } from '../case-detail-wire.ts'
import { addComment } from '../case-store.ts'
import { presentComment } from '../present-case.ts'
import { requireCase } from '../require-case.ts'

export function addCommentRoute({ foundation }: Casework): Route {
  const { database, ids, clock } = foundation
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/comments',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:write' },
    operationId: 'addComment',
    summary: 'Comment on a case',
    params: Type.Object({ caseId: Type.String() }),
    body: CommentBody,
    responses: {
      201: { description: 'The comment.', schema: Comment },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params, body, requestId }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const { id } = await requireCase(database.kysely, { tenantId }, params.caseId)
      const comment = await inTransaction(database.kysely, (tx) =>
        addComment(
          tx,
          ids,
          { tenantId },
          {
            caseId: id,
            text: body.text,
            actor: { kind: 'token', id: tokenId, name },
            at: new Date(clock.nowMs()),
            causeId: requestId,
          },
        ),
      )
      const json = presentComment({ ...comment, created_at: comment.createdAt })
      return { status: 201, json }
    },
  })
}

// POST /beta/casework/cases/{caseId}/comments: adds a comment, with its author; it cannot be
// changed.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type Db, inTransaction } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { requireCase } from '../case-store.ts'
import { addComment } from './comment-store.ts'
import { Comment, CommentBody, presentComment } from './comment-wire.ts'

export function addCommentRoute({
  db,
  ids,
  clock,
}: {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
}): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/comments',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:write' },
    operationId: 'addComment',
    idempotency: 'kept',
    summary: 'Comment on a case',
    description: 'Adds a comment, which nobody outside of your desk sees.',
    params: Type.Object({ caseId: Type.String() }),
    body: CommentBody,
    responses: {
      201: { description: 'The comment.', schema: Comment },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params, body, requestId }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const { id: caseId } = await requireCase(db, { tenantId }, params.caseId)
      const actor = { kind: 'token', id: tokenId, name } as const
      const at = new Date(clock.nowMs())
      const comment = await inTransaction(db, (tx) =>
        addComment(
          tx,
          ids,
          { tenantId },
          { caseId, text: body.text, actor, at, causeId: requestId },
        ),
      )
      return { status: 201, json: presentComment(comment, new Map([[tokenId, name]])) }
    },
  })
}

// Comments on a case: what people and playbooks wrote about it (design section 9).

import { type Static, Type } from 'typebox'
import { pageOf } from '../../../vocabulary/page-wire.ts'
import type { CommentRecord } from './comment-store.ts'

/** At least one character must not be a space. */
export const CommentText = Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S' })
export const CommentBody = Type.Object({ text: CommentText }, { additionalProperties: false })

export const Comment = Type.Object({
  id: Type.String({ format: 'uuid' }),
  text: Type.String(),
  author: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
})
export const CommentList = pageOf(Comment)

export function presentComment(comment: CommentRecord): Static<typeof Comment> {
  return {
    id: comment.id,
    text: comment.text,
    author: comment.author,
    created_at: comment.createdAt.toISOString(),
  }
}

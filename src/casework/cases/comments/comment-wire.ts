// Comments on a case: what people and playbooks wrote about it (design section 9).

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import { pageOf } from '../../../vocabulary/page-wire.ts'
import type { CommentFile, CommentRecord } from './comment-store.ts'

/** At least one character must not be a space. */
export const CommentText = Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S' })
export const CommentBody = named(
  'NewComment',
  Type.Object({ text: CommentText }, { additionalProperties: false }),
)

export const Comment = named(
  'Comment',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    text: Type.String(),
    author: Type.String({
      description:
        'The name of the person, token or playbook that wrote it; `former user` once the person is gone.',
    }),
    author_user_id: Type.Optional(
      Type.String({ description: 'Id of the person, where one who signed in wrote it.' }),
    ),
    created_at: Type.String({ format: 'date-time' }),
    party: Type.Optional(
      Type.Union([Type.Literal('customer'), Type.Literal('reporter'), Type.Literal('other')], {
        description:
          'Who answered a notice by mail; left out for a comment of ours. The text is then untrusted text of a stranger.',
      }),
    ),
    automatic: Type.Optional(
      Type.Boolean({ description: 'A program answered, such as an absence notice.' }),
    ),
    quoted: Type.Optional(Type.String({ description: 'What the answer quotes.' })),
    report_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'The mail, kept like a report.' }),
    ),
    attachments: Type.Optional(
      Type.Array(
        Type.Object({
          part: Type.String({ description: 'Its position in the mail.' }),
          media_type: Type.String({ description: 'As the mail says.' }),
          file_name: Type.Optional(Type.String()),
          byte_length: Type.Integer(),
        }),
        { description: 'Files of the mail, which are in its raw bytes.' },
      ),
    ),
  }),
)
export const CommentList = pageOf(Comment)

export function presentComment(
  comment: CommentRecord,
  names: ReadonlyMap<string, string>,
): Static<typeof Comment> {
  const { authorUserId } = comment
  return {
    id: comment.id,
    text: comment.text,
    author: names.get(authorUserId ?? '') ?? comment.author,
    ...(authorUserId === null ? {} : { author_user_id: authorUserId }),
    created_at: comment.createdAt.toISOString(),
    ...(comment.party === null ? {} : { party: comment.party }),
    ...(comment.isAutomatic ? { automatic: true } : {}),
    ...(comment.quoted === null ? {} : { quoted: comment.quoted }),
    ...(comment.reportId === null ? {} : { report_id: comment.reportId }),
    ...(comment.attachments === null || comment.attachments.length === 0
      ? {}
      : { attachments: comment.attachments.map(presentFile) }),
  }
}

function presentFile({ path, mediaType, fileName, byteLength }: CommentFile) {
  const name = fileName === null ? {} : { file_name: fileName }
  return { part: path, media_type: mediaType, ...name, byte_length: byteLength }
}

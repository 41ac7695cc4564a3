// Comment: writes its text to the case, in the name of the playbook.

import { Type } from 'typebox'
import type { Tx } from '../../../kernel/db/database.ts'
import { isStorableText } from '../../../values/json-value.ts'
import { addComments } from '../../cases/comments/comment-store.ts'
import { type ApplyDeps, act, type Due, defineNodeKind, type Outcome } from '../node-kind.ts'

export const COMMENT_LENGTH_MAX = 10_000

interface CommentConfig {
  readonly text: string
}

export const COMMENT = defineNodeKind({
  kind: 'comment',
  title: 'Comment',
  description: 'Writes a comment to the case, in the name of the playbook.',
  config: Type.Object(
    {
      text: Type.String({
        minLength: 1,
        maxLength: COMMENT_LENGTH_MAX,
        description: 'The text of the comment.',
      }),
    },
    { additionalProperties: false },
  ),
  read({ text }, { refuse }): CommentConfig | null {
    if (text.trim() === '') return refuse('text', 'must not be blank')
    return isStorableText(text) ? { text } : refuse('text', 'has U+0000 or a lone surrogate')
  },
  paths: () => ['next'],
  decide: act,
  apply: applyComments,
  example: { config: { text: 'The customer was told.' } },
})

async function applyComments(
  tx: Tx,
  deps: ApplyDeps,
  dues: readonly Due<CommentConfig>[],
): Promise<readonly Outcome[]> {
  const [first] = dues
  if (first === undefined) return []
  const at = new Date(deps.clock.nowMs())
  const comments = dues.map(({ caseId, actor, config, key }) => ({
    caseId,
    actor,
    at,
    text: config.text,
    causeId: key,
  }))
  const records = await addComments(tx, deps.ids, first.scope, comments)
  return records.map((record) => ({ kind: 'done', output: { comment_id: record.id } }))
}

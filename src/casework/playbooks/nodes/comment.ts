// Comment: writes its text, which may have values of the case, in the name of the playbook.

import { Type } from 'typebox'
import type { Tx } from '../../../kernel/db/database.ts'
import { isStorableText } from '../../../values/json-value.ts'
import { addComments, type NewComment } from '../../cases/comments/comment-store.ts'
import {
  type ApplyDeps,
  act,
  type ConfigReading,
  type Due,
  defineNodeKind,
  type Outcome,
  type Refused,
} from '../node-kind.ts'
import {
  createTemplateView,
  hasTemplate,
  readTextTemplate,
  type TextTemplate,
} from './request-template.ts'
import { refuseValue, ValueTrouble } from './value-config.ts'

export const COMMENT_LENGTH_MAX = 10_000

type CommentConfig =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'template'; readonly template: TextTemplate }

export const COMMENT = defineNodeKind({
  kind: 'comment',
  title: 'Comment',
  description:
    'Writes a comment to the case, in the name of the playbook. Its text may have values of the case; the run fails where one is missing, or the text becomes blank or too long.',
  config: Type.Object(
    {
      text: Type.String({
        minLength: 1,
        maxLength: COMMENT_LENGTH_MAX,
        description: `The text of the comment, at most ${COMMENT_LENGTH_MAX} characters also with its values. It may have LiquidJS templates over case, event, events, customer, vars, run and now: \`Ticket {{ vars.ticket.ticket }} opened\`.`,
      }),
    },
    { additionalProperties: false },
  ),
  read: readComment,
  paths: () => ['next'],
  needsFacts: ({ kind }) => kind === 'template',
  decide: act,
  apply: applyComments,
  example: { config: { text: 'The customer {{ customer.id }} was told.' } },
})

function readComment({ text }: { text: string }, reading: ConfigReading): CommentConfig | null {
  const { refuse } = reading
  if (text.trim() === '') return refuse('text', 'must not be blank')
  if (!isStorableText(text)) return refuse('text', 'has U+0000 or a lone surrogate')
  if (!hasTemplate(text)) return { kind: 'plain', text }
  const template = readTextTemplate(text, ['text'], reading)
  return template && { kind: 'template', template }
}

async function applyComments(
  tx: Tx,
  deps: ApplyDeps,
  dues: readonly Due<CommentConfig>[],
): Promise<readonly Outcome[]> {
  const [first] = dues
  if (first === undefined) return []
  const at = new Date(deps.clock.nowMs())
  const planned = dues.map((due) => planComment(due, at))
  const comments = planned.flatMap((one) => ('kind' in one ? [] : [one]))
  const records = await addComments(tx, deps.ids, first.scope, comments)
  const added = records.values()
  return planned.map((one) => {
    return 'kind' in one ? one : { kind: 'done', output: { comment_id: added.next().value?.id } }
  })
}

function planComment(
  { caseId, actor, config, key, facts }: Due<CommentConfig>,
  at: Date,
): NewComment | Refused {
  if (config.kind === 'plain') return { caseId, actor, at, text: config.text, causeId: key }
  try {
    const text = checkText(config.template.render(createTemplateView(facts)))
    return { caseId, actor, at, text, causeId: key }
  } catch (error) {
    return refuseValue(error)
  }
}

function checkText(text: string): string {
  if (text.trim() === '') throw new ValueTrouble('the text of the comment is blank')
  if (text.length > COMMENT_LENGTH_MAX) {
    throw new ValueTrouble(
      `the text of the comment is longer than ${COMMENT_LENGTH_MAX} characters`,
    )
  }
  if (isStorableText(text)) return text
  throw new ValueTrouble('the text of the comment has U+0000 or a lone surrogate')
}

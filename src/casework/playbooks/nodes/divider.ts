// Divider: a remark between the nodes of a drawing.

import { Type } from 'typebox'
import { isStorableText } from '../../../values/json-value.ts'
import { defineNodeKind } from '../node-kind.ts'

const TEXT_LENGTH_MAX = 2_000

export const DIVIDER = defineNodeKind({
  kind: 'divider',
  title: 'Divider',
  description: 'A heading or remark for people. No path leads to it, and the engine ignores it.',
  config: Type.Object(
    {
      text: Type.String({
        maxLength: TEXT_LENGTH_MAX,
        description: 'What an editor shows; may be empty.',
      }),
    },
    { additionalProperties: false },
  ),
  read: ({ text }, { refuse }) =>
    isStorableText(text) ? { text } : refuse('text', 'has U+0000 or a lone surrogate'),
  paths: () => [],
  isRemark: true,
  // No token comes here: the check of graphs refuses a path to it.
  decide: () => ({ kind: 'end' }),
  example: { config: { text: 'Escalation' } },
})

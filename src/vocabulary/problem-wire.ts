// The problem details (RFC 9457) of failures outside of the threat-intelligence group (design
// section 5.6).

import { Type } from 'typebox'
import { named } from './named-schema.ts'

const ProblemLocation = named(
  'ProblemLocation',
  Type.Object({
    path: Type.String({ description: 'A JSON pointer to the place.' }),
    reason: Type.String({ description: 'What is wrong there.' }),
    node: Type.Optional(Type.String({ description: 'Of a playbook: the id of the node.' })),
    field: Type.Optional(
      Type.String({
        description: 'Of a playbook: the field below the node, such as config/text.',
      }),
    ),
    line: Type.Optional(Type.Integer({ description: 'Of a text that was sent, such as YAML.' })),
  }),
)

export const ProblemLocations = Type.Array(ProblemLocation, {
  description: 'The wrong places, by JSON pointer.',
})

export const Problem = named(
  'Problem',
  Type.Object({
    type: Type.String({ description: 'Always about:blank; `code` tells problems apart.' }),
    title: Type.String({ description: 'The name of the HTTP status.' }),
    status: Type.Integer({ description: 'Repeats the HTTP status.' }),
    detail: Type.String({ description: 'The reason and the remedy, in one sentence.' }),
    code: Type.String({ description: 'Stable; listed in docs/reference/errors.md.' }),
    errors: Type.Optional(ProblemLocations),
    request_id: Type.String({
      description: 'As in X-Request-Id; the log has the request under it.',
    }),
  }),
)

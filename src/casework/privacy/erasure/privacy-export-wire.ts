// The wire of a privacy export: what a tenant holds about a person
// (docs/guides/retention-and-erasure.md).

import { Type } from 'typebox'

export const ExportBody = Type.Object(
  {
    address: Type.String({ minLength: 3, maxLength: 254, description: 'The e-mail address.' }),
    name: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 200,
        pattern: '\\S',
        description: 'A name as it was given: what holds it counts as well, in any case.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 2_048, description: '`next_cursor` of the part before.' }),
    ),
  },
  { additionalProperties: false },
)

const ExportItem = Type.Object({
  table: Type.String({ description: 'What kind of row it is: event, case_comment, report_raw …' }),
  found_in: Type.Array(Type.String(), {
    description: 'Its members in which the address or the name stands.',
  }),
  record: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'The row, with its lists without the addresses of others; of settings only what was found; of a raw report its bytes in base64.',
    },
  ),
})

export const ExportPart = Type.Object({
  items: Type.Array(ExportItem),
  next_cursor: Type.String({
    description:
      'Send it with the same address and name for the next part; empty at the end. A part may have no items and be followed by one that has.',
  }),
})

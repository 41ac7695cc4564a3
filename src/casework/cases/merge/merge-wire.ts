// Merging, unmerging and splitting cases (design section 9).

import { Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'

const Reason = Type.Optional(
  Type.String({ maxLength: 2_000, description: 'Why, in words; stored in the history.' }),
)

export const MergeBody = named(
  'CaseMerge',
  Type.Object(
    {
      from: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 1_000,
        uniqueItems: true,
        description: 'Ids of the other cases.',
      }),
      reason: Reason,
    },
    { additionalProperties: false },
  ),
)

export const SplitBody = named(
  'CaseSplit',
  Type.Object(
    {
      event_ids: Type.Optional(
        Type.Array(Type.String(), { minItems: 1, maxItems: 1_000, uniqueItems: true }),
      ),
      filter: Type.Optional(
        Type.Object(
          {
            ip: Type.Optional(Type.String()),
            domain: Type.Optional(Type.String()),
            event_type: Type.Optional(Type.String()),
            event_after: Type.Optional(Type.String({ format: 'date-time' })),
            event_before: Type.Optional(Type.String({ format: 'date-time' })),
          },
          { additionalProperties: false, minProperties: 1 },
        ),
      ),
      reason: Reason,
    },
    { additionalProperties: false, description: 'Either `event_ids` or a `filter`.' },
  ),
)

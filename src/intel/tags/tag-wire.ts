// A tag of the catalogue, in the form of the list and in full (interface section 2.4).

import { type Static, Type } from 'typebox'

const TAG_MEMBERS = {
  name: Type.String(),
  intent: Type.Union([
    Type.Literal('malicious'),
    Type.Literal('suspicious'),
    Type.Literal('benign'),
    Type.Literal('unknown'),
    Type.Literal('none'),
  ]),
  category: Type.String({ description: 'Shipped tags have activity, tool, actor or none.' }),
  description: Type.String(),
}

export const TagSummary = Type.Object(TAG_MEMBERS)
export type TagSummary = Static<typeof TagSummary>

export const TagRecord = Type.Object({
  ...TAG_MEMBERS,
  references: Type.Array(Type.Object({ url: Type.String(), description: Type.String() })),
  timeline: Type.Array(
    Type.Object({
      date: Type.String({ description: 'ISO 8601.' }),
      action: Type.String(),
      description: Type.String(),
    }),
  ),
})
export type TagRecord = Static<typeof TagRecord>

/** What an operator says of a tag; its name is in the path. */
export const NewTag = Type.Object(
  {
    intent: TAG_MEMBERS.intent,
    category: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
    description: Type.String({ minLength: 1, maxLength: 2_000 }),
    references: Type.Optional(
      Type.Array(
        Type.Object(
          {
            url: Type.String({ pattern: '^https?://', maxLength: 2_000 }),
            description: Type.String({ maxLength: 500 }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 50 },
      ),
    ),
    timeline: Type.Optional(
      Type.Array(
        Type.Object(
          {
            date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}', maxLength: 30 }),
            action: Type.String({ maxLength: 100 }),
            description: Type.String({ maxLength: 500 }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 50 },
      ),
    ),
  },
  { additionalProperties: false },
)
export type NewTag = Static<typeof NewTag>

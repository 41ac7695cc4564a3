// A tag of the catalogue, short in the list and in full (interface section 2.4), and a page of the
// items that carry it.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import type { Tag } from '../facts/tag-catalogue.ts'

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

export const TagSummary = named('TagSummary', Type.Object(TAG_MEMBERS))
export type TagSummary = Static<typeof TagSummary>

/** `hasFullDescription` false gives the first sentence of the description. */
export function presentTagSummary(tag: Tag, hasFullDescription: boolean): TagSummary {
  const { name, intent, category, description } = tag
  return {
    name,
    intent,
    category,
    description: hasFullDescription ? description : firstSentence(description),
  }
}

// A sentence ends where a capital letter follows: "e.g. this" does not end one.
const SENTENCE_END = /[.!?](?=\s+\p{Lu})/u

function firstSentence(text: string): string {
  const end = SENTENCE_END.exec(text)
  return end === null ? text : text.slice(0, end.index + 1)
}

export const TagRecord = named(
  'Tag',
  Type.Object({
    ...TAG_MEMBERS,
    references: Type.Array(Type.Object({ url: Type.String(), description: Type.String() })),
    timeline: Type.Array(
      Type.Object({
        date: Type.String({ description: 'ISO 8601.' }),
        action: Type.String(),
        description: Type.String(),
      }),
    ),
  }),
)
export type TagRecord = Static<typeof TagRecord>

export function presentTag(tag: Tag): TagRecord {
  return {
    ...presentTagSummary(tag, true),
    references: tag.references.map(({ url, description }) => ({ url, description })),
    timeline: tag.timeline.map(({ date, action, description }) => ({ date, action, description })),
  }
}

/** The tag as an operator sends it; its name is in the path. */
export const NewTag = named(
  'NewTag',
  Type.Object(
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
  ),
)
export type NewTag = Static<typeof NewTag>

export const TaggedItems = named(
  'TaggedItems',
  Type.Object({
    tag: Type.String(),
    entries: Type.Array(
      Type.String({ description: 'Address, range or domain in canonical form, each once.' }),
    ),
    lastUpdate: Type.String({
      format: 'date-time',
      description: 'Time of the newest change that the list includes.',
    }),
    total: Type.Integer({ description: 'Number of entries of all pages together.' }),
    snapshot: Type.String({
      description:
        'Send it with the next page: then all pages show the same moment. It begins with the serial of the change log.',
    }),
  }),
)
export type TaggedItems = Static<typeof TaggedItems>

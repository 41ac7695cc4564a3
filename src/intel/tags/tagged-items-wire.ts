// A page of what carries a tag (an addition to the threat-intelligence group).

import { type Static, Type } from 'typebox'

export const TaggedItems = Type.Object({
  tag: Type.String(),
  entries: Type.Array(
    Type.String({ description: 'Address, range or domain, in canonical form, each once.' }),
  ),
  lastUpdate: Type.String({
    format: 'date-time',
    description: 'When the newest change was made of which the list knows.',
  }),
  total: Type.Integer({ description: 'How many entries all pages have together.' }),
  snapshot: Type.String({
    description:
      'Send it with the next page: all pages are then of one moment. It begins with the number of the change log.',
  }),
})
export type TaggedItems = Static<typeof TaggedItems>

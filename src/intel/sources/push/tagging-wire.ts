// One row of POST /beta/taggings (design section 9).

import { Type } from 'typebox'

const Timestamp = Type.String({ format: 'date-time' })

export const TaggingRowBody = Type.Object(
  {
    item: Type.String({ description: 'IP address, range (CIDR) or domain.' }),
    tag: Type.String({ description: 'Name of a tag of the catalogue.' }),
    firstSeen: Type.Optional(Timestamp),
    lastSeen: Type.Optional(Timestamp),
    expires: Type.Optional(Timestamp),
    source: Type.String({ description: 'Who says so; made known by its first row.' }),
  },
  { additionalProperties: false },
)

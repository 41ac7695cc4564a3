// One row of POST /beta/listings (design section 9).

import { Type } from 'typebox'

const Timestamp = Type.String({ format: 'date-time' })

export const ListingRowBody = Type.Object(
  {
    item: Type.String({ description: 'IP address, range (CIDR) or domain.' }),
    list: Type.String({ description: 'Name of the blocklist.' }),
    status: Type.Optional(
      Type.Union([Type.Literal('active'), Type.Literal('inactive')], {
        default: 'active',
        description: 'inactive withdraws the listing.',
      }),
    ),
    reason: Type.Optional(Type.String()),
    firstSeen: Type.Optional(Timestamp),
    lastSeen: Type.Optional(Timestamp),
    expires: Type.Optional(Timestamp),
    source: Type.String({ description: 'Who says so; made known by its first row.' }),
  },
  { additionalProperties: false },
)

// One row of PUT /beta/contacts, an addition of ours to the threat-intelligence group.

import { Type } from 'typebox'

export const ContactRowBody = Type.Object(
  {
    range: Type.Optional(
      Type.String({
        description: 'IP address or range (CIDR); exactly one of range and domain is given.',
      }),
    ),
    domain: Type.Optional(
      Type.String({ description: 'Domain; its contact answers for the names below it too.' }),
    ),
    email: Type.Union([Type.String(), Type.Null()], {
      description: 'Address that takes abuse reports; null takes back what the source said before.',
    }),
    source: Type.String({
      description: 'Who says so. Of several sources the statement made last holds.',
    }),
  },
  { additionalProperties: false },
)

// A row of PUT /beta/contacts (an addition to the threat-intelligence group).

import { Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'

export const ContactRowBody = named(
  'NewAbuseContact',
  Type.Object(
    {
      range: Type.Optional(
        Type.String({
          description: 'IP address or range (CIDR); exactly one of range and domain is given.',
        }),
      ),
      domain: Type.Optional(
        Type.String({ description: 'Domain; its contact is also that of the names below it.' }),
      ),
      email: Type.Union([Type.String(), Type.Null()], {
        description: 'Address for abuse reports; null withdraws the contact of this source.',
      }),
      source: Type.String({
        description: 'Name of the source. Of several sources the latest statement counts.',
      }),
    },
    { additionalProperties: false },
  ),
)

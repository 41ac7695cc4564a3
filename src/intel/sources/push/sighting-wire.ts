// One row of POST /beta/sightings (design section 9).

import { Type } from 'typebox'

const Timestamp = Type.String({ format: 'date-time' })

export const SightingRowBody = Type.Object(
  {
    item: Type.String({ description: 'IP address or domain.' }),
    kind: Type.String({
      description: 'Kind of the sensor: honeypot, spamtrap or another lower-case name.',
    }),
    service: Type.Optional(Type.String({ description: 'Such as ssh.' })),
    type: Type.String({ description: 'Such as login-attack or pristine-spamtrap.' }),
    firstSeen: Type.Optional(Timestamp),
    lastSeen: Timestamp,
    count: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    source: Type.String({ description: 'Name of the sensor; made known by its first row.' }),
  },
  { additionalProperties: false },
)

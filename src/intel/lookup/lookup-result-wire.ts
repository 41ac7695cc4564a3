// The answer of a look-up (interface section 2.3). Optional members are left out, never null.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import { ItemIntent, MailBlocklistStatus } from './quick-check-wire.ts'

const Timestamp = Type.String({ format: 'date-time' })

const HoneypotObservation = named(
  'HoneypotObservation',
  Type.Object({
    firstSeen: Timestamp,
    lastSeen: Timestamp,
    service: Type.Optional(Type.String({ description: 'Left out when the sensor named none.' })),
    type: Type.String(),
  }),
)

const SpamtrapObservation = named(
  'SpamtrapObservation',
  Type.Object({
    firstSeen: Timestamp,
    lastSeen: Timestamp,
    type: Type.String(),
  }),
)

export const LookupResult = named(
  'LookupResult',
  Type.Object({
    item: Type.String({ description: 'The text as it was sent.' }),
    serviceMailBlocklist: MailBlocklistStatus,
    type: Type.Union([Type.Literal('IP'), Type.Literal('DOMAIN')]),
    bogon: Type.Boolean(),
    tags: Type.Array(Type.String(), { description: 'Names of live tags, sorted.' }),
    firstSeen: Type.Optional(Timestamp),
    lastSeen: Type.Optional(Timestamp),
    intent: ItemIntent,
    reverseDns: Type.Optional(
      Type.Object({ current: Type.Array(Type.Object({ entry: Type.String() })) }),
    ),
    abuseContact: Type.Optional(
      Type.Object({
        email: Type.String({ format: 'email' }),
        status: Type.Union([
          Type.Literal('UNKNOWN'),
          Type.Literal('OK'),
          Type.Literal('MX_FAILED'),
          Type.Literal('CONNECTION_FAILED'),
          Type.Literal('RECIPIENT_FAILED'),
        ]),
        lastVerification: Type.Optional(Timestamp),
      }),
    ),
    // Left out when no autonomous system announces the address.
    asn: Type.Optional(
      Type.Object({
        countryCode: Type.Optional(Type.String({ description: 'ISO 3166-1, two letters.' })),
        asn: Type.String({ pattern: '^AS[0-9]+$' }),
        name: Type.Optional(Type.String()),
      }),
    ),
    observedActivity: Type.Object({
      honeypotInteractions: Type.Optional(
        Type.Object({
          firstSeen: Timestamp,
          lastSeen: Timestamp,
          observations: Type.Array(HoneypotObservation),
        }),
      ),
      spamtrapInteractions: Type.Optional(
        Type.Object({
          firstSeen: Timestamp,
          lastSeen: Timestamp,
          observations: Type.Array(SpamtrapObservation),
        }),
      ),
    }),
  }),
)
export type LookupResult = Static<typeof LookupResult>

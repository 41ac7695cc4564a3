// What is known inside a range (an addition to the threat-intelligence group).

import { type Static, Type } from 'typebox'
import { ItemIntent, MailBlocklistStatus } from './quick-check-wire.ts'

const Count = Type.Integer({ minimum: 0 })

export const RangeItem = Type.Object({
  item: Type.String({ description: 'Address or range (CIDR), in canonical form.' }),
  serviceMailBlocklist: MailBlocklistStatus,
  intent: ItemIntent,
  activity: Type.Boolean({ description: 'Sighted within the look-back.' }),
  tags: Type.Array(Type.String()),
  firstSeen: Type.Optional(Type.String({ format: 'date-time' })),
  lastSeen: Type.Optional(Type.String({ format: 'date-time' })),
})
export type RangeItem = Static<typeof RangeItem>

export const RangeContents = Type.Object({
  range: Type.String({ description: 'In canonical form.' }),
  serial: Type.Integer({ description: 'Number of the change log up to which this is complete.' }),
  addresses: Type.Integer({ description: 'Addresses in it of which something is known.' }),
  ranges: Type.Integer({ description: 'Ranges in it of which something is known.' }),
  kinds: Type.Object(
    { listing: Count, allowance: Count, tagging: Count, sighting: Count },
    { description: 'How many of them have a live entry of the kind.' },
  ),
  tags: Type.Array(Type.Object({ name: Type.String(), count: Count }), {
    description: 'Live tags by how many of them carry it, most first; at most 100.',
  }),
  sources: Type.Array(Type.Object({ name: Type.String(), kind: Type.String(), count: Count }), {
    description: 'Sources by how many of them they say something live of; at most 100.',
  }),
  coveredBy: Type.Array(RangeItem, {
    description: 'Wider ranges that hold this one, the widest first: what they say holds here too.',
  }),
  items: Type.Array(RangeItem, {
    description:
      'In the order of addresses, a range before what lies in it. Each with what is said of itself only.',
  }),
  next: Type.String({ description: 'The after of the next page; empty on the last one.' }),
})
export type RangeContents = Static<typeof RangeContents>

// What is known inside the own networks (an addition to the threat-intelligence group).

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import { presentRangeItem, RangeItem } from '../lookup/range-contents-wire.ts'
import type { KnownInNetworks } from './read-known.ts'

const Count = Type.Integer({ minimum: 0 })

export const KnownItems = named(
  'KnownItems',
  Type.Object({
    serial: Type.Integer({
      description: 'Serial of the change log up to which the answer is complete.',
    }),
    counts: Type.Object(
      { listed: Count, sighted: Count, malicious: Count, suspicious: Count },
      { description: 'Of all pages. An item may count in several.' },
    ),
    items: Type.Array(RangeItem, {
      description: 'In the order of addresses, IPv4 first, a range before the items inside it.',
    }),
    next: Type.String({ description: 'The after of the next page; empty on the last one.' }),
  }),
)
export type KnownItems = Static<typeof KnownItems>

export function presentKnown(serial: number, known: KnownInNetworks): KnownItems {
  const items = known.items.map(presentRangeItem)
  const next = known.hasMore ? (items.at(-1)?.item ?? '') : ''
  return { serial, counts: { ...known.counts }, items, next }
}

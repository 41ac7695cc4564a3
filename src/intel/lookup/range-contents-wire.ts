// The contents of a range (an addition to the threat-intelligence group).

import { type Static, Type } from 'typebox'
import { formatSeconds } from '../../values/timestamp.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { ItemIntent, MailBlocklistStatus } from './quick-check-wire.ts'
import type { KnownInRange, KnownItem } from './read-range-contents.ts'

const Count = Type.Integer({ minimum: 0 })
// A range of a large network has thousands of tags and sources; the answer stays readable.
const NAMES_MAX = 100

export const RangeItem = named(
  'RangeItem',
  Type.Object({
    item: Type.String({ description: 'Address or range (CIDR) in canonical form.' }),
    serviceMailBlocklist: MailBlocklistStatus,
    intent: ItemIntent,
    activity: Type.Boolean({ description: 'Sighted within the look-back.' }),
    tags: Type.Array(Type.String()),
    firstSeen: Type.Optional(Type.String({ format: 'date-time' })),
    lastSeen: Type.Optional(Type.String({ format: 'date-time' })),
  }),
)
export type RangeItem = Static<typeof RangeItem>

export const RangeContents = named(
  'RangeContents',
  Type.Object({
    range: Type.String({ description: 'In canonical form.' }),
    serial: Type.Integer({
      description: 'Serial of the change log up to which the answer is complete.',
    }),
    addresses: Type.Integer({ description: 'Number of known addresses inside the range.' }),
    ranges: Type.Integer({ description: 'Number of known ranges inside the range.' }),
    kinds: Type.Object(
      { listing: Count, allowance: Count, tagging: Count, sighting: Count },
      { description: 'Number of them with a live entry of the kind.' },
    ),
    tags: Type.Array(Type.Object({ name: Type.String(), count: Count }), {
      description:
        'Live tags, each with the number of items that carry it; at most 100, most first.',
    }),
    sources: Type.Array(Type.Object({ name: Type.String(), kind: Type.String(), count: Count }), {
      description:
        'Sources, each with the number of items it has a live entry of; at most 100, most first.',
    }),
    coveredBy: Type.Array(RangeItem, {
      description: 'Wider ranges around this one, the widest first. Their entries count here too.',
    }),
    items: Type.Array(RangeItem, {
      description:
        'In the order of addresses, a range before the items inside it. Each with its own entries only.',
    }),
    next: Type.String({ description: 'The after of the next page; empty on the last one.' }),
  }),
)
export type RangeContents = Static<typeof RangeContents>

/** `range` is the canonical text; `serial` that of the set that `known` was read from. */
export function presentRange(range: string, serial: number, known: KnownInRange): RangeContents {
  const items = known.items.map(presentRangeItem)
  return {
    range,
    serial,
    addresses: known.addresses,
    ranges: known.ranges,
    kinds: known.counter.kinds(),
    tags: known.counter.tags().slice(0, NAMES_MAX),
    sources: known.counter.sources().slice(0, NAMES_MAX),
    coveredBy: known.coveredBy.map(presentRangeItem),
    items,
    next: known.hasMore ? (items.at(-1)?.item ?? '') : '',
  }
}

export function presentRangeItem({ text, classification }: KnownItem): RangeItem {
  const { serviceMailBlocklist, intent, activity, tags } = classification
  const { firstSeenSeconds, lastSeenSeconds } = classification
  return {
    item: text,
    serviceMailBlocklist,
    intent,
    activity,
    tags: [...tags],
    ...(firstSeenSeconds === undefined ? {} : { firstSeen: formatSeconds(firstSeenSeconds) }),
    ...(lastSeenSeconds === undefined ? {} : { lastSeen: formatSeconds(lastSeenSeconds) }),
  }
}

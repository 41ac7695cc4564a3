// What intel knows of the items of a case (an addition beside the interface's shape).

import { type Static, Type } from 'typebox'
import type { ItemBrief } from '../../intel/lookup/item-brief.ts'
import { formatSeconds } from '../../values/timestamp.ts'
import { named } from '../../vocabulary/named-schema.ts'

const CaseItem = named(
  'CaseItem',
  Type.Object({
    item: Type.String({ description: 'Address or domain in canonical form.' }),
    type: Type.Union([Type.Literal('IP'), Type.Literal('DOMAIN')]),
    event_count: Type.Integer({ description: 'Events of the case that name it.' }),
    intent: Type.Union([
      Type.Literal('malicious'),
      Type.Literal('suspicious'),
      Type.Literal('benign'),
      Type.Literal('unknown'),
    ]),
    tags: Type.Array(Type.String()),
    listed: Type.Boolean({ description: 'A mail blocklist names it.' }),
    bogon: Type.Boolean(),
    activity: Type.Boolean({ description: 'Sighted within the look-back.' }),
    first_seen: Type.Optional(Type.String({ format: 'date-time' })),
    last_seen: Type.Optional(Type.String({ format: 'date-time' })),
  }),
)

export const CaseIntel = named(
  'CaseIntel',
  Type.Object({
    items: Type.Array(CaseItem, { description: 'At most 100, those of most events first.' }),
    item_count: Type.Integer({
      description: 'Number of items of the newest 10,000 events of the case, also beyond the list.',
    }),
    serial: Type.Integer({
      description: 'Serial of the change log up to which the answer is complete.',
    }),
  }),
)

export interface KnownCaseItem {
  readonly item: string
  readonly isDomain: boolean
  readonly isBogon: boolean
  readonly eventCount: number
  readonly brief: ItemBrief
}

export function presentCaseItem(known: KnownCaseItem): Static<typeof CaseItem> {
  const { intent, tags, listed, activity, firstSeenSeconds, lastSeenSeconds } = known.brief
  return {
    item: known.item,
    type: known.isDomain ? 'DOMAIN' : 'IP',
    event_count: known.eventCount,
    intent,
    tags: [...tags],
    listed,
    bogon: known.isBogon,
    activity,
    ...(firstSeenSeconds === null ? {} : { first_seen: formatSeconds(firstSeenSeconds) }),
    ...(lastSeenSeconds === null ? {} : { last_seen: formatSeconds(lastSeenSeconds) }),
  }
}

// The answer of an explanation (an addition to the threat-intelligence group): every entry behind
// an answer, and the reason of each part.

import { type Static, Type } from 'typebox'
import type { Item } from '../../values/item.ts'
import { formatSeconds } from '../../values/timestamp.ts'
import { named } from '../../vocabulary/named-schema.ts'
import type { Explanation, ExplainedEntry as MatchedEntry } from './explain-item-facts.ts'
import { ItemIntent, MailBlocklistStatus } from './quick-check-wire.ts'

const Timestamp = Type.String({ format: 'date-time' })
const Because = Type.String({ description: 'The reason, in one sentence.' })

const ExplainedEntry = named(
  'ExplainedEntry',
  Type.Object({
    kind: Type.Union([
      Type.Literal('listing'),
      Type.Literal('allowance'),
      Type.Literal('tagging'),
      Type.Literal('sighting'),
    ]),
    subject: Type.String({ description: 'Address, range or domain that the entry is about.' }),
    relation: Type.Union(
      [
        Type.Literal('itself'),
        Type.Literal('range'),
        Type.Literal('parent'),
        Type.Literal('prefix'),
      ],
      {
        description:
          'How the subject covers the item. prefix: the /64 of the item, as the sum of the sightings of its single addresses.',
      },
    ),
    source: Type.Object({
      name: Type.String({ description: 'casework stands for one reporter of accepted reports.' }),
      kind: Type.String(),
    }),
    list: Type.Optional(Type.String({ description: 'For a listing or an allowance.' })),
    tag: Type.Optional(Type.String({ description: 'For a tagging.' })),
    type: Type.Optional(Type.String({ description: 'For a sighting.' })),
    service: Type.Optional(Type.String({ description: 'For a sighting whose sensor named one.' })),
    count: Type.Optional(Type.Integer({ description: 'For a sighting.' })),
    reason: Type.Optional(Type.String({ description: 'The reason that the source gave.' })),
    firstSeen: Type.Optional(Timestamp),
    lastSeen: Type.Optional(Timestamp),
    ageSeconds: Type.Optional(Type.Integer({ description: 'Time since lastSeen.' })),
    expires: Type.Optional(Timestamp),
    live: Type.Boolean({
      description:
        'The entry counts now: it has not expired, or is a sighting within the look-back.',
    }),
  }),
)
type ExplainedEntry = Static<typeof ExplainedEntry>

const RollUpPrefix = Type.Object({
  prefix: Type.String(),
  addresses: Type.Integer({
    description: 'Number of its addresses sighted within the look-back.',
  }),
  addressesEver: Type.Integer({ description: 'Number of its addresses ever sighted.' }),
})

export const ExplanationResult = named(
  'Explanation',
  Type.Object({
    item: Type.String({ description: 'The text as it was sent.' }),
    canonical: Type.String({ description: 'The canonical form of the item.' }),
    type: Type.Union([Type.Literal('IP'), Type.Literal('DOMAIN')]),
    serial: Type.Integer({
      description: 'Serial of the change log up to which the answer is complete.',
    }),
    bogon: Type.Object({ value: Type.Boolean(), because: Because }),
    serviceMailBlocklist: Type.Object({ value: MailBlocklistStatus, because: Because }),
    intent: Type.Object({ value: ItemIntent, because: Because }),
    activity: Type.Object({ value: Type.Boolean(), because: Because }),
    tags: Type.Array(
      Type.Object({
        name: Type.String(),
        intent: Type.Union([ItemIntent, Type.Literal('none')]),
        because: Type.Array(Because),
      }),
    ),
    entries: Type.Array(ExplainedEntry),
    rollUp: Type.Optional(
      Type.Object(
        {
          counts: Type.Boolean({
            description:
              'The /64 has so many sighted addresses that their sightings count for all of it.',
          }),
          addressesMin: Type.Integer({ description: 'From this number of addresses on it does.' }),
          prefixes: Type.Array(RollUpPrefix, { description: 'The /64, the /56 and the /48.' }),
        },
        { description: 'For an IPv6 address.' },
      ),
    ),
    notes: Type.Array(Type.String(), {
      description: 'Parts that are missing, such as reasons while the database is unreachable.',
    }),
  }),
)
export type ExplanationResult = Static<typeof ExplanationResult>

export interface ExplainedItem {
  /** The text as it was sent. */
  readonly text: string
  readonly item: Item
  readonly serial: number
  readonly nowSeconds: number
  /** Null when the item is no bogon. */
  readonly bogonReason: string | null
  readonly explanation: Explanation
  /** Null for an item that is no IPv6 address. */
  readonly rollUp: NonNullable<ExplanationResult['rollUp']> | null
  /** The reason of an entry as its source gave it, or null. */
  readonly reasonOf: (entry: MatchedEntry) => string | null
  readonly notes: readonly string[]
}

export function presentExplanation(explained: ExplainedItem): ExplanationResult {
  const { item, explanation, bogonReason, rollUp } = explained
  const { classification } = explanation
  return {
    item: explained.text,
    canonical: item.text,
    type: item.kind === 'domain' ? 'DOMAIN' : 'IP',
    serial: explained.serial,
    bogon: {
      value: bogonReason !== null,
      because: bogonReason ?? 'The item is in no registry of special-purpose addresses or names.',
    },
    serviceMailBlocklist: {
      value: classification.serviceMailBlocklist,
      because: explanation.mailBlocklistBecause,
    },
    intent: { value: classification.intent, because: explanation.intentBecause },
    activity: { value: classification.activity, because: explanation.activityBecause },
    tags: explanation.tags.map(({ name, intent, because }) => ({
      name,
      intent,
      because: [...because],
    })),
    entries: explanation.entries.map((entry) => presentEntry(entry, explained)),
    ...(rollUp === null ? {} : { rollUp }),
    notes: [...explained.notes],
  }
}

function presentEntry(entry: MatchedEntry, explained: ExplainedItem): ExplainedEntry {
  const { fact } = entry
  const reason = explained.reasonOf(entry)
  return {
    kind: entry.kind,
    subject: entry.subject,
    relation: entry.relation,
    ...presentStatement(entry),
    ...(reason === null ? {} : { reason }),
    ...(fact.firstSeenSeconds > 0 ? { firstSeen: formatSeconds(fact.firstSeenSeconds) } : {}),
    ...(fact.lastSeenSeconds > 0
      ? {
          lastSeen: formatSeconds(fact.lastSeenSeconds),
          ageSeconds: Math.max(0, explained.nowSeconds - fact.lastSeenSeconds),
        }
      : {}),
    ...('expiresSeconds' in fact && fact.expiresSeconds > 0
      ? { expires: formatSeconds(fact.expiresSeconds) }
      : {}),
    live: entry.isLive,
  }
}

function presentStatement(
  entry: MatchedEntry,
): Pick<ExplainedEntry, 'source' | 'list' | 'tag' | 'type' | 'service' | 'count'> {
  switch (entry.kind) {
    case 'listing':
      return {
        source: { name: entry.fact.source, kind: 'mail-blocklist' },
        list: entry.fact.list,
      }
    case 'allowance':
      return { source: { name: entry.fact.source, kind: 'allow-list' }, list: entry.fact.list }
    case 'tagging':
      return { source: { name: entry.fact.source, kind: 'tag-list' }, tag: entry.fact.tag }
    case 'sighting': {
      const { kind, source, type, service, count } = entry.fact
      return {
        source: { name: source.startsWith('casework:') ? 'casework' : source, kind },
        type,
        ...(service === '' ? {} : { service }),
        count,
      }
    }
  }
}

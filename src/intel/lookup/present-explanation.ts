// From an explanation to its JSON: the one place where its members get their wire names.

import type { Static } from 'typebox'
import type { Item } from '../../values/item.ts'
import { formatSeconds } from '../../values/timestamp.ts'
import type { ExplainedEntry, Explanation } from './explain-item-facts.ts'
import type {
  ExplainedEntry as WireEntry,
  Explanation as WireExplanation,
} from './explanation-wire.ts'

export interface ExplainedItem {
  /** The text as it was sent. */
  readonly text: string
  readonly item: Item
  readonly serial: number
  readonly nowSeconds: number
  /** Null when the item is no bogon. */
  readonly bogonReason: string | null
  readonly explanation: Explanation
  readonly rollUp: WireExplanation['rollUp'] | null
  /** The reason of an entry as its source gave it, or null. */
  readonly reasonOf: (entry: ExplainedEntry) => string | null
  readonly notes: readonly string[]
}

export function presentExplanation(explained: ExplainedItem): WireExplanation {
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
    ...(rollUp === null || rollUp === undefined ? {} : { rollUp }),
    notes: [...explained.notes],
  }
}

type Wire = Static<typeof WireEntry>

function presentEntry(entry: ExplainedEntry, explained: ExplainedItem): Wire {
  const { fact } = entry
  const reason = explained.reasonOf(entry)
  return {
    kind: entry.kind,
    subject: entry.subject,
    relation: entry.relation,
    ...presentSaying(entry),
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

function presentSaying(
  entry: ExplainedEntry,
): Pick<Wire, 'source' | 'list' | 'tag' | 'type' | 'service' | 'count'> {
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
        source: { name: source, kind },
        type,
        ...(service === '' ? {} : { service }),
        count,
      }
    }
  }
}

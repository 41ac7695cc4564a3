// The verdict about an item as numbers and names, from the explanation: the page says it in words.

import type { Entry, Explanation } from './data.ts'

export interface Verdict {
  readonly intent: Explanation['intent']['value']
  readonly isBogon: boolean
  /** Some source knows something, or knew it once. */
  readonly isKnown: boolean
  /** The tags that decided, of the item's intent. */
  readonly tags: readonly string[]
  readonly sighted: { readonly count: number; readonly days: number } | null
  /** Blocklists that list the item now. */
  readonly lists: readonly string[]
  /** The allow-list that wins over them. */
  readonly allowedBy: string | null
}

const DAY_MS = 86_400_000

export function judge(explanation: Explanation): Verdict {
  const { entries, tags, intent, bogon } = explanation
  const live = entries.filter((entry) => entry.live)
  return {
    intent: intent.value,
    isBogon: bogon.value,
    isKnown: entries.length > 0,
    tags: tags.filter((tag) => tag.intent === intent.value).map(({ name }) => name),
    sighted: sumSightings(live.filter(({ kind }) => kind === 'sighting')),
    lists: [...new Set(live.flatMap(({ kind, list }) => (kind === 'listing' ? (list ?? []) : [])))],
    allowedBy: live.find(({ kind }) => kind === 'allowance')?.list ?? null,
  }
}

function sumSightings(sightings: readonly Entry[]): Verdict['sighted'] {
  if (sightings.length === 0) return null
  const first = Math.min(...sightings.map((one) => timeOf(one.firstSeen ?? one.lastSeen)))
  const last = Math.max(...sightings.map((one) => timeOf(one.lastSeen)))
  const count = sightings.reduce((sum, one) => sum + (one.count ?? 1), 0)
  return { count, days: Math.max(1, Math.ceil((last - first) / DAY_MS)) }
}

export function timeOf(text: string | undefined): number {
  return text === undefined ? 0 : Date.parse(text)
}

/** `credentials:ssh-brute-force` as a person says it. */
export function titleOfTag(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).replaceAll('-', ' ')
}

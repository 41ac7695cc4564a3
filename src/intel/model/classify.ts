// What the matched facts of an item mean at one moment (design 4.2): mail-blocklist status, tags, intent, activity, times and the
// roll-up of observed activity. Pure; the quick check answers the same questions without allocation in snapshot/intel-view.ts.

import { type Ipv6RollUp, isLive, type MatchedFacts, type Sighting } from './facts.ts'
import { type Intent, intentOfTags, type TagIntent } from './intent.ts'
import { rollUpCounts } from './ipv6-rollup.ts'
import { ruleCovers, type SightingRule } from './sighting-rules.ts'

/** How facts are read: the settings and the editable tables. */
export interface IntelPolicy {
  /** A sighting counts while its last observation is at most this old. Default of the service: 30 days. */
  readonly lookBackSeconds: number
  /** The tag catalogue: intent by tag name. A tag that is not in it is as one of intent `none`. */
  readonly tagIntents: ReadonlyMap<string, TagIntent>
  readonly sightingRules: readonly SightingRule[]
  /** Distinct addresses of one /64 sighted within the look-back from which their sightings count for all of it. */
  readonly ipv6RollupMin: number
}

export const LOOK_BACK_SECONDS_DEFAULT = 30 * 86_400

interface Observation {
  /** Absent when the sensor named none; never there for a spamtrap. */
  readonly service?: string
  readonly type: string
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
}

export interface Interactions {
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
  /** One per service and type, the latest first. Never empty. */
  readonly observations: readonly Observation[]
}

interface ObservedActivity {
  readonly honeypotInteractions?: Interactions
  readonly spamtrapInteractions?: Interactions
}

export interface Classification {
  readonly serviceMailBlocklist: 'ACTIVE' | 'INACTIVE'
  /** Names of live taggings and of tags that sightings set, sorted, each once. */
  readonly tags: readonly string[]
  readonly intent: Intent
  /** The item itself was sighted within the look-back, or so many addresses of its /64 that they speak for all of it. */
  readonly activity: boolean
  /** Over all matched sightings and taggings, also those that are no longer live; absent when there are none. */
  readonly firstSeenSeconds?: number
  readonly lastSeenSeconds?: number
  readonly observedActivity: ObservedActivity
}

/**
 * Listings, allowances, taggings and tags set by sightings hold for an item also when they are of a range or parent domain that covers
 * it. Activity and the observed activity are about the item itself: what a neighbour did was not done by it, except that a /64 whose
 * roll-up counts is taken for one neighbour.
 */
export function classify(facts: MatchedFacts, policy: IntelPolicy, nowMs: number): Classification {
  const nowSeconds = Math.floor(nowMs / 1000)
  const tags = liveTags(facts, policy, nowSeconds)
  const own = facts.sightings.filter((sighting) => sighting.isOwn)
  const seenSince = nowSeconds - policy.lookBackSeconds
  const rollUp = countingRollUp(facts, policy, nowSeconds)
  return {
    serviceMailBlocklist: isListed(facts, nowSeconds) ? 'ACTIVE' : 'INACTIVE',
    tags,
    intent: intentOfTags(tags.map((tag) => policy.tagIntents.get(tag) ?? 'none')),
    activity: rollUp !== null || own.some((sighting) => sighting.lastSeenSeconds >= seenSince),
    ...seenTimes([...facts.sightings, ...facts.taggings, ...(rollUp?.sightings ?? [])]),
    observedActivity: observedActivity(own),
  }
}

// The allow-list wins over every listing, also over a more exact one: it is the operator's word against a list's.
function isListed(facts: MatchedFacts, nowSeconds: number): boolean {
  return (
    facts.listings.some((listing) => isLive(listing, nowSeconds)) &&
    !facts.allowances.some((allowance) => isLive(allowance, nowSeconds))
  )
}

function liveTags(facts: MatchedFacts, policy: IntelPolicy, nowSeconds: number): string[] {
  const tags = new Set<string>()
  for (const tagging of facts.taggings) if (isLive(tagging, nowSeconds)) tags.add(tagging.tag)
  const sightings = countedSightings(facts, policy, nowSeconds)
  const rules = sightings.length === 0 ? [] : policy.sightingRules
  for (const rule of rules) {
    if (ruleHolds(rule, sightings, policy.lookBackSeconds, nowSeconds)) {
      for (const tag of rule.tags) tags.add(tag)
    }
  }
  return [...tags].toSorted()
}

/** The roll-up of the item's /64 when enough of its addresses were sighted within the look-back, else null. */
export function countingRollUp(
  facts: MatchedFacts,
  policy: IntelPolicy,
  nowSeconds: number,
): Ipv6RollUp | null {
  const { rollUp } = facts
  if (rollUp === undefined) return null
  const seenSince = nowSeconds - policy.lookBackSeconds
  return rollUpCounts(rollUp, policy.ipv6RollupMin, seenSince) ? rollUp : null
}

/** The sightings that rules read. A roll-up that counts has the item's own among its own, so that none is counted twice. */
export function countedSightings(
  facts: MatchedFacts,
  policy: IntelPolicy,
  nowSeconds: number,
): readonly Sighting[] {
  const rollUp = countingRollUp(facts, policy, nowSeconds)
  if (rollUp === null) return facts.sightings
  return [...facts.sightings.filter((sighting) => !sighting.isOwn), ...rollUp.sightings]
}

/** True when the live sightings a rule is about reach its thresholds. */
export function ruleHolds(
  rule: SightingRule,
  sightings: readonly Sighting[],
  lookBackSeconds: number,
  nowSeconds: number,
): boolean {
  const windowSeconds = Math.min(lookBackSeconds, rule.withinSeconds ?? lookBackSeconds)
  const sources = new Set<string>()
  let count = 0
  for (const sighting of sightings) {
    if (sighting.lastSeenSeconds < nowSeconds - windowSeconds) continue
    if (!ruleCovers(rule, sighting)) continue
    count += sighting.count
    sources.add(sighting.source)
  }
  return count >= rule.countMin && sources.size >= rule.sourcesMin && count > 0
}

interface Seen {
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
}

// 0 means that a time is not known, so it takes no part.
function seenTimes(facts: readonly Seen[]): Partial<Seen> {
  let first = 0
  let last = 0
  for (const fact of facts) {
    if (fact.firstSeenSeconds > 0 && (first === 0 || fact.firstSeenSeconds < first)) {
      first = fact.firstSeenSeconds
    }
    if (fact.lastSeenSeconds > last) last = fact.lastSeenSeconds
  }
  return {
    ...(first > 0 ? { firstSeenSeconds: first } : {}),
    ...(last > 0 ? { lastSeenSeconds: last } : {}),
  }
}

function observedActivity(own: readonly Sighting[]): ObservedActivity {
  const honeypot = interactions(
    own.filter((sighting) => sighting.kind === 'honeypot'),
    true,
  )
  const spamtrap = interactions(
    own.filter((sighting) => sighting.kind === 'spamtrap'),
    false,
  )
  return {
    ...(honeypot === null ? {} : { honeypotInteractions: honeypot }),
    ...(spamtrap === null ? {} : { spamtrapInteractions: spamtrap }),
  }
}

// Sources are merged: the answer says what was observed, `explain` says by whom.
function interactions(sightings: readonly Sighting[], withService: boolean): Interactions | null {
  if (sightings.length === 0) return null
  const byKey = new Map<string, Observation>()
  for (const sighting of sightings) {
    const service = withService ? sighting.service : ''
    const key = `${service} ${sighting.type}`
    const known = byKey.get(key)
    byKey.set(key, {
      ...(service === '' ? {} : { service }),
      type: sighting.type,
      firstSeenSeconds: Math.min(
        known?.firstSeenSeconds ?? sighting.firstSeenSeconds,
        sighting.firstSeenSeconds,
      ),
      lastSeenSeconds: Math.max(known?.lastSeenSeconds ?? 0, sighting.lastSeenSeconds),
    })
  }
  const observations = [...byKey.entries()]
    .toSorted(
      ([keyA, a], [keyB, b]) => b.lastSeenSeconds - a.lastSeenSeconds || (keyA < keyB ? -1 : 1),
    )
    .map(([, observation]) => observation)
  return {
    firstSeenSeconds: Math.min(...sightings.map((sighting) => sighting.firstSeenSeconds)),
    lastSeenSeconds: Math.max(...sightings.map((sighting) => sighting.lastSeenSeconds)),
    observations,
  }
}

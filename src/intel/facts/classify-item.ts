// Classifies an item by its matched facts at a given time (design 4.2): mail-blocklist status,
// tags, intent, activity, times and the roll-up of observed activity. Pure. The quick check answers
// the same questions without allocation in snapshot/intel-view.ts.

import { type Ipv6RollUp, isLive, type Match, type MatchedFacts, type Sighting } from './facts.ts'
import { type Intent, intentOfTags, type TagIntent } from './intent.ts'
import { rollUpCounts } from './ipv6-rollup.ts'
import { ruleCovers, rulesAbout, type SightingRule } from './sighting-rules.ts'

/** The settings and tables by which facts are classified. */
export interface IntelPolicy {
  /**
   * A sighting counts while its last observation is at most this old. Default of the service: 30
   * days.
   */
  readonly lookBackSeconds: number
  /** Intent by tag name, from the tag catalogue. An unknown tag has the intent `none`. */
  readonly tagIntents: ReadonlyMap<string, TagIntent>
  readonly sightingRules: readonly SightingRule[]
  /**
   * Number of addresses of one /64 sighted within the look-back, from which on their sightings
   * count for the whole /64.
   */
  readonly ipv6RollupMin: number
}

export const LOOK_BACK_SECONDS_DEFAULT = 30 * 86_400

interface Observation {
  /** Undefined when the sensor named none, and for a spamtrap. */
  readonly service: string | undefined
  readonly type: string
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
}

export interface Interactions {
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
  /** One for each service and type, the latest first. Never empty. */
  readonly observations: readonly Observation[]
}

interface ObservedActivity {
  readonly honeypotInteractions?: Interactions | undefined
  readonly spamtrapInteractions?: Interactions | undefined
}

export interface Classification {
  readonly serviceMailBlocklist: 'ACTIVE' | 'INACTIVE'
  /** Names of live taggings and of tags that sightings set, sorted, each once. */
  readonly tags: readonly string[]
  readonly intent: Intent
  /**
   * The item itself was sighted within the look-back, or so many addresses of its /64 that their
   * sightings count for all of it.
   */
  readonly activity: boolean
  /** Over all matched sightings and taggings, live or not; undefined when there are none. */
  readonly firstSeenSeconds: number | undefined
  readonly lastSeenSeconds: number | undefined
  readonly observedActivity: ObservedActivity
}

/**
 * Listings, allowances, taggings and tags set by sightings also count when they are of a range or
 * parent domain that covers the item. Activity and observed activity are about the item itself, not
 * its neighbours. The exception is a /64 whose roll-up counts: it is treated as one host.
 */
export function classify(facts: MatchedFacts, policy: IntelPolicy, nowMs: number): Classification {
  const nowSeconds = Math.floor(nowMs / 1000)
  const { listings, taggings, sightings } = facts
  const rollUp = countingRollUp(facts, policy, nowSeconds)
  if (rollUp === null && listings.length + taggings.length + sightings.length === 0) return NOTHING
  const tags = liveTags(facts, policy, nowSeconds)
  const seenSince = nowSeconds - policy.lookBackSeconds
  const seen = seenTimes(facts, rollUp)
  // Always the same members, some undefined: spreading optional members together would cost as much
  // as all the rules.
  return {
    serviceMailBlocklist: isListed(facts, nowSeconds) ? 'ACTIVE' : 'INACTIVE',
    tags,
    intent: intentOf(tags, policy),
    activity:
      rollUp !== null ||
      sightings.some((sighting) => sighting.isOwn && sighting.lastSeenSeconds >= seenSince),
    firstSeenSeconds: seen.first === 0 ? undefined : seen.first,
    lastSeenSeconds: seen.last === 0 ? undefined : seen.last,
    observedActivity: observedActivity(sightings),
  }
}

function intentOf(tags: readonly string[], policy: IntelPolicy): Intent {
  const intents: TagIntent[] = []
  for (const tag of tags) intents.push(policy.tagIntents.get(tag) ?? 'none')
  return intentOfTags(intents)
}

const NO_ACTIVITY: ObservedActivity = Object.freeze({})
const NO_TAGS: readonly string[] = Object.freeze([])

// The classification of most items of the Internet.
const NOTHING: Classification = Object.freeze({
  serviceMailBlocklist: 'INACTIVE',
  tags: NO_TAGS,
  intent: 'unknown',
  activity: false,
  firstSeenSeconds: undefined,
  lastSeenSeconds: undefined,
  observedActivity: NO_ACTIVITY,
})

// An allowance overrides every listing, also a more specific one: the operator's decision counts
// more than a list.
function isListed(facts: MatchedFacts, nowSeconds: number): boolean {
  return (
    facts.listings.some((listing) => isLive(listing, nowSeconds)) &&
    !facts.allowances.some((allowance) => isLive(allowance, nowSeconds))
  )
}

function liveTags(facts: MatchedFacts, policy: IntelPolicy, nowSeconds: number): readonly string[] {
  const sightings = countedSightings(facts, policy, nowSeconds)
  if (facts.taggings.length === 0 && sightings.length === 0) return NO_TAGS
  const tags: string[] = []
  const add = (tag: string): void => {
    // An item has few tags, so a search in the array is faster than a set.
    if (!tags.includes(tag)) tags.push(tag)
  }
  for (const tagging of facts.taggings) if (isLive(tagging, nowSeconds)) add(tagging.tag)
  if (sightings.length > 0) {
    for (const rule of rulesAbout(sightings, policy.sightingRules)) {
      if (!ruleHolds(rule, sightings, policy.lookBackSeconds, nowSeconds)) continue
      for (const tag of rule.tags) add(tag)
    }
  }
  return tags.length > 1 ? tags.toSorted() : tags
}

/**
 * The roll-up of the item's /64 when enough of its addresses were sighted within the look-back,
 * else null.
 */
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

/**
 * The sightings that rules read. A roll-up that counts includes the item's own sightings, so these
 * are left out then and counted once.
 */
export function countedSightings(
  facts: MatchedFacts,
  policy: IntelPolicy,
  nowSeconds: number,
): readonly Sighting[] {
  const rollUp = countingRollUp(facts, policy, nowSeconds)
  if (rollUp === null) return facts.sightings
  return [...facts.sightings.filter((sighting) => !sighting.isOwn), ...rollUp.sightings]
}

/** True when the live sightings that the rule covers reach its thresholds. */
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

/** The earliest and latest time of all observations; 0 when unknown. */
interface SeenSpan {
  first: number
  last: number
}

function seenTimes(facts: MatchedFacts, rollUp: Ipv6RollUp | null): Readonly<SeenSpan> {
  const span: SeenSpan = { first: 0, last: 0 }
  widen(span, facts.sightings)
  widen(span, facts.taggings)
  if (rollUp !== null) widen(span, rollUp.sightings)
  return span
}

// A time of 0 is unknown and is skipped.
function widen(span: SeenSpan, facts: readonly Seen[]): void {
  for (const { firstSeenSeconds, lastSeenSeconds } of facts) {
    if (firstSeenSeconds > 0 && (span.first === 0 || firstSeenSeconds < span.first)) {
      span.first = firstSeenSeconds
    }
    if (lastSeenSeconds > span.last) span.last = lastSeenSeconds
  }
}

function observedActivity(sightings: readonly (Sighting & Match)[]): ObservedActivity {
  if (sightings.length === 0) return NO_ACTIVITY
  return {
    honeypotInteractions: sumInteractions(ownOfKind(sightings, 'honeypot'), serviceOf),
    spamtrapInteractions: sumInteractions(ownOfKind(sightings, 'spamtrap'), noService),
  }
}

function ownOfKind(sightings: readonly (Sighting & Match)[], kind: string): readonly Sighting[] {
  return sightings.filter((sighting) => sighting.isOwn && sighting.kind === kind)
}

function serviceOf({ service }: Sighting): string | undefined {
  return service === '' ? undefined : service
}

function noService(): undefined {
  return undefined
}

// Sources are merged here; `explain` shows them one by one.
function sumInteractions(
  sightings: readonly Sighting[],
  readService: (sighting: Sighting) => string | undefined,
): Interactions | undefined {
  const [only] = sightings
  if (only === undefined) return undefined
  // Most items have one sighting, for which the sums below would cost more than all the rules.
  if (sightings.length === 1) {
    const { firstSeenSeconds, lastSeenSeconds, type } = only
    const observation = { service: readService(only), type, firstSeenSeconds, lastSeenSeconds }
    return { firstSeenSeconds, lastSeenSeconds, observations: [observation] }
  }
  return {
    firstSeenSeconds: Math.min(...sightings.map((sighting) => sighting.firstSeenSeconds)),
    lastSeenSeconds: Math.max(...sightings.map((sighting) => sighting.lastSeenSeconds)),
    observations: sumObservations(sightings, readService),
  }
}

/** One observation for each service and type, the latest first. */
function sumObservations(
  sightings: readonly Sighting[],
  readService: (sighting: Sighting) => string | undefined,
): readonly Observation[] {
  const byKey = new Map<string, Observation>()
  for (const sighting of sightings) {
    const service = readService(sighting)
    const key = `${service ?? ''} ${sighting.type}`
    const known = byKey.get(key)
    byKey.set(key, {
      service,
      type: sighting.type,
      firstSeenSeconds: Math.min(
        known?.firstSeenSeconds ?? sighting.firstSeenSeconds,
        sighting.firstSeenSeconds,
      ),
      lastSeenSeconds: Math.max(known?.lastSeenSeconds ?? 0, sighting.lastSeenSeconds),
    })
  }
  return [...byKey.entries()]
    .toSorted(
      ([keyA, a], [keyB, b]) => b.lastSeenSeconds - a.lastSeenSeconds || (keyA < keyB ? -1 : 1),
    )
    .map(([, observation]) => observation)
}

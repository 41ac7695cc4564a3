// Explains the answer about an item: every entry that matched, whether it counts now, and the entry
// or rule behind each part of the answer. Reads the same facts by the same functions as `classify`,
// so that the two cannot differ.

import {
  type Classification,
  classify,
  countedSightings,
  countingRollUp,
  type IntelPolicy,
  ruleHolds,
} from '../facts/classify-item.ts'
import {
  type Allowance,
  type Ipv6RollUp,
  isLive,
  type Listing,
  type Match,
  type MatchedFacts,
  type Sighting,
  type Tagging,
} from '../facts/facts.ts'
import type { TagIntent } from '../facts/intent.ts'
import {
  isUnverified,
  REPORT_KIND,
  REPORT_SOURCE_PREFIX,
  REPORTERS_MAX,
  ruleCovers,
  type SightingRule,
} from '../facts/sighting-rules.ts'

/**
 * How the subject of an entry covers the item: `prefix` is the /64 whose single addresses were
 * sighted.
 */
type Relation = 'itself' | 'range' | 'parent' | 'prefix'

interface EntryMatch {
  /** Canonical text of the subject that the entry is about. */
  readonly subject: string
  readonly relation: Relation
  /** The entry counts now: it has not expired, or is a sighting within the look-back. */
  readonly isLive: boolean
}

export type ExplainedEntry = EntryMatch &
  (
    | { readonly kind: 'listing'; readonly fact: Listing }
    | { readonly kind: 'allowance'; readonly fact: Allowance }
    | { readonly kind: 'tagging'; readonly fact: Tagging }
    | { readonly kind: 'sighting'; readonly fact: Sighting }
  )

interface ExplainedTag {
  readonly name: string
  readonly intent: TagIntent
  /** One sentence for each tagging and each rule behind the tag; never empty. */
  readonly because: readonly string[]
}

export interface Explanation {
  readonly classification: Classification
  /** One sentence each. */
  readonly mailBlocklistBecause: string
  readonly intentBecause: string
  readonly activityBecause: string
  readonly tags: readonly ExplainedTag[]
  /** Listings, allowances, taggings, sightings; in each the item's own first, then the nearest. */
  readonly entries: readonly ExplainedEntry[]
}

/** Explains the result of `classify` for the same facts at the same time. */
export function explain(facts: MatchedFacts, policy: IntelPolicy, nowMs: number): Explanation {
  const nowSeconds = Math.floor(nowMs / 1000)
  const classification = classify(facts, policy, nowMs)
  const entries = listEntries(facts, policy, nowSeconds)
  const tags = classification.tags.map((name) => ({
    name,
    intent: policy.tagIntents.get(name) ?? 'none',
    because: explainTag(name, facts, policy, nowSeconds),
  }))
  return {
    classification,
    mailBlocklistBecause: explainMailBlocklist(entries),
    intentBecause: explainIntent(classification.intent, tags),
    activityBecause: explainActivity(facts, policy, nowSeconds),
    tags,
    entries,
  }
}

function listEntries(
  facts: MatchedFacts,
  policy: IntelPolicy,
  nowSeconds: number,
): readonly ExplainedEntry[] {
  const seenSince = nowSeconds - policy.lookBackSeconds
  const rollUp = countingRollUp(facts, policy, nowSeconds)
  return [
    ...facts.listings.map((fact) => ({
      kind: 'listing' as const,
      fact,
      ...describeMatch(fact, isLive(fact, nowSeconds)),
    })),
    ...facts.allowances.map((fact) => ({
      kind: 'allowance' as const,
      fact,
      ...describeMatch(fact, isLive(fact, nowSeconds)),
    })),
    ...facts.taggings.map((fact) => ({
      kind: 'tagging' as const,
      fact,
      ...describeMatch(fact, isLive(fact, nowSeconds)),
    })),
    ...facts.sightings.map((fact) => ({
      kind: 'sighting' as const,
      fact,
      ...describeMatch(fact, fact.lastSeenSeconds >= seenSince),
    })),
    ...(rollUp === null ? [] : listRolledUp(rollUp, seenSince)),
  ]
}

function listRolledUp(
  { prefix, sightings }: Ipv6RollUp,
  seenSince: number,
): readonly ExplainedEntry[] {
  return sightings.map((fact) => ({
    kind: 'sighting',
    fact,
    subject: prefix,
    relation: 'prefix',
    isLive: fact.lastSeenSeconds >= seenSince,
  }))
}

function describeMatch(match: Match, live: boolean): EntryMatch {
  const covering = match.subject.includes('/') ? 'range' : 'parent'
  return {
    subject: match.subject,
    relation: match.isOwn ? 'itself' : covering,
    isLive: live,
  }
}

function explainMailBlocklist(entries: readonly ExplainedEntry[]): string {
  const listing = entries.find((entry) => entry.kind === 'listing' && entry.isLive)
  const allowance = entries.find((entry) => entry.kind === 'allowance' && entry.isLive)
  if (listing?.kind !== 'listing') {
    return entries.some((entry) => entry.kind === 'listing')
      ? 'Every listing of the item has expired.'
      : 'No blocklist names the item or anything that covers it.'
  }
  const listed = `${quote(listing.fact.list)} lists ${aboutSubject(listing)}`
  return allowance?.kind === 'allowance'
    ? `${listed}, but ${quote(allowance.fact.list)} allows ${aboutSubject(allowance)}, and an allow-list wins over every listing.`
    : `${listed}.`
}

const INTENT_REASONS: Readonly<Record<Exclude<Classification['intent'], 'unknown'>, string>> = {
  benign: 'vetted as benign, which overrides every other tag',
  malicious: 'of intent malicious, and no tag is benign',
  suspicious: 'of intent suspicious, and no tag is benign or malicious',
}

function explainIntent(intent: Classification['intent'], tags: readonly ExplainedTag[]): string {
  if (intent === 'unknown') {
    return tags.length === 0
      ? 'The item has no live tag.'
      : 'The live tags only describe: none is benign, malicious or suspicious.'
  }
  const deciding = tags.filter((tag) => tag.intent === intent).map((tag) => quote(tag.name))
  const subject =
    deciding.length === 1 ? `The tag ${deciding[0]} is` : `The tags ${deciding.join(', ')} are`
  return `${subject} ${INTENT_REASONS[intent]}.`
}

function explainActivity(facts: MatchedFacts, policy: IntelPolicy, nowSeconds: number): string {
  const days = countDays(policy.lookBackSeconds)
  const seenSince = nowSeconds - policy.lookBackSeconds
  const own = facts.sightings.filter((sighting) => sighting.isOwn)
  if (own.some((sighting) => sighting.lastSeenSeconds >= seenSince)) {
    return `The item itself was sighted within the look-back of ${days}.`
  }
  const rollUp = countingRollUp(facts, policy, nowSeconds)
  if (rollUp !== null) {
    return `At least ${policy.ipv6RollupMin} addresses of ${rollUp.prefix} were sighted within the look-back of ${days}, so it counts as one.`
  }
  return own.length > 0
    ? `The item was last sighted before the look-back of ${days}.`
    : 'No sensor has sighted the item itself.'
}

function explainTag(
  name: string,
  facts: MatchedFacts,
  policy: IntelPolicy,
  nowSeconds: number,
): readonly string[] {
  const taggings = facts.taggings
    .filter((tagging) => tagging.tag === name && isLive(tagging, nowSeconds))
    .map(
      (tagging) => `${quote(tagging.source)} tagged ${aboutSubject(describeMatch(tagging, true))}.`,
    )
  const sightings = countedSightings(facts, policy, nowSeconds)
  const rules = policy.sightingRules
    .filter((rule) => rule.tags.includes(name))
    .filter((rule) => ruleHolds(rule, sightings, policy.lookBackSeconds, nowSeconds))
    .map((rule) => explainRule(rule, sightings, policy, nowSeconds))
  return [...taggings, ...rules]
}

function explainRule(
  rule: SightingRule,
  sightings: readonly Sighting[],
  policy: IntelPolicy,
  nowSeconds: number,
): string {
  const windowSeconds = Math.min(
    policy.lookBackSeconds,
    rule.withinSeconds ?? policy.lookBackSeconds,
  )
  const counted = sightings.filter(
    (sighting) =>
      ruleCovers(rule, sighting) && sighting.lastSeenSeconds >= nowSeconds - windowSeconds,
  )
  const days = countDays(windowSeconds)
  const services = rule.services === undefined ? '' : ` on ${rule.services.join(' or ')}`
  const sources = rule.kind === REPORT_KIND ? 'reporter' : 'source'
  const least = `at least ${rule.countMin} from ${countNouns(rule.sourcesMin, sources)}`
  return `Rule ${quote(rule.name)}: ${rule.kind} sightings of ${rule.types.join(' or ')}${services} within ${days}, ${least}; met by ${listSources(counted)}.`
}

/**
 * Sources by name; reporters of accepted reports by number and trust only, since nothing here may
 * name a tenant or a reporter.
 */
function listSources(counted: readonly Sighting[]): string {
  const reports = counted.filter(isOfReports)
  const named = new Set(counted.filter((one) => !isOfReports(one)).map(({ source }) => source))
  const trusted = reports.filter((one) => !isUnverified(one))
  return [
    ...[...named].map(quote),
    ...describeReporters(trusted, 'trusted'),
    ...describeReporters(reports.filter(isUnverified), 'unverified'),
  ].join(', ')
}

function isOfReports({ source }: Sighting): boolean {
  return source.startsWith(REPORT_SOURCE_PREFIX)
}

function describeReporters(reports: readonly Sighting[], trust: string): readonly string[] {
  const count = new Set(reports.map(({ source }) => source)).size
  if (count === 0) return []
  const more = count >= REPORTERS_MAX ? ' or more' : ''
  return [`${count}${more} ${trust} ${count === 1 ? 'reporter' : 'reporters'}`]
}

function countNouns(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function aboutSubject({ subject, relation }: Pick<EntryMatch, 'subject' | 'relation'>): string {
  switch (relation) {
    case 'itself':
      return 'the item itself'
    case 'range':
      return `the range ${subject}`
    case 'parent':
      return `the parent domain ${subject}`
    case 'prefix':
      return `the prefix ${subject}`
  }
}

function countDays(seconds: number): string {
  return countNouns(seconds / 86_400, 'day')
}

function quote(name: string): string {
  return `"${name}"`
}

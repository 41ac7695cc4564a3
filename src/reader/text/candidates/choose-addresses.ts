// Chooses the addresses that a report complains about. The first public address of the body wins,
// unless others are named more clearly.

import { parseAddress } from '../../../values/address.ts'
import { parseAddressSpan } from '../../../values/address-span.ts'
import { isRange, parseBlock, type Range, rangeHolds } from '../../../values/range.ts'
import { askOnceEach } from '../ask-once.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { type Candidate, collectCandidates, STRONG } from './candidate.ts'
import { classifyAddress } from './classify-address.ts'
import type { OwnHosts } from './own-hosts.ts'
import { seeThroughProxies } from './see-through-proxy.ts'
import { weighAnswers } from './weigh-answers.ts'
import { weighSides } from './weigh-sides.ts'

export interface Chosen {
  /** In reading order; `why` names the rule. */
  readonly taken: readonly { readonly candidate: Candidate; readonly why: string }[]
  /** All of them, the best first. */
  readonly ranked: readonly Candidate[]
}

export function chooseAddresses(occurrences: readonly Occurrence[], own: OwnHosts): Chosen {
  const addresses = occurrences.filter(({ kind }) => kind === 'ip' || kind === 'range')
  const classify = askOnceEach((each: Occurrence) => classifyAddress(each, own, false))
  const first = addresses.find(
    (each) => each.line.kind === 'body' && classify(each).role !== 'target',
  )
  const collected = collectCandidates(
    addresses,
    ({ kind, text, value }) => (kind === 'range' ? text : value),
    (each) => (each === first ? classifyAddress(each, own, true) : classify(each)),
  )
  const candidates = weighSides(
    weighAnswers(seeThroughProxies(collected), own.networks),
    own.networks,
  )
  const ranked = candidates.toSorted((a, b) => b.score - a.score)
  return { taken: guardSides(take(candidates, ranked), candidates), ranked }
}

// More are hardly ever the attackers when one address stands beside each of them.
const BESIDE_ONE_MAX = 5

/**
 * Many addresses that nothing names, and one other in each of their lines: they are what that one
 * attacked.
 */
function guardSides(taken: Taken, candidates: readonly Candidate[]): Taken {
  if (
    taken.length <= BESIDE_ONE_MAX ||
    taken.some(({ candidate }) => isPlacedAsSource(candidate))
  ) {
    return taken
  }
  const isTaken = new Set(taken.map(({ candidate }) => candidate))
  const lines = taken.map(({ candidate }) => candidate.best.line.index)
  const everywhere = candidates.filter((each) => {
    if (isTaken.has(each) || each.kind !== 'ip' || !isPossible(each)) return false
    const own = new Set(each.occurrences.map(({ line }) => line.index))
    return lines.every((line) => own.has(line))
  })
  const why = `beside each of ${taken.length} addresses, which are its targets`
  return everywhere.length === 1 ? explainAll(everywhere, why) : taken
}

function isPlacedAsSource({ best }: Candidate): boolean {
  const isLabelled = best.labels.some(({ label }) => label === 'source')
  return isLabelled || best.direction === 'from' || best.context === 'table'
}

type Taken = Chosen['taken']

function take(candidates: readonly Candidate[], ranked: readonly Candidate[]): Taken {
  const specific = candidates.filter(({ kind }) => kind === 'ip')
  const stated = specific.filter(isStated)
  if (stated.some(({ role }) => role === 'source')) {
    const named = stated.filter(({ role }) => role === 'source')
    return withSiblings(specific, named, 'named as the source')
  }
  const best = ranked.find((each) => each.kind === 'ip' && each.score > 0 && !isOnlyInLog(each))
  const logged = specific.filter((each) => each.role === 'source' && each.score >= STRONG)
  const ranges = candidates.filter(({ kind, score }) => kind === 'range' && score > 0)
  if (best !== undefined && (best.score >= STRONG || logged.length === 0)) {
    // A named range wins over an address that is only mentioned.
    const range = ranges.find(({ score, role }) => score > best.score && role === 'source')
    if (range === undefined) return withSiblings(specific, [best], 'the best of those unnamed')
  }
  if (logged.length > 0) return explainAll(logged, 'the source in the log')
  if (ranges.length > 0) {
    const within = listWithin(specific.filter(isPossible), ranges)
    if (within.length > 0) return explainAll(within, 'an address of the range that is named')
    const widest = ranges.reduce((a, b) => (b.score > a.score ? b : a))
    return withSiblings(ranges, [widest], 'a range, by its first address')
  }
  const any = ranked.find((each) => each.kind === 'ip' && isPossible(each))
  return any === undefined ? [] : withSiblings(specific, [any], 'the first address there is')
}

function listWithin(
  addresses: readonly Candidate[],
  ranges: readonly Candidate[],
): readonly Candidate[] {
  const parts = ranges.flatMap(({ best }) => listParts(best.text))
  return addresses.filter(({ value }) => {
    const address = parseAddress(value)
    return address !== null && parts.some((range) => rangeHolds(range, address))
  })
}

/** Nothing for a span that is written backwards. */
function listParts(text: string): readonly Range[] {
  if (!text.includes('/')) {
    const span = parseAddressSpan(text)
    return typeof span === 'string' ? [] : span.ranges
  }
  // A reporter writes the address that was seen, with the length of the network around it.
  const range = parseBlock(text, 'clear')
  return isRange(range) ? [range] : []
}

/** Named by the reporter in words, a list or a table. A log also names innocent clients. */
function isStated(candidate: Candidate): boolean {
  return candidate.score >= STRONG && !isOnlyInLog(candidate)
}

function isOnlyInLog({ occurrences }: Candidate): boolean {
  return occurrences.every(({ context }) => context === 'log')
}

// Below this more speaks against it than a passing word.
const DOUBTED = -20

function isPossible({ role, score }: Candidate): boolean {
  return (role === 'unnamed' || role === 'source' || role === 'controller') && score > DOUBTED
}

/** An address at the same position of a line of the same form as a chosen one is chosen as well. */
function withSiblings(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  why: string,
): Taken {
  const isChosen = new Set(chosen)
  const groups = new Set(chosen.map(({ best }) => best.group))
  const kept = candidates.filter(
    (each) => isChosen.has(each) || (isPossible(each) && groups.has(each.best.group)),
  )
  return kept.map((candidate) => ({
    candidate,
    why: isChosen.has(candidate) ? why : 'in the same place as one that was chosen',
  }))
}

/**
 * The first address of a report without any other candidate, whatever its label says. A label that
 * was read wrongly is more likely than a complaint about nothing.
 */
export function chooseLastAddress({ ranked }: Chosen): Chosen {
  const candidates = ranked.filter(
    ({ role }) => role === 'target' || role === 'controller' || role === 'infrastructure',
  )
  const [first] = candidates.toSorted((a, b) => a.best.line.index - b.best.line.index)
  const why = explainLast(candidates)
  return { taken: first === undefined ? [] : explainAll([first], why), ranked }
}

export function explainLast(candidates: readonly Candidate[]): string {
  return candidates.length === 1
    ? 'the only one that could be meant'
    : 'the first of those that could be meant'
}

function explainAll(candidates: readonly Candidate[], why: string): Taken {
  return candidates.map((candidate) => ({ candidate, why }))
}

// Pairs each reported link with the address that serves it. Addresses without a link are subjects
// of their own.

import { MACHINE_EVENTS_MAX } from '../../formats/machine-report.ts'
import type { MailTrace } from '../mail-traces.ts'
import { type Candidate, isAddressHost, STRONG } from './candidate.ts'
import type { Chosen } from './choose-addresses.ts'

/** The subject of one event; at least one of its members is set. */
export interface Subject {
  readonly address: Candidate | null
  readonly link: Candidate | null
  readonly trace: MailTrace | null
  /** Why it became an event. */
  readonly why: string
  /** Why this address belongs to this link; null without one of them. */
  readonly paired: string | null
}

interface Pairing {
  /** The addresses that were chosen. */
  readonly all: readonly Candidate[]
  /** The address that a link in this line is listed with. */
  readonly beside: (line: number) => Candidate | null
  /** Those that may be the source, by the lines that name them. */
  readonly byLine: ReadonlyMap<number, readonly Candidate[]>
  /** Links are followed by a line with their address: `URL: …`, below `IP: …`. */
  readonly hasBlocks: boolean
}

export function pairSubjects(addresses: Chosen, links: Chosen): readonly Subject[] {
  const byLine = indexByLine(addresses.ranked)
  const all = addresses.taken.map(({ candidate }) => candidate)
  const pairing: Pairing = {
    all,
    beside: indexBeside(all, links.taken[0]?.candidate.best.line.index ?? 0),
    byLine,
    hasBlocks: links.taken.some(({ candidate }) => findBelow(byLine, candidate) !== null),
  }
  const groups = countGroups(all)
  const subjects: Subject[] = []
  const used = new Set<string>()
  for (const [at, { candidate: link, why }] of links.taken.entries()) {
    const found = findAddresses(pairing, link, links.taken.length, at)
    const paired = found.addresses.length === 0 ? [null] : found.addresses
    for (const address of paired) {
      if (address !== null) used.add(address.value)
      subjects.push({ address, link, trace: null, why, paired: address && found.why })
    }
    if (isAddressHost(link.best.host ?? '')) used.add(link.best.host ?? '')
  }
  for (const { candidate: address, why } of addresses.taken) {
    // Beside reported links only an address named as a source is a subject of its own.
    const isNamed = address.role === 'source' && address.score >= STRONG
    const isOwn = links.taken.length === 0 || isNamed || isListed(address, groups)
    if (isOwn && !used.has(address.value)) {
      subjects.push({ address, link: null, trace: null, why, paired: null })
    }
  }
  // One more than the maximum shows that there are too many.
  return subjects.slice(0, MACHINE_EVENTS_MAX + 1)
}

/** One of several addresses of a list that is called so: what is true of one is true of all. */
function isListed({ best, score }: Candidate, groups: ReadonlyMap<string, number>): boolean {
  const isCalled = [...best.labels, ...best.labelsAbove].some(({ label }) => label === 'address')
  return isCalled && score > 0 && (groups.get(best.group) ?? 0) > 1
}

function countGroups(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { best } of candidates) counts.set(best.group, (counts.get(best.group) ?? 0) + 1)
  return counts
}

function indexByLine(candidates: readonly Candidate[]): ReadonlyMap<number, readonly Candidate[]> {
  const byLine = new Map<number, Candidate[]>()
  for (const candidate of candidates) {
    if (candidate.role === 'target' || candidate.role === 'infrastructure') continue
    for (const { line } of candidate.occurrences) {
      const known = byLine.get(line.index)
      if (known === undefined) byLine.set(line.index, [candidate])
      else if (!known.includes(candidate)) known.push(candidate)
    }
  }
  return byLine
}

interface FoundAddresses {
  readonly addresses: readonly Candidate[]
  readonly why: string
}

const NONE: FoundAddresses = { addresses: [], why: '' }

function findAddresses(
  { all, beside, byLine, hasBlocks }: Pairing,
  link: Candidate,
  linkCount: number,
  at: number,
): FoundAddresses {
  if (isAddressHost(link.best.host ?? '')) return NONE
  for (const { line } of link.occurrences.slice(0, 20)) {
    const same = byLine.get(line.index) ?? []
    if (same.length > 0) return { addresses: same.slice(0, 8), why: 'in the same line' }
  }
  const below = hasBlocks ? findBelow(byLine, link) : null
  if (below !== null) return { addresses: [below], why: 'in the next line of its block' }
  if (hasBlocks && linkCount > 1) return NONE
  if (all.length <= 1) return { addresses: all, why: 'the only address that is reported' }
  const listed = all.length === linkCount && linkCount > 1 ? all[at] : undefined
  if (listed !== undefined) {
    return { addresses: [listed], why: 'as many addresses as links, in the same order' }
  }
  if (linkCount > 1) {
    const near = beside(link.best.line.index)
    if (near !== null) return { addresses: [near], why: 'the address it is listed with' }
  }
  if (linkCount === 1 && all.length <= 8) {
    return { addresses: all, why: 'all addresses of one link' }
  }
  return { addresses: all.slice(0, 1), why: 'the first address that is reported' }
}

/** The address that the line below calls one, when the link stands behind a label too. */
function findBelow(
  byLine: ReadonlyMap<number, readonly Candidate[]>,
  { best }: Candidate,
): Candidate | null {
  if (!best.isNamed || best.context === 'table') return null
  const [below, another] = byLine.get(best.line.index + 1) ?? []
  if (below === undefined || another !== undefined || below.kind !== 'ip') return null
  const there = below.occurrences.find(({ line }) => line.index === best.line.index + 1)
  const isCalled = there?.isNamed === true && there.labels.some(({ label }) => label === 'address')
  return isCalled && there.line.part === best.line.part ? below : null
}

/**
 * Addresses and links that alternate belong together: each link to the address above it, or below
 * it when the links come first. Null when they do not alternate.
 */
function indexBeside(
  addresses: readonly Candidate[],
  firstLink: number,
): (line: number) => Candidate | null {
  const isAbove = (addresses[0]?.best.line.index ?? 0) < firstLink
  const takesTurns = isAbove
    ? addresses.some(({ best }) => best.line.index > firstLink)
    : addresses.length > 1
  if (!takesTurns) return () => null
  const find = isAbove ? indexLast(addresses, lineOf) : indexLast(addresses.toReversed(), lineBack)
  return (line) => find(isAbove ? line : -line)
}

function lineOf({ best }: Candidate): number {
  return best.line.index
}

function lineBack(candidate: Candidate): number {
  return -lineOf(candidate)
}

/**
 * `findLast` of those whose number is at most the one that is asked for. A report may have
 * thousands of both, so that the list is searched by halves.
 */
function indexLast(
  candidates: readonly Candidate[],
  numberOf: (candidate: Candidate) => number,
): (most: number) => Candidate | null {
  // One with a later candidate of a smaller or the same number is never the last.
  const rising: Candidate[] = []
  for (const each of candidates) {
    while (rising.length > 0 && numberOf(rising.at(-1) ?? each) >= numberOf(each)) rising.pop()
    rising.push(each)
  }
  return (most) => {
    let [from, to] = [0, rising.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const each = rising[middle]
      if (each !== undefined && numberOf(each) <= most) from = middle + 1
      else to = middle
    }
    return rising[from - 1] ?? null
  }
}

// Tells the attacker in a log of both directions: the answers of whoever is attacked point back, so
// that the arrows alone would blame him as well.

import type { TenantNetworks } from '../../tenant-networks.ts'
import type { Label } from '../occurrences/find-label.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import type { Candidate } from './candidate.ts'
import { askedFirst, type Row } from './weigh-sides.ts'

const ROWS_MAX = 5_000
const AGAINST = -60

/**
 * The same candidates in the same order. Of two that arrows join in both directions the attacker
 * is: the one that the text names so, the one of the tenant, the one that talks with most, the one
 * that asked for a service, the one that began.
 */
export function weighAnswers(
  candidates: readonly Candidate[],
  networks: TenantNetworks,
): readonly Candidate[] {
  const known = new Map(candidates.map((each) => [each.value, each]))
  const attackers = new Set<string>()
  const attacked = new Set<string>()
  const talks = listTalks(candidates)
  const counts = countTalks(talks)
  for (const rows of talks.values()) {
    const [first] = rows
    if (first === undefined || rows.every(({ left }) => left.value === first.left.value)) continue
    const [one, other] = [first.left.value, first.right.value]
    const isOtherAttacker =
      isSaidToAttack(known.get(other), known.get(one)) ??
      isOwnAlone(networks, other, one) ??
      isBusier(counts, other, one) ??
      askedLast(rows, one)
    attackers.add(isOtherAttacker ? other : one)
    attacked.add(isOtherAttacker ? one : other)
  }
  return candidates.map((each) =>
    attacked.has(each.value) && !attackers.has(each.value) ? asTarget(each) : each,
  )
}

function asTarget(candidate: Candidate): Candidate {
  const why = 'its arrows are answers, in a log of both directions'
  const reasons = [{ points: AGAINST, why, rule: 'side-of-rows' }]
  return { ...candidate, role: 'target', reasons, score: AGAINST }
}

/** Whether of the two only the other one is the tenant's; null when both are, or none. */
function isOwnAlone(networks: TenantNetworks, other: string, one: string): boolean | null {
  const [isOtherOwn, isOneOwn] = [networks.hasAddress(other), networks.hasAddress(one)]
  return isOtherOwn === isOneOwn ? null : isOtherOwn
}

function countTalks(talks: ReadonlyMap<string, readonly Row[]>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [first] of talks.values()) {
    for (const ip of first === undefined ? [] : [first.left.value, first.right.value]) {
      counts.set(ip, (counts.get(ip) ?? 0) + 1)
    }
  }
  return counts
}

/** Whether the other one talks with more than this one, as an attacker does; null for as many. */
function isBusier(counts: ReadonlyMap<string, number>, other: string, one: string): boolean | null {
  const [ofOther, ofOne] = [counts.get(other) ?? 0, counts.get(one) ?? 0]
  return ofOther === ofOne ? null : ofOther > ofOne
}

/** Rows whose arrow points from `left` to `right`, by their two addresses. */
function listTalks(candidates: readonly Candidate[]): ReadonlyMap<string, readonly Row[]> {
  const byLine = new Map<number, Occurrence[]>()
  for (const occurrence of candidates.flatMap(({ occurrences }) => occurrences)) {
    const { kind, isPointed, direction, line } = occurrence
    if (kind !== 'ip' || !isPointed || direction === null) continue
    const known = byLine.get(line.index)
    if (known !== undefined) known.push(occurrence)
    else if (byLine.size < ROWS_MAX) byLine.set(line.index, [occurrence])
  }
  const talks = new Map<string, Row[]>()
  const inOrder = [...byLine].toSorted(([one], [other]) => one - other)
  for (const [, found] of inOrder) {
    const left = found.find(({ direction }) => direction === 'from')
    const right = found.find(({ direction }) => direction === 'to')
    if (left === undefined || right === undefined || found.length !== 2) continue
    const key = [left.value, right.value].toSorted().join(' ')
    const known = talks.get(key)
    if (known === undefined) talks.set(key, [{ left, right }])
    else known.push({ left, right })
  }
  return talks
}

/** Whether the text beside the rows blames the other one; null when it says the same of both. */
function isSaidToAttack(other: Candidate | undefined, one: Candidate | undefined): boolean | null {
  const [saidOther, saidOne] = [other, one].map(saidOf)
  if (saidOther === saidOne) return null
  return saidOther === 'source' || saidOne === 'target'
}

function saidOf(candidate: Candidate | undefined): 'source' | 'target' | null {
  const told = candidate?.occurrences.filter(({ isPointed }) => !isPointed) ?? []
  if (told.some((each) => each.direction === 'to' || isCalled(each, 'target'))) return 'target'
  const isSource = told.some((each) => each.context === 'subject' || isCalled(each, 'source'))
  return isSource ? 'source' : null
}

/** The label stands right before it: `between our hosts and 192.0.2.1` does not call it ours. */
function isCalled({ labels, beside }: Occurrence, wanted: Label): boolean {
  return labels.some(
    ({ label, end }) =>
      label === wanted && /^[^\p{L}\d]{0,6}(?:\p{L}{2} )?$/u.test(beside.slice(end)),
  )
}

/** The ports tell that the one of the first row answers in it. */
function askedLast(rows: readonly Row[], one: string): boolean {
  const turned = rows.map(({ left, right }) =>
    left.value === one ? { left, right } : { left: right, right: left },
  )
  return askedFirst(turned) === false
}

// Tells the two sides of an attack apart where no word does: in rows of two addresses, and where
// one of several belongs to the tenant.

import type { TenantNetworks } from '../../tenant-networks.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { type Candidate, type Reason, type Role, STRONG } from './candidate.ts'

const SIDE = 40
const AGAINST = -60
const OWN = 25
const NOT_OWN = -40

/** The same candidates in the same order, with what the rows and the tenant's networks tell. */
export function weighSides(
  candidates: readonly Candidate[],
  networks: TenantNetworks,
): readonly Candidate[] {
  const sides = decideRows(candidates, networks)
  const weighed = sides.size === 0 ? candidates : candidates.map((each) => takeSide(each, sides))
  return preferOwn(weighed, networks)
}

type Sides = ReadonlyMap<string, { readonly role: 'source' | 'target'; readonly why: string }>

function takeSide(candidate: Candidate, sides: Sides): Candidate {
  const side = sides.get(candidate.value)
  if (side === undefined || candidate.kind !== 'ip' || isStatedElsewhere(candidate)) {
    return candidate
  }
  const points = side.role === 'source' ? SIDE : AGAINST
  // The heading of the rows said the same of both sides.
  const reasons = side.role === 'source' ? candidate.reasons : []
  return withReason({ ...candidate, reasons }, side.role, {
    points,
    why: side.why,
    rule: 'side-of-rows',
  })
}

function withReason(candidate: Candidate, role: Role, reason: Reason): Candidate {
  const reasons = [...candidate.reasons, reason]
  const score = reasons.reduce((sum, { points }) => sum + points, 0)
  return { ...candidate, role, reasons, score }
}

/** Named by words of its own: not by the heading of the rows, which is about both sides. */
function isStatedElsewhere({ best, role, score }: Candidate): boolean {
  return role !== 'unnamed' && Math.abs(score) >= STRONG && !isBare(best)
}

/** Nothing but its place in the line says what it is. */
function isBare({ labels, direction, context, isNamed }: Occurrence): boolean {
  return labels.length === 0 && direction === null && context !== 'table' && !isNamed
}

export interface Row {
  readonly left: Occurrence
  readonly right: Occurrence
}

const ROWS_MAX = 5_000

function decideRows(candidates: readonly Candidate[], networks: TenantNetworks): Sides {
  const known = new Map(candidates.map((each) => [each.value, each]))
  const sides = new Map<string, { role: 'source' | 'target'; why: string }>()
  for (const rows of listRowsOfOneForm(candidates).values()) {
    const decided = decideSource(rows, known, networks)
    if (decided === null) continue
    const { isLeft, why } = decided
    for (const row of rows) {
      const [source, target] = isLeft(row) ? [row.left, row.right] : [row.right, row.left]
      sides.set(source.value, { role: 'source', why })
      // What is the source of some rows is not the target of others.
      if (sides.get(target.value)?.role !== 'source') {
        sides.set(target.value, { role: 'target', why: `the other side of it: ${why}` })
      }
    }
  }
  return sides
}

/** Lines that hold two bare addresses and nothing else that could be meant, by their form. */
function listRowsOfOneForm(candidates: readonly Candidate[]): ReadonlyMap<string, readonly Row[]> {
  const byLine = new Map<number, Occurrence[]>()
  for (const { kind, occurrences } of candidates) {
    if (kind !== 'ip') continue
    for (const occurrence of occurrences) {
      const { line } = occurrence
      const known = byLine.get(line.index)
      if (known !== undefined) known.push(occurrence)
      else if (byLine.size < ROWS_MAX) byLine.set(line.index, [occurrence])
    }
  }
  const rows = new Map<string, Row[]>()
  for (const found of byLine.values()) {
    const [left, right] = found.toSorted((a, b) => a.column - b.column)
    if (left === undefined || right === undefined || found.length !== 2) continue
    if (!isRowOf(left, right)) continue
    const key = `${left.group} ${right.group}`
    const known = rows.get(key)
    if (known === undefined) rows.set(key, [{ left, right }])
    else known.push({ left, right })
  }
  return rows
}

// A sentence may name two addresses; between the cells of a row there are no words.
function isRowOf(left: Occurrence, right: Occurrence): boolean {
  if (left.value === right.value || left.line.kind === 'subject') return false
  if (!isBare(left) || !isBare(right)) return false
  const between = left.line.clean.slice(left.end, right.column)
  return !/\p{L}{4,}|\p{L}{2,}\s\p{L}{2,}/u.test(between) && /[\s,;|]/.test(between)
}

interface Decision {
  /** Whether the left address of a row is the source. */
  readonly isLeft: (row: Row) => boolean
  readonly why: string
}

const LEFT = (): boolean => true
const RIGHT = (): boolean => false

/** Which of the two addresses of each row is the source; null where nothing tells. */
function decideSource(
  rows: readonly Row[],
  known: ReadonlyMap<string, Candidate>,
  networks: TenantNetworks,
): Decision | null {
  const left = new Set(rows.map((row) => row.left.value))
  const right = new Set(rows.map((row) => row.right.value))
  const isLeftOwn = [...left].every((ip) => networks.hasAddress(ip))
  const isRightOwn = [...right].every((ip) => networks.hasAddress(ip))
  if (isLeftOwn !== isRightOwn) {
    const why = 'in rows of two addresses the one of your networks'
    return { isLeft: isLeftOwn ? LEFT : RIGHT, why }
  }
  return (
    decideByName(left, right, known) ?? decideByPorts(rows) ?? decideByVariety(rows, left, right)
  )
}

/** One side is named elsewhere: in the subject, as a source or as a target. */
function decideByName(
  left: ReadonlySet<string>,
  right: ReadonlySet<string>,
  known: ReadonlyMap<string, Candidate>,
): Decision | null {
  const [leftName, rightName] = [left, right].map((side) => nameOf(side, known))
  if (leftName === rightName) return null
  if (leftName === 'source' || rightName === 'target') {
    return { isLeft: LEFT, why: 'in rows of two addresses the one that is named' }
  }
  if (rightName === 'source' || leftName === 'target') {
    return { isLeft: RIGHT, why: 'in rows of two addresses the one that is named' }
  }
  return null
}

function nameOf(
  side: ReadonlySet<string>,
  known: ReadonlyMap<string, Candidate>,
): 'source' | 'target' | null {
  const candidates = [...side].slice(0, 20).map((value) => known.get(value))
  if (candidates.some((each) => each !== undefined && isStatedAs(each, 'target'))) return 'target'
  const isNamed = candidates.some(
    (each) =>
      each !== undefined &&
      (isStatedAs(each, 'source') || each.occurrences.some(({ context }) => context === 'subject')),
  )
  return isNamed ? 'source' : null
}

function isStatedAs(candidate: Candidate, role: Role): boolean {
  return candidate.role === role && isStatedElsewhere(candidate)
}

// Services beyond the ports of the system that logs of attacks name most.
const SERVICES = new Set(
  [
    1080, 1433, 1521, 2222, 2323, 3128, 3306, 3389, 5060, 5432, 5555, 5900, 6379, 7547, 8000, 8080,
  ].concat([8443, 8888, 9200, 11_211, 27_017, 28_015]),
)
// An amplifier floods its victim with answers: there the service has the port of the source.
const AMPLIFIERS = new Set([17, 19, 53, 69, 111, 123, 137, 161, 389, 1900, 3702, 5353, 11_211])

/** A client asks from any port, and the service that is asked has a known one. */
function decideByPorts(rows: readonly Row[]): Decision | null {
  const isLeft = askedFirst(rows)
  const why = 'in rows of two addresses the one that asked for a service'
  return isLeft === null ? null : { isLeft: isLeft ? LEFT : RIGHT, why }
}

/** Whether the left one asked the right one for a service; null when the ports do not tell. */
export function askedFirst(rows: readonly Row[]): boolean | null {
  const kinds = rows.map(({ left, right }) => [kindOf(portOf(left)), kindOf(portOf(right))])
  if (kinds.every(([left, right]) => left === 'any' && right === 'service')) return true
  return kinds.every(([left, right]) => left === 'service' && right === 'any') ? false : null
}

function kindOf(port: number | null): 'service' | 'any' | null {
  if (port === null || AMPLIFIERS.has(port)) return null
  return port < 1_024 || SERVICES.has(port) ? 'service' : 'any'
}

/** Behind the address with a colon, or in the next column. */
function portOf({ port, line, end }: Occurrence): number | null {
  if (port !== null) return port
  const next = /^[\s,;|"]{1,12}(\d{1,5})(?=[\s,;|"]|$)/.exec(line.clean.slice(end, end + 24))?.[1]
  const number = Number(next ?? 0)
  return number > 0 && number < 65_536 ? number : null
}

/** The attacker of many stands in every row; on either side, where answers are listed as well. */
function decideByVariety(
  rows: readonly Row[],
  left: ReadonlySet<string>,
  right: ReadonlySet<string>,
): Decision | null {
  const [first] = rows
  const everywhere = [first?.left.value, first?.right.value].filter((ip) =>
    rows.every((row) => row.left.value === ip || row.right.value === ip),
  )
  const [one, another] = everywhere
  if (one === undefined || another !== undefined || left.union(right).size < 3) return null
  const why = `it stands in each of ${rows.length} rows, and the address beside it varies`
  return { isLeft: (row) => row.left.value === one, why }
}

/** Of several that could be meant, those in the networks of the tenant are. */
function preferOwn(
  candidates: readonly Candidate[],
  networks: TenantNetworks,
): readonly Candidate[] {
  if (networks.isEmpty) return candidates
  const own = new Set(candidates.filter((each) => isOpen(each) && networks.hasAddress(each.value)))
  if (own.size === 0 || candidates.every((each) => own.has(each) || !isOpen(each))) {
    return candidates
  }
  return candidates.map((each) => {
    if (own.has(each)) {
      const why = 'in one of your networks'
      return withReason(each, each.role, { points: OWN, why, rule: 'own-network' })
    }
    const isDoubtful = isOpen(each) && !(each.role === 'source' && each.score >= STRONG)
    if (!isDoubtful) return each
    const why = 'in none of your networks, and another is'
    return withReason(each, each.role, { points: NOT_OWN, why, rule: 'not-own-network' })
  })
}

function isOpen({ kind, role }: Candidate): boolean {
  return kind === 'ip' && (role === 'unnamed' || role === 'source')
}

// A candidate for the subject of a complaint: an address, a link or a host, with its occurrences in
// the report, its role and its weight.

import type { Occurrence } from '../occurrences/occurrence.ts'

export type Role =
  | 'source'
  | 'reported url'
  | 'reported domain'
  | 'unnamed'
  | 'controller'
  | 'target'
  | 'infrastructure'
  | 'reporter'
  | 'recipient'
  | 'legitimate site'
  | 'evidence'
  | 'reference'

/** One piece of evidence for or against a candidate. */
export interface Reason {
  readonly points: number
  /** Part of a sentence: `named as the source`. */
  readonly why: string
  /** Its name, the same in every release (docs/reference/reading-rules.md). */
  readonly rule: string
  /** The words of the report that it goes by; left out where its place or form says it. */
  readonly words?: string
}

export interface RoleScore {
  readonly role: Role
  readonly reasons: readonly Reason[]
}

export interface Candidate extends RoleScore {
  readonly kind: Occurrence['kind']
  /** Canonical; of a range as written. */
  readonly value: string
  readonly score: number
  /** The occurrence with the most weight. */
  readonly best: Occurrence
  /** In reading order; at most `OCCURRENCES_KEPT`. */
  readonly occurrences: readonly Occurrence[]
  /** Groups of its occurrences. */
  readonly groups: ReadonlySet<string>
}

// A log names one attacker in every line; more occurrences than this add nothing.
const OCCURRENCES_KEPT = 500

/** From this weight on a candidate is reported, whatever the other candidates are. */
export const STRONG = 40

/** The host of a link is an address, of IPv6 without its brackets. */
export function isAddressHost(host: string): boolean {
  return /^[\d.]+$|:/.test(host)
}

function scoreOf(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, { points }) => sum + points, 0)
}

/**
 * One candidate for each value, in reading order. Evidence against it at one occurrence counts,
 * unless another occurrence names it strongly.
 */
export function collectCandidates(
  occurrences: readonly Occurrence[],
  keyOf: (occurrence: Occurrence) => string,
  classify: (occurrence: Occurrence) => RoleScore,
): readonly Candidate[] {
  const byValue = new Map<string, Occurrence[]>()
  for (const occurrence of occurrences) {
    const key = keyOf(occurrence)
    const known = byValue.get(key)
    if (known === undefined) byValue.set(key, [occurrence])
    else if (known.length < OCCURRENCES_KEPT) known.push(occurrence)
  }
  return [...byValue.values()].map((known) => {
    const scored = known.map((occurrence) => {
      const said = classify(occurrence)
      return { occurrence, ...said, score: scoreOf(said.reasons) }
    })
    const highest = scored.reduce((best, each) => (each.score > best.score ? each : best))
    const lowest = scored.reduce((worst, each) => (each.score < worst.score ? each : worst))
    const isOutweighed =
      highest.score < STRONG || (highest.role === 'unnamed' && isByStructure(lowest))
    const chosen = isOutweighed && lowest.score < 0 ? lowest : highest
    const { occurrence: best, role, reasons, score } = chosen
    return {
      kind: best.kind,
      value: best.kind === 'range' ? best.text : best.value,
      role,
      reasons,
      score,
      best,
      occurrences: known,
      groups: new Set(known.map(({ group }) => group)),
    }
  })
}

/** An arrow tells the target for certain, a mention in the subject does not tell a source. */
function isByStructure({ role, occurrence }: RoleScore & { occurrence: Occurrence }): boolean {
  return role === 'target' && occurrence.isPointed
}

/** The reason with the most weight; null when nothing speaks for or against it. */
export function findDecisive({ reasons }: Pick<Candidate, 'reasons'>): Reason | null {
  return reasons.reduce<Reason | null>(
    (most, each) => (most === null || weightOf(each) > weightOf(most) ? each : most),
    null,
  )
}

function weightOf({ points }: Reason): number {
  return Math.abs(points)
}

export function explain({ reasons, score }: Pick<Candidate, 'reasons' | 'score'>): string {
  const said = reasons.map(({ points, why }) => `${why} (${points > 0 ? '+' : ''}${points})`)
  return said.length === 0 ? 'Nothing speaks for it.' : `${said.join(', ')}: ${score} points.`
}

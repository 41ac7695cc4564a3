// What could be complained about: an address, a link or a host with all its places in the report,
// its role and how much speaks for it.

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

/** One thing that speaks for a candidate or against it. */
export interface Reason {
  readonly points: number
  /** Part of a sentence: `named as the source`. */
  readonly why: string
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
  /** Where it says most. */
  readonly best: Occurrence
  /** In reading order; at most `OCCURRENCES_KEPT`. */
  readonly occurrences: readonly Occurrence[]
  /** Groups of its occurrences. */
  readonly groups: ReadonlySet<string>
}

// A log of one attacker names it in every line; the places beyond these add nothing.
const OCCURRENCES_KEPT = 500

/** From here on a candidate is reported by what stands beside it, whatever the others are. */
export const STRONG = 40

function scoreOf(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, { points }) => sum + points, 0)
}

/**
 * One candidate for each value, in reading order. What is said against it at one place holds unless
 * another place names it strongly.
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
    const chosen = highest.score < STRONG && lowest.score < 0 ? lowest : highest
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

export function explain({ reasons, score }: Pick<Candidate, 'reasons' | 'score'>): string {
  const said = reasons.map(({ points, why }) => `${why} (${points > 0 ? '+' : ''}${points})`)
  return said.length === 0 ? 'Nothing speaks for it.' : `${said.join(', ')}: ${score} points.`
}

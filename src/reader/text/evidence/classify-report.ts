// Chooses the event type of a report by weighted evidence: words in many languages by their
// location, the structure of the report (logs, enclosed mails, hashes) and the name of its sender.
// The first words of the reporter count most; a repeated word counts little more.

import type { ReadableText } from '../../mail/mail.ts'
import type { MailReport } from '../../mail-format.ts'
import type { Finding } from '../../reading.ts'
import { isComplaint } from '../verdict/verdict-words.ts'
import type { BesideText } from './beside.ts'
import { findStructure } from './classify-structure.ts'
import { findSubtypes } from './classify-subtypes.ts'
import { DOUBT_SHARE } from './doubt.ts'
import { weighWords } from './weigh-words.ts'
import { valueOf, type Witness } from './witness.ts'

export interface ClassifyInput {
  readonly report: MailReport
  /** Already cut: without signature, disclaimer and quoted thread. */
  readonly texts: readonly ReadableText[]
  /** The reported URLs, refanged. */
  readonly urls: readonly string[]
  readonly hasEnclosedMail: boolean
  /** The ports the report names. */
  readonly ports: readonly number[]
  /** What stands beside the addresses and links that seem to be reported. */
  readonly beside: readonly BesideText[]
}

export interface Classification {
  /** A word of the vocabulary. */
  readonly eventType: string
  readonly eventSubtypes: readonly string[]
  readonly subtypeFindings: readonly Finding[]
  /** 0 to 1: the winner's lead over the next type; 0 without any evidence. */
  readonly margin: number
  /** The reasons with the most weight, sorted by weight. */
  readonly evidence: readonly Finding[]
}

// Below this only one or two weak words were found.
const SCORE_MIN = 2
const EVIDENCE_MAX = 12

/**
 * `MaliciousActivity` when it is a complaint of no known kind, `Unknown` when it is not even that.
 */
export function classifyReport(input: ClassifyInput): Classification {
  const structure = listStructure(input)
  const words = weighWords(input, { doubtShare: DOUBT_SHARE })
  const certain = weigh(words.witnesses, structure)
  // Words in doubt count in full where the certain ones name no kind of abuse: a careful reporter
  // writes nothing else.
  const isCertain = certain.ranked.some(([type, score]) => type !== GENERAL && score >= SCORE_MIN)
  const isFinal = isCertain || !words.isInDoubt
  const { witnesses, ranked } = isFinal
    ? certain
    : weigh(weighWords(input, { doubtShare: 1 }).witnesses, structure)
  const [best, next] = ranked
  const isDecided = best !== undefined && best[1] >= SCORE_MIN
  const eventType = isDecided ? best[0] : nameUndecided(input)
  const margin = isDecided ? Math.round((1 - (next?.[1] ?? 0) / best[1]) * 100) / 100 : 0
  const subtypes = findSubtypes(eventType, input)
  return {
    eventType,
    eventSubtypes: subtypes.slugs,
    subtypeFindings: subtypes.findings,
    margin,
    evidence: explain(
      witnesses,
      ranked.map(([type]) => type),
      eventType,
    ),
  }
}

function weigh(words: readonly Witness[], structure: readonly Witness[]) {
  const witnesses = [...words, ...structure]
  const ranked = [...addUp(witnesses)].toSorted((left, right) => right[1] - left[1])
  return { witnesses, ranked }
}

function nameUndecided({ texts }: ClassifyInput): string {
  return isComplaint(texts) ? 'MaliciousActivity' : 'Unknown'
}

function listStructure(input: ClassifyInput): readonly Witness[] {
  return findStructure(input).map(({ eventType, weight, what, part, line, excerpt }) => ({
    eventType,
    weight: part.startsWith('attachment') ? weight * 0.7 : weight,
    what,
    part,
    line,
    excerpt,
    count: 1,
  }))
}

// An attack of a known kind is an attack as well: the general words only decide where no others
// stand.
const GENERAL = 'MaliciousActivity'
const GENERAL_SHARE = 0.35

function addUp(witnesses: readonly Witness[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>()
  for (const witness of witnesses) {
    const share = witness.eventType === GENERAL ? GENERAL_SHARE : 1
    scores.set(witness.eventType, (scores.get(witness.eventType) ?? 0) + valueOf(witness) * share)
  }
  return scores
}

/** The witnesses of the winner first, then of the others in their order. */
function explain(
  witnesses: readonly Witness[],
  ranked: readonly string[],
  winner: string,
): readonly Finding[] {
  const order = new Map(ranked.map((eventType, index) => [eventType, index + 1]))
  return witnesses
    .toSorted(
      (left, right) =>
        (order.get(left.eventType) ?? 0) - (order.get(right.eventType) ?? 0) ||
        valueOf(right) - valueOf(left),
    )
    .slice(0, EVIDENCE_MAX)
    .map((witness) => ({
      field: '/event_type',
      value: witness.eventType,
      part: witness.part,
      line: witness.line,
      excerpt: witness.excerpt.slice(0, 200),
      role: null,
      rank: order.get(witness.eventType) ?? null,
      reason: reasonOf(witness, winner),
      ...ruleOf(witness),
    }))
}

/** A witness is a phrase in quotation marks, or a trait of the report's structure. */
function ruleOf({ what }: Witness): Pick<Finding, 'rule' | 'words'> {
  const words = /^"([^"]+)"/.exec(what)?.[1]
  return words === undefined ? { rule: 'type-structure' } : { rule: 'type-words', words }
}

function reasonOf(witness: Witness, winner: string): string {
  const { eventType, what, count } = witness
  const times = count === 1 ? '' : `, ${count} times,`
  const weight = valueOf(witness).toFixed(1)
  const outcome = eventType === winner ? '' : `; ${winner} has more`
  return `${what}${times} speaks for ${eventType} with ${weight}${outcome}.`
}

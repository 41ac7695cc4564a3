// Chooses the event type of a report by weighted evidence: words in many languages by their
// location, the structure of the report (logs, enclosed mails, hashes) and the name of its sender.
// The first words of the reporter count most; a repeated word counts little more.

import type { ReadableText } from '../../mail/mail.ts'
import type { MailReport } from '../../mail-format.ts'
import type { Finding } from '../../reading.ts'
import { compileMeaning, sourceOf } from '../../words/compile-words.ts'
import { foldText } from '../../words/fold-text.ts'
import { isComplaint } from '../verdict/verdict-words.ts'
import { findStructure } from './classify-structure.ts'
import { findSubtypes } from './classify-subtypes.ts'
import { findFoldedPhrases, type Phrase } from './evidence-words.ts'

export interface ClassifyInput {
  readonly report: MailReport
  /** Already cut: without signature, disclaimer and quoted thread. */
  readonly texts: readonly ReadableText[]
  /** The reported URLs, refanged. */
  readonly urls: readonly string[]
  readonly hasEnclosedMail: boolean
  /** The ports the report names. */
  readonly ports: readonly number[]
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

/** One piece of evidence: a phrase in one part of the report, or a trait of its structure. */
interface Witness {
  readonly eventType: string
  readonly what: string
  readonly weight: number
  readonly part: string
  readonly line: number | null
  readonly excerpt: string
  count: number
}

// Below this only one or two weak words were found.
const SCORE_MIN = 2
const EVIDENCE_MAX = 12

/**
 * `MaliciousActivity` when it is a complaint of no known kind, `Unknown` when it is not even that.
 */
export function classifyReport(input: ClassifyInput): Classification {
  const structure = listStructure(input)
  const words = listWords(input, POSSIBLE_SHARE)
  const certain = weigh(words, structure)
  // Who is careful says nothing else.
  const isCertain = (certain.ranked[0]?.[1] ?? 0) >= SCORE_MIN || !words.isHedged
  const { witnesses, ranked } = isCertain ? certain : weigh(listWords(input, 1), structure)
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

function weigh({ words }: FoundWords, structure: readonly Witness[]) {
  const witnesses = [...words, ...structure]
  const ranked = [...addUp(witnesses)].toSorted((left, right) => right[1] - left[1])
  return { witnesses, ranked }
}

function nameUndecided({ texts }: ClassifyInput): string {
  return isComplaint(texts) ? 'MaliciousActivity' : 'Unknown'
}

// The weight of a word by its location. A reported mail may advertise anything, so it counts least.
const LOCATION_WEIGHTS = {
  subject: 3,
  opening: 2,
  body: 1,
  attachment: 0.5,
  enclosed: 0.1,
} as const
// The first paragraphs say what it is about.
const OPENING_LENGTH = 1_200
// The rest of a long mail repeats it; a log in it is read by its build.
const TEXT_LENGTH_MAX = 40_000
const LINE_LENGTH_MAX = 2_000

interface FoundWords {
  readonly words: readonly Witness[]
  /** Some of them say what could be. */
  readonly isHedged: boolean
}

function listWords(input: ClassifyInput, hedgedShare: number): FoundWords {
  const witnesses: Witnesses = new Map()
  let isHedged = false
  for (const text of input.texts) {
    isHedged = readText(text, witnesses, hedgedShare) || isHedged
  }
  const { reporter, mail } = input.report
  const names = [
    reporter?.contact,
    reporter?.org,
    ...mail.from.map(({ displayName }) => displayName),
  ]
  const sender = names.map((name) => (name ?? '').replaceAll(/[@._-]+/g, ' ')).join(' | ')
  readLine(sender, { part: 'header From', line: null, weight: 1 }, witnesses)
  return { words: [...witnesses.values()].flatMap((each) => [...each.values()]), isHedged }
}

/**
 * By the part and the weight of the place, then by the phrase: built of such keys one string for
 * each phrase of a log costs more than all else.
 */
type Witnesses = Map<string, Map<Phrase, Witness>>

/** Whether anything is said that could be. */
function readText(
  { part, kind, lines }: ReadableText,
  witnesses: Witnesses,
  hedgedShare: number,
): boolean {
  let length = 0
  let isHedged = false
  for (const [index, line] of lines.entries()) {
    if (length > TEXT_LENGTH_MAX) break
    const location = kind === 'body' && length < OPENING_LENGTH ? 'opening' : kind
    length += line.length
    const at = { part, line: index + 1, weight: LOCATION_WEIGHTS[location] }
    const bare = kind === 'subject' ? readSubject(line, at, witnesses) : line
    const plain = bare.replaceAll(BRACKET, dropList)
    const [from, to] = findPossibility(lines[index - 1] ?? '', plain)
    const certain = `${plain.slice(0, from)} ${plain.slice(to)}`
    for (const piece of splitCatalogue(certain)) readLine(piece, at, witnesses)
    if (from === to) continue
    isHedged = true
    readLine(plain.slice(from, to), { ...at, weight: at.weight * hedgedShare }, witnesses)
  }
  return isHedged
}

// `[port-scan]`: a machine sorted the report, and does so in each mail alike.
const TAG = /\[([a-z]{2,20}(?:[-_][a-z]{2,20}){1,4})\]/g
const TAG_WEIGHT = 8

function readSubject(line: string, at: Location, witnesses: Witnesses): string {
  for (const [, name = ''] of line.matchAll(TAG)) {
    readLine(name.replaceAll(/[-_]/g, ' '), { ...at, weight: at.weight * TAG_WEIGHT }, witnesses)
  }
  return stripMarks(line)
}

// `(spam/phishing/malware)`: three kinds in one bracket are a choice that nobody made.
const BRACKET = /[[(][^\][()]{5,80}[\])]/g
const KINDS_MIN = 3

function dropList(bracket: string): string {
  return bracket.split(/[/|,]/).length < KINDS_MIN ? bracket : ' '
}

const WRITTEN = { text: 'as written' } as const

// `An open resolver can be abused for attacks` reports the resolver and no attack.
const POSSIBLE_SHARE = 0.1
const POSSIBLE = new RegExp(
  `(?<!\\p{L})(?:${sourceOf('possible.can', WRITTEN)} (?:[^.;:]{0,80} )?${sourceOf('possible.used', WRITTEN)}|${sourceOf('possible.hedge', WRITTEN)})(?!\\p{L})`,
  'iu',
)
const POSSIBLE_LENGTH_MAX = 100

/**
 * The part of a line that says what could be, perhaps on from the line before, up to the end of its
 * sentence; else nothing at its end.
 */
function findPossibility(before: string, line: string): readonly [number, number] {
  if (line.length > 4 * POSSIBLE_LENGTH_MAX) return [line.length, line.length]
  const tail = before.slice(-POSSIBLE_LENGTH_MAX)
  const match = POSSIBLE.exec(`${tail} ${line}`)
  if (match === null) return [line.length, line.length]
  const from = Math.max(0, match.index - tail.length - 1)
  const end = line.slice(from).search(/[.;!?](?:\s|$)/)
  // A sentence that ended in the line before is not of this one.
  const isOver = match.index < tail.length && /[.;!?]\s*$/.test(tail)
  return isOver ? [line.length, line.length] : [from, end === -1 ? line.length : from + end]
}

interface Location {
  readonly part: string
  readonly line: number | null
  readonly weight: number
}

function readLine(fullLine: string, location: Location, witnesses: Witnesses): void {
  const line = withoutLinks(fullLine.slice(0, LINE_LENGTH_MAX))
  const folded = foldText(line)
  const phrases = findFoldedPhrases(folded)
  if (phrases.length === 0) return
  const doubt = isCatalogue(line, phrases) ? 0.1 : doubtOf(folded)
  const key = `${location.weight} ${location.part}`
  const known = witnesses.get(key) ?? new Map<Phrase, Witness>()
  witnesses.set(key, known)
  for (const phrase of phrases) {
    const witness = known.get(phrase)
    if (witness === undefined) {
      const { eventType, text, weight } = phrase
      const what = `"${text.replaceAll('*', '…')}"`
      const total = weight * location.weight * doubt
      known.set(phrase, {
        eventType,
        what,
        ...location,
        weight: total,
        excerpt: fullLine,
        count: 1,
      })
    } else {
      witness.count += 1
    }
  }
}

// Whoever names four kinds in a row tells what he reports in general, not what happened.
const CATALOGUE_MIN = 4

/** The sentences of a line that may hold a catalogue beside what happened. */
function splitCatalogue(line: string): readonly string[] {
  if (line.split(',').length < CATALOGUE_MIN) return [line]
  return line.split(/(?<=[\p{L}\d][.!?])\s+(?=\p{L})/u)
}

function isCatalogue(line: string, phrases: readonly Phrase[]): boolean {
  if (phrases.length < CATALOGUE_MIN || line.split(/[,/|]/).length < CATALOGUE_MIN) return false
  const named = phrases.filter(({ weight, eventType }) => weight > 1 && eventType !== GENERAL)
  return new Set(named.map(({ eventType }) => eventType)).size >= CATALOGUE_MIN
}

// Words in links and addresses are names of hosts and pages.
function withoutLinks(line: string): string {
  if (!line.includes('://') && !line.includes('@')) return line
  const words = line.split(/[\s"]/)
  return words.map((word) => (word.includes('://') || word.includes('@') ? ' ' : word)).join(' ')
}

// Prefixes that mail programs and filters add to a subject.
const MARKS = new RegExp(
  `^(?:\\s{0,4}${sourceOf('subject.mark', WRITTEN)}\\s?:|\\s{0,4}[[{(*]{1,5}\\s?(?:${sourceOf('subject.filter-mark', WRITTEN)} )?(?:spam|junk|extern\\w{0,4}|ext)[^\\])}*]{0,20}[\\])}*]{1,5})`,
  'gi',
)

function stripMarks(subject: string): string {
  return subject.replaceAll(MARKS, ' ')
}

// Advice and footers name kinds of abuse that the report is not about.
const BOILERPLATE = compileMeaning('boilerplate')

const NEGATION = new RegExp(
  `${sourceOf('negation', { start: 'word' })}\\s(?:\\S{1,12}\\s)?${sourceOf('negation.of')}`,
  'u',
)

/** 1 for a plain line, less for a line with a negation or advice; of its folded text. */
function doubtOf(text: string): number {
  if (BOILERPLATE.test(text)) return 0.1
  return NEGATION.test(text) ? 0.2 : 1
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
const GENERAL_SHARE = 0.4

function addUp(witnesses: readonly Witness[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>()
  for (const witness of witnesses) {
    const share = witness.eventType === GENERAL ? GENERAL_SHARE : 1
    scores.set(witness.eventType, (scores.get(witness.eventType) ?? 0) + valueOf(witness) * share)
  }
  return scores
}

// The tenth time a word stands in one part says little more than the second: 1, 1.3, 1.5, 1.7 … up
// to 2.
function valueOf({ weight, count }: Witness): number {
  return weight * Math.min(2, 1 + 0.45 * Math.log(count))
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
  const words = /^"([^"]+)"$/.exec(what)?.[1]
  return words === undefined ? { rule: 'type-structure' } : { rule: 'type-words', words }
}

function reasonOf(witness: Witness, winner: string): string {
  const { eventType, what, count } = witness
  const times = count === 1 ? '' : `, ${count} times,`
  const weight = valueOf(witness).toFixed(1)
  const outcome = eventType === winner ? '' : `; ${winner} has more`
  return `${what}${times} speaks for ${eventType} with ${weight}${outcome}.`
}

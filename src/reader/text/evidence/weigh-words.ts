// Weighs the words of a report by their place: beside what is reported, in the subject, in the
// first paragraph, in the rest. Fields and tags that name the kind weigh more than any sentence;
// what is in doubt, advice or a list of kinds weighs a tenth.

import type { ReadableText } from '../../mail/mail.ts'
import { sourceOf } from '../../words/compile-words.ts'
import type { ClassifyInput } from './classify-report.ts'
import { DOUBT_SHARE, type Doubt, findDoubt, splitSentences, tailOf } from './doubt.ts'
import { findPhrases, type Phrase } from './evidence-words.ts'
import { listKindFields, listTags, withoutChoices, wordsOf } from './kind-fields.ts'
import { isNegated } from './negation.ts'
import type { Witness } from './witness.ts'

// The weight of a word by its location. A reported mail may advertise anything, so it counts least.
const LOCATION_WEIGHTS = {
  subject: 3,
  opening: 2,
  body: 1,
  attachment: 0.5,
  enclosed: 0.1,
} as const
// On top of what the location gives.
const BESIDE_WEIGHT = 3
// A tag or a field decides alone.
const TAG_WEIGHT = 24
const FIELD_WEIGHT = 12
const LOOSE_FIELD_WEIGHT = 3
// The first paragraphs say what it is about.
const OPENING_LENGTH = 1_200
// The rest of a long mail repeats it; a log in it is read by its build.
const TEXT_LENGTH_MAX = 40_000
const LINE_LENGTH_MAX = 2_000

/** By how much words weigh that are in doubt; 1 where nothing else is said. */
export interface WordRules {
  readonly doubtShare: number
}

export interface WeighedWords {
  readonly witnesses: readonly Witness[]
  /** Some of them are in doubt. */
  readonly isInDoubt: boolean
}

export function weighWords(input: ClassifyInput, rules: WordRules): WeighedWords {
  const reader = new WordReader(rules)
  for (const text of input.texts) reader.readText(text)
  for (const { part, line, text } of input.beside) {
    const at = { part, line, weight: BESIDE_WEIGHT, how: ' beside what is reported' }
    reader.readLine('', text, at)
  }
  const { reporter, mail } = input.report
  const names = [
    reporter?.contact,
    reporter?.org,
    ...mail.from.map(({ displayName }) => displayName),
  ]
  const sender = names.map((name) => (name ?? '').replaceAll(/[@._-]+/g, ' ')).join(' | ')
  reader.readLine('', sender, { part: 'header From', line: null, weight: 1, how: '' })
  return { witnesses: reader.listWitnesses(), isInDoubt: reader.isInDoubt }
}

interface Place {
  readonly part: string
  readonly line: number | null
  readonly weight: number
  /** For a person, behind the phrase; '' for a plain sentence. */
  readonly how: string
}

class WordReader {
  isInDoubt = false
  readonly #rules: WordRules
  /**
   * By the part, the weight and the way of the place, then by the phrase: built of such keys one
   * string for each phrase of a log costs more than all else.
   */
  readonly #witnesses = new Map<string, Map<Phrase, Witness>>()

  constructor(rules: WordRules) {
    this.#rules = rules
  }

  listWitnesses(): readonly Witness[] {
    return [...this.#witnesses.values()].flatMap((each) => [...each.values()])
  }

  readText({ part, kind, lines }: ReadableText): void {
    let length = 0
    let tail = ''
    let listDoubt: Doubt | null = null
    for (const [index, line] of lines.entries()) {
      if (length > TEXT_LENGTH_MAX) break
      const location = kind === 'body' && length < OPENING_LENGTH ? 'opening' : kind
      length += line.length
      const at = { part, line: index + 1, weight: LOCATION_WEIGHTS[location], how: '' }
      if (kind === 'subject' || index < TAGGED_LINES) this.#readTags(line, at)
      const bare = withoutChoices(kind === 'subject' ? stripMarks(line) : line)
      if (listDoubt !== null && !BULLET.test(bare)) listDoubt = null
      if (listDoubt === null) this.readLine(tail, bare, at)
      else this.#addSome(bare, findIn(bare), this.#inDoubt(at, listDoubt))
      if (bare.trimEnd().endsWith(':')) listDoubt = findDoubt(tail, bare)
      tail = tailOf(bare)
    }
    if (kind !== 'subject' && kind !== 'enclosed') this.#readFields(part, lines)
  }

  /** `before`: what the line before holds of its first sentence. */
  readLine(before: string, line: string, at: Place): void {
    const phrases = findIn(line)
    if (phrases.length === 0) return
    const sentences = splitSentences(line.slice(0, LINE_LENGTH_MAX))
    for (const [index, sentence] of sentences.entries()) {
      const own = sentences.length === 1 ? phrases : findIn(sentence)
      if (own.length > 0) this.#readSentence(index === 0 ? before : '', sentence, own, at)
    }
  }

  #readSentence(before: string, sentence: string, phrases: readonly Phrase[], at: Place): void {
    if (isCatalogue(sentence, phrases)) {
      this.#addSome(sentence, phrases, this.#inDoubt(at, CATALOGUE))
      return
    }
    const doubt = findDoubt(before, sentence)
    if (doubt === null) {
      const weight = isNegated(sentence) ? at.weight * NEGATED_SHARE : at.weight
      this.#addSome(sentence, phrases, { ...at, weight })
      return
    }
    const inDoubt = this.#inDoubt(at, doubt)
    if (doubt.from === 0 && doubt.to >= sentence.length) {
      this.#addSome(sentence, phrases, inDoubt)
      return
    }
    const certain = `${sentence.slice(0, doubt.from)} ${sentence.slice(doubt.to)}`
    this.#addSome(sentence, findIn(certain), at)
    this.#addSome(sentence, findIn(sentence.slice(doubt.from, doubt.to)), inDoubt)
  }

  #inDoubt(at: Place, { how, isLasting }: Pick<Doubt, 'how' | 'isLasting'>): Place {
    if (isLasting !== true) this.isInDoubt = true
    const share = isLasting === true ? DOUBT_SHARE : this.#rules.doubtShare
    return { ...at, weight: at.weight * share, how: `${at.how}, ${how},` }
  }

  #readTags(line: string, at: Place): void {
    for (const tag of listTags(line)) {
      const how = ` in the tag [${tag}]`
      this.#addSome(line, findIn(wordsOf(tag)), { ...at, weight: TAG_WEIGHT, how })
    }
  }

  #readFields(part: string, lines: readonly string[]): void {
    for (const { label, value, at, isLoose } of listKindFields(lines)) {
      const phrases = findIn(wordsOf(value))
      const types = new Set(phrases.map(({ eventType }) => eventType))
      // A field that offers every kind was not filled in.
      if (types.size > FIELD_TYPES_MAX) continue
      const how = ` as the value of “${label.slice(0, 40)}”`
      const weight = isLoose ? LOOSE_FIELD_WEIGHT : FIELD_WEIGHT
      const place = { part, line: at + 1, weight, how }
      // `Spam trap hits` says one thing, in whatever many words.
      const told = Map.groupBy(phrases, ({ eventType }) => eventType)
      const first = [...told.values()].flatMap((same) => same.toSorted(byWeight).slice(0, 1))
      this.#addSome(lines[at] ?? value, first, place)
    }
  }

  #addSome(excerpt: string, phrases: readonly Phrase[], { part, line, weight, how }: Place): void {
    if (phrases.length === 0) return
    const key = `${weight} ${part}${how}`
    const known = this.#witnesses.get(key) ?? new Map<Phrase, Witness>()
    this.#witnesses.set(key, known)
    for (const phrase of phrases) {
      const witness = known.get(phrase)
      if (witness === undefined) {
        const { eventType, text } = phrase
        const what = `"${text.replaceAll('*', '…')}"${how}`
        const total = phrase.weight * weight
        known.set(phrase, { eventType, what, part, line, weight: total, excerpt, count: 1 })
      } else {
        witness.count += 1
      }
    }
  }
}

// A machine puts its tag at the top.
const TAGGED_LINES = 3
// `Hacking / brute force` names two.
const FIELD_TYPES_MAX = 3
const CATALOGUE = { how: 'in a list of kinds', isLasting: true } as const
const BULLET = /^[\s>]{0,8}(?:[-*•·–o]|\d{1,2}[.)])\s/
const NEGATED_SHARE = 0.2

function byWeight(left: Phrase, right: Phrase): number {
  return right.weight - left.weight
}

function findIn(line: string): readonly Phrase[] {
  return findPhrases(withoutLinks(line.slice(0, LINE_LENGTH_MAX)))
}

// Whoever names four kinds in a row tells what he reports in general, not what happened.
const CATALOGUE_MIN = 4

function isCatalogue(sentence: string, phrases: readonly Phrase[]): boolean {
  if (phrases.length < CATALOGUE_MIN || sentence.split(/[,/|]/).length < CATALOGUE_MIN) return false
  const named = phrases.filter(({ weight, eventType }) => weight > 1 && eventType !== GENERAL)
  return new Set(named.map(({ eventType }) => eventType)).size >= CATALOGUE_MIN
}

const GENERAL = 'MaliciousActivity'

// Words in links and addresses are names of hosts and pages.
function withoutLinks(line: string): string {
  if (!line.includes('://') && !line.includes('@')) return line
  const words = line.split(/[\s"]/)
  return words.map((word) => (word.includes('://') || word.includes('@') ? ' ' : word)).join(' ')
}

const WRITTEN = { text: 'as written' } as const

// Prefixes that mail programs and filters add to a subject.
const MARKS = new RegExp(
  `^(?:\\s{0,4}${sourceOf('subject.mark', WRITTEN)}\\s?:|\\s{0,4}[[{(*]{1,5}\\s?(?:${sourceOf('subject.filter-mark', WRITTEN)} )?(?:spam|junk|extern\\w{0,4}|ext)[^\\])}*]{0,20}[\\])}*]{1,5})`,
  'gi',
)

function stripMarks(subject: string): string {
  return subject.replaceAll(MARKS, ' ')
}

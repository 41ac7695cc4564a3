// Finds the words in a line that speak for an event type (words/, meanings `evidence.…` and
// `saying.…`). `*` stands for any ending of a word; accents and capitals do not matter.

import { listMeanings, listPhrases } from '../../words/compile-words.ts'
import { foldText } from '../../words/fold-text.ts'

export interface Phrase {
  readonly eventType: string
  /** As it stands in the tables, folded. */
  readonly text: string
  readonly weight: number
}

/**
 * The meanings `evidence.<type>.<strength>` hold the names of a kind of abuse; `saying.…` how
 * people tell of it who know no names for it (`keeps trying to log in`).
 */
export const EVIDENCE = [...listMeanings('evidence.'), ...listMeanings('saying.')]

// A strong word names the abuse itself (`port scan`), a plain word usually means it (`scanning`), a
// hint goes with it (`firewall`). One strong word outweighs a plain one of another type, and three
// hints make no decision.
const WEIGHTS = { strong: 5, plain: 2, hint: 0.5 } as const

interface IndexedPhrase extends Phrase {
  /** What stands before the first star, and after each further one. */
  readonly first: string
  readonly rest: readonly string[]
  readonly isOpen: boolean
  /** Of all pieces, with their stars. */
  readonly length: number
  /**
   * Codes of two characters behind the key, 0 where `first` is shorter: most phrases of a key are
   * told apart by them.
   */
  readonly fourth: number
  readonly fifth: number
}

/**
 * Phrases by the number of their first three characters, or two where words are not set apart by
 * spaces.
 */
const phrases = buildIndex()

// Whether any phrase has such a key; most words are told by this alone.
const BEGINNINGS_MASK = 2 ** 16 - 1
const BEGINNINGS = new Uint8Array(BEGINNINGS_MASK + 1)
for (const key of phrases.keys()) BEGINNINGS[key & BEGINNINGS_MASK] = 1

/**
 * The phrases of a line, each as often as it stands there; the longest where several begin at one
 * place.
 */
export function findPhrases(line: string): readonly Phrase[] {
  return findFoldedPhrases(foldText(line))
}

/** The same of text that is folded already. */
function findFoldedPhrases(text: string): readonly Phrase[] {
  const found: Phrase[] = []
  let isInWord = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const wasInWord = isInWord
    isInWord = isWordCode(code)
    if (isInWord && wasInWord) continue
    const isUnspaced = isUnspacedCode(code)
    if (!isUnspaced && !isInWord) continue
    const key = keyAt(text, at, isUnspaced)
    if (BEGINNINGS[key & BEGINNINGS_MASK] === 0) continue
    const starting = phrases.get(key)
    if (starting !== undefined) addMatching(found, text, at, starting, isUnspaced)
  }
  return found
}

function addMatching(
  found: Phrase[],
  text: string,
  at: number,
  starting: readonly IndexedPhrase[],
  isUnspaced: boolean,
): void {
  let matching: IndexedPhrase[] | null = null
  const [fourth, fifth] = [text.charCodeAt(at + 3), text.charCodeAt(at + 4)]
  for (const phrase of starting) {
    if (phrase.fourth !== fourth && phrase.fourth !== 0) continue
    if (phrase.fifth !== fifth && phrase.fifth !== 0) continue
    if (!text.startsWith(phrase.first, at) || !isAt(text, at, phrase, isUnspaced)) continue
    if (matching === null) matching = [phrase]
    else matching.push(phrase)
  }
  if (matching !== null) found.push(...longestOfEach(matching))
}

// Several beginnings may share a number: isAt compares the whole. A number is found faster than a
// string cut out of the line.
function keyAt(text: string, at: number, isUnspaced: boolean): number {
  const two = text.charCodeAt(at) * 961 + (text.charCodeAt(at + 1) || 0) * 31
  return isUnspaced ? two : two + (text.charCodeAt(at + 2) || 0)
}

function buildIndex(): ReadonlyMap<number, readonly IndexedPhrase[]> {
  const index = new Map<number, IndexedPhrase[]>()
  for (const meaning of EVIDENCE) {
    const [, eventType = '', strength = ''] = meaning.split('.')
    if (!isStrength(strength)) throw new Error(`no strength of evidence: ${meaning}`)
    for (const written of listPhrases(meaning)) {
      const text = foldText(written)
      const isUnspaced = isUnspacedCode(text.charCodeAt(0))
      const key = keyAt(text, 0, isUnspaced)
      const phrase = { eventType, text, weight: WEIGHTS[strength], ...splitStem(text) }
      index.set(key, [...(index.get(key) ?? []), phrase])
    }
  }
  return index
}

function isStrength(text: string): text is keyof typeof WEIGHTS {
  return Object.hasOwn(WEIGHTS, text)
}

// `malicious* software*` is matched by its pieces; only the last star matters to where it ends.
function splitStem(text: string): Omit<IndexedPhrase, keyof Phrase> {
  const isOpen = text.endsWith('*')
  const stem = isOpen ? text.slice(0, -1) : text
  const [first = '', ...rest] = stem.split('*')
  const [fourth, fifth] = [first.charCodeAt(3) || 0, first.charCodeAt(4) || 0]
  return { first, rest, isOpen, length: stem.length, fourth, fifth }
}

/** The first piece stands there already. */
function isAt(
  text: string,
  at: number,
  { first, rest, isOpen }: IndexedPhrase,
  isUnspaced: boolean,
): boolean {
  let end = at + first.length
  for (const piece of rest) {
    end = skipWord(text, end)
    if (!text.startsWith(piece, end)) return false
    end += piece.length
  }
  return isOpen || isUnspaced || !isWordCode(text.charCodeAt(end))
}

// No word has more letters than this.
const WORD_LENGTH_MAX = 40

function skipWord(text: string, from: number): number {
  let end = from
  while (end - from < WORD_LENGTH_MAX && isWordCode(text.charCodeAt(end))) end += 1
  return end
}

function longestOfEach(matching: readonly IndexedPhrase[]): readonly IndexedPhrase[] {
  if (matching.length < 2) return matching
  return matching.filter((phrase) => !matching.some((other) => isBetter(other, phrase)))
}

// `compromised website` says nothing of a server, as `compromised` alone does.
function isBetter(other: IndexedPhrase, phrase: IndexedPhrase): boolean {
  const isLonger = other.length > phrase.length
  if (other.eventType !== phrase.eventType) return isLonger && other.weight > phrase.weight
  return other.weight === phrase.weight ? isLonger : other.weight > phrase.weight
}

// Kana, Chinese characters, Hangul, Thai and Lao: a word may begin anywhere.
function isUnspacedCode(code: number): boolean {
  return (code >= 0x30_40 && code <= 0xd7_af) || (code >= 0x0e_01 && code <= 0x0e_fb)
}

// Letters and digits of the scripts with spaces; NaN, before the start and behind the end, is none.
function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0xc0 && code <= 0x5_2f && code !== 0xd7 && code !== 0xf7) ||
    (code >= 0x6_21 && code <= 0x6_4a)
  )
}

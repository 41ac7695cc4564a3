// Reads what the words around an address or a link say about it, by the words of all languages
// (words/, meanings `label.…`).

import { listPhrases, sourceOf } from '../../words/compile-words.ts'
import { listMatches } from '../lines/list-matches.ts'

// The labels; of two at one location the first in this order comes first. The last three are for
// links and hosts only.
const LABELS = [
  'source',
  'target',
  'controller',
  'infrastructure',
  'address',
  'reported',
  'legitimate',
  'evidence',
] as const
export type Label = (typeof LABELS)[number]

/** Phrases whose words say nothing: `for your reference`. */
const NOTHING = 'nothing'

export interface FoundLabel {
  readonly label: Label
  /** As written, in lower case. */
  readonly word: string
  readonly at: number
  readonly end: number
}

const NO_SPACES = /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af]/
const TOKEN = /[\p{L}\p{N}]+/gu

interface Phrase {
  readonly label: Label | typeof NOTHING
  /** In lower case; the last may be the beginning of a word. */
  readonly tokens: readonly string[]
  readonly isStem: boolean
}

/**
 * Phrases by their first word, or where that is a stem by its beginning, the shortest first; in
 * scripts without spaces by their first character.
 */
interface Index {
  readonly words: Map<string, Phrase[]>
  readonly stems: Map<string, Phrase[]>
  readonly characters: Map<string, Phrase[]>
}

// No stem is shorter; a longer beginning would miss words.
const BEGINNING_LENGTH = 3

const STEM_LENGTH_MAX = 16

// A thousand words as one pattern took 1.5 ms a label; looking words up takes some microseconds.
const INDEX = buildIndex()

function buildIndex(): Index {
  const index: Index = { words: new Map(), stems: new Map(), characters: new Map() }
  for (const label of [...LABELS, NOTHING] as const) {
    for (const word of listPhrases(`label.${label}`)) {
      const isStem = word.endsWith('*')
      const text = isStem ? word.slice(0, -1) : word
      const isUnspaced = NO_SPACES.test(text)
      const tokens = isUnspaced ? [text] : (text.match(TOKEN) ?? [])
      const [first = ''] = tokens
      const phrase = { label, tokens, isStem }
      if (isUnspaced) addTo(index.characters, text.slice(0, 1), phrase)
      else if (!isStem || tokens.length > 1) addTo(index.words, first, phrase)
      else if (first.length <= STEM_LENGTH_MAX) {
        addTo(index.stems, first.slice(0, BEGINNING_LENGTH), phrase)
      }
    }
  }
  for (const stems of index.stems.values()) {
    stems.sort((a, b) => (a.tokens[0] ?? '').length - (b.tokens[0] ?? '').length)
  }
  return index
}

function addTo(map: Map<string, Phrase[]>, key: string, phrase: Phrase): void {
  const phrases = map.get(key)
  if (phrases === undefined) map.set(key, [phrase])
  else phrases.push(phrase)
}

const WRITTEN = { text: 'as written' } as const

// `our external mail server`: whose it is tells the side, whatever stands between.
const OURS = sourceOf('whose.ours', WRITTEN)
const YOURS = sourceOf('whose.yours', WRITTEN)
const WHOSE = new RegExp(
  `(?<!\\p{L})(?:(${OURS})|${YOURS}) (?:[\\p{L}\\d/-]{1,20} ){0,3}(?:${sourceOf('whose.machine', WRITTEN)}|(${sourceOf('whose.site', WRITTEN)}))(?!\\p{L})`,
  'gu',
)

// The words that the pattern can begin with; most texts hold none of them, and most words are told
// by two characters.
const IS_WHOSE = new RegExp(`^(?:${OURS}|${YOURS})$`, 'u')
const WHOSE_BEGINNINGS = new Set(
  [...listPhrases('whose.ours'), ...listPhrases('whose.yours')].map((word) => word.slice(0, 2)),
)

function isWhose({ word }: Token): boolean {
  return WHOSE_BEGINNINGS.has(word.slice(0, 2)) && IS_WHOSE.test(word)
}

const CONTEXT_MAX = 160

/**
 * All labels in a piece of text (its last 160 characters), in order; one place may say two things.
 */
export function findLabels(text: string): readonly FoundLabel[] {
  const piece = text.slice(-CONTEXT_MAX).toLowerCase()
  const tokens = listTokens(piece)
  const all: Found[] = []
  for (let position = 0; position < tokens.length; position += 1) {
    findAt(all, piece, tokens, position)
  }
  const found = withoutMasked(all)
  if (NO_SPACES.test(piece)) found.push(...findUnspaced(piece))
  if (tokens.some(isWhose)) {
    for (const match of piece.matchAll(WHOSE)) {
      const [word, whose, site] = match
      const label = labelOf(whose !== undefined, site !== undefined)
      found.push({ label, word, at: match.index, end: match.index + word.length })
    }
  }
  return found.length < 2 ? found : found.toSorted((a, b) => a.at - b.at || a.end - b.end)
}

interface Found extends Omit<FoundLabel, 'label'> {
  readonly label: Phrase['label']
  readonly tokenCount: number
}

// `see` and `our` say what they say within most phrases of two words.
const MASKING_TOKENS = 3

/** A long phrase says more than the words in it. */
function withoutMasked(found: readonly Found[]): FoundLabel[] {
  const masks = found.filter(
    ({ label, tokenCount }) => label === NOTHING || tokenCount >= MASKING_TOKENS,
  )
  const kept: FoundLabel[] = []
  for (const { label, word, at, end } of found) {
    const isMasked = masks.some(
      (mask) => mask.at <= at && end <= mask.end && mask.end - mask.at > end - at,
    )
    if (label !== NOTHING && !isMasked) kept.push({ label, word, at, end })
  }
  return kept
}

interface Token {
  readonly word: string
  readonly at: number
}

function listTokens(piece: string): readonly Token[] {
  const tokens: Token[] = []
  // Where all is ASCII a loop finds the words in a third of the time of the pattern.
  if (!/[^ -~\t]/.test(piece)) {
    let from = -1
    for (let at = 0; at <= piece.length; at += 1) {
      const isInWord = isWordCode(piece.charCodeAt(at))
      if (isInWord && from === -1) from = at
      if (isInWord || from === -1) continue
      tokens.push({ word: piece.slice(from, at), at: from })
      from = -1
    }
    return tokens
  }
  for (const { 0: word, index: at } of listMatches(piece, TOKEN)) tokens.push({ word, at })
  return tokens
}

// Of lower case; NaN, behind the end, is none.
function isWordCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

// Whether any phrase begins with such three characters; most words are told by this alone. Several
// beginnings may share a number.
const BEGINNINGS = new Uint8Array(32 ** 3)
for (const word of [...INDEX.words.keys(), ...INDEX.stems.keys()]) {
  BEGINNINGS[beginningOf(word)] = 1
}

// NaN, behind the end of a short word, counts as 0.
function beginningOf(word: string): number {
  const [one, two, three] = [word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(2)]
  return ((one & 31) << 10) | ((two & 31) << 5) | (three & 31)
}

function findAt(found: Found[], piece: string, tokens: readonly Token[], position: number): void {
  const token = tokens[position]
  if (token === undefined) return
  const { word } = token
  if (BEGINNINGS[beginningOf(word)] === 0) return
  const known = INDEX.words.get(word)
  const stems = INDEX.stems.get(word.slice(0, BEGINNING_LENGTH))
  if (known === undefined && stems === undefined) return
  // The s of a genitive is no word: `Infringer's IP`.
  if (word.length === 1 && /['’]/.test(piece.charAt(token.at - 1))) return
  for (const phrase of known ?? []) {
    const last = tokens[position + phrase.tokens.length - 1]
    if (last === undefined || !isPhrase(piece, tokens, position, phrase)) continue
    const end = last.at + last.word.length
    const tokenCount = phrase.tokens.length
    found.push({
      label: phrase.label,
      word: piece.slice(token.at, end),
      at: token.at,
      end,
      tokenCount,
    })
  }
  for (const { label, tokens: wanted } of stems ?? []) {
    if (!word.startsWith(wanted[0] ?? '')) continue
    found.push({ label, word, at: token.at, end: token.at + word.length, tokenCount: 1 })
  }
}

function labelOf(isOurs: boolean, isSite: boolean): Label {
  if (isSite) return isOurs ? 'legitimate' : 'address'
  return isOurs ? 'target' : 'source'
}

function isPhrase(
  piece: string,
  tokens: readonly Token[],
  position: number,
  { tokens: wanted, isStem }: Phrase,
): boolean {
  for (let step = 1; step < wanted.length; step += 1) {
    const [before, token] = [tokens[position + step - 1], tokens[position + step]]
    const word = wanted[step] ?? ''
    if (before === undefined || token === undefined) return false
    const isEnding = isStem && step === wanted.length - 1
    if (isEnding ? !token.word.startsWith(word) : token.word !== word) return false
    const gap = piece.slice(before.at + before.word.length, token.at)
    if (gap.length > 3 || /[:;,.|=]/.test(gap)) return false
  }
  return true
}

function findUnspaced(piece: string): readonly FoundLabel[] {
  const found: FoundLabel[] = []
  for (let at = 0; at < piece.length; at += 1) {
    for (const { label, tokens } of INDEX.characters.get(piece.charAt(at)) ?? []) {
      const [word = ''] = tokens
      if (label !== NOTHING && piece.startsWith(word, at)) {
        found.push({ label, word, at, end: at + word.length })
      }
    }
  }
  return found
}

// Words before an address by which something came from it, or went to it; they count only directly
// before it.
const FROM_WORDS = sourceOf('direction.from', WRITTEN)
const TO_WORDS = sourceOf('direction.to', WRITTEN)
const NEAR = `:?\\s{1,3}(?:(?:${sourceOf('direction.near', WRITTEN)}|\\S{1,30}@\\S{1,30})[\\s:]{1,3}){0,4}[[("'<]{0,2}$`
const FROM = new RegExp(
  `(?<![\\p{L}\\p{N}])${FROM_WORDS}${NEAR}|${sourceOf('direction.from-unspaced', WRITTEN)}\\s?$`,
  'iu',
)
const TO = new RegExp(`(?<![\\p{L}\\p{N}])${TO_WORDS}${NEAR}`, 'iu')

/** `from` or `to` when such a word stands directly before the end of `text`. */
export function findDirection(text: string): 'from' | 'to' | null {
  const piece = text.slice(-100)
  if (FROM.test(piece)) return 'from'
  return TO.test(piece) ? 'to' : null
}

// In Chinese, Japanese and Korean a label may stand behind; elsewhere it is in brackets.
const BEHIND = /^[\s"'>\]]{0,3}[[(（]\s?([^()[\]）]{2,60})[\])）]/u
const BEHIND_UNSPACED = new RegExp(`^\\s?${sourceOf('direction.from-behind', WRITTEN)}`, 'u')

// `192.0.2.1 adresinden`, `192.0.2.1 sunucumuza`: languages that put it behind.
const FROM_BEHIND = new RegExp(
  `^['’]?\\s?${sourceOf('direction.from-behind-spaced', WRITTEN)}(?!\\p{L})`,
  'iu',
)
const OURS_BEHIND = new RegExp(`^\\s${sourceOf('whose.ours-behind', WRITTEN)}(?!\\p{L})`, 'iu')

// `198.51.100.1 (ours)`.
const IS_OURS = new RegExp(`^\\s?${sourceOf('whose.ours-alone', WRITTEN)}\\s?$`, 'iu')

// `from 192.0.2.1, our test host`: an apposition says whose it is and nothing else.
const APPOSITION = /^["')\]]?,\s{1,3}([^,.;:()[\]]{2,40})(?=[,.;)]|$)/u

// Behind a dash something is told of what was done as a rule; only whose it is counts.
const REMARK = /^ {1,3}[-–—] {1,3}([^()[\]|]{2,60})$/u

function isWhole({ label, word }: FoundLabel, text: string): boolean {
  return (label === 'target' || label === 'source') && word.length === text.trim().length
}

/** What the words behind say: `198.51.100.7 (our server)`. */
export function findLabelBehind(text: string): readonly FoundLabel[] {
  const piece = text.slice(0, 80)
  if (BEHIND_UNSPACED.test(piece)) return [{ label: 'source', word: 'から', at: 0, end: 2 }]
  const from = FROM_BEHIND.exec(piece)?.[0]
  if (from !== undefined) return [{ label: 'source', word: from.trim(), at: 0, end: from.length }]
  const ours = OURS_BEHIND.exec(piece)?.[0]
  if (ours !== undefined) return [{ label: 'target', word: ours.trim(), at: 0, end: ours.length }]
  const beside = APPOSITION.exec(piece)?.[1]
  if (beside !== undefined) return findLabels(beside).filter((each) => isWhole(each, beside))
  const inside = BEHIND.exec(piece)?.[1]
  if (inside !== undefined && IS_OURS.test(inside)) {
    return [{ label: 'target', word: inside, at: 0, end: inside.length }]
  }
  if (inside !== undefined) return findLabels(inside)
  const remark = REMARK.exec(piece)?.[1]
  return remark === undefined ? [] : findLabels(remark).filter(({ label }) => label === 'target')
}

// Reads what the words around an address or a link say about it.

import { FROM_WORDS, LABEL_WORDS, type Label, TO_WORDS } from './label-words.ts'

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
  readonly label: Label
  /** In lower case; the last may be the beginning of a word. */
  readonly tokens: readonly string[]
  readonly isStem: boolean
}

/** Phrases by their first word, or where that is a stem by the stem; in scripts without spaces by their first character. */
interface Index {
  readonly words: Map<string, Phrase[]>
  readonly stems: Map<string, Phrase[]>
  readonly characters: Map<string, Phrase[]>
}

// A thousand words as one pattern took 1.5 ms a label; looking words up takes some microseconds.
const INDEX = buildIndex()

function buildIndex(): Index {
  const index: Index = { words: new Map(), stems: new Map(), characters: new Map() }
  for (const label of Object.keys(LABEL_WORDS).filter(isLabel)) {
    for (const entry of LABEL_WORDS[label].split('|')) {
      const word = entry.trim()
      const isStem = word.endsWith('*')
      const text = isStem ? word.slice(0, -1) : word
      const isUnspaced = NO_SPACES.test(text)
      const tokens = isUnspaced ? [text] : (text.match(TOKEN) ?? [])
      const [first = ''] = tokens
      const phrase = { label, tokens, isStem }
      if (isUnspaced) addTo(index.characters, text.slice(0, 1), phrase)
      else addTo(isStem && tokens.length === 1 ? index.stems : index.words, first, phrase)
    }
  }
  return index
}

function addTo(map: Map<string, Phrase[]>, key: string, phrase: Phrase): void {
  const phrases = map.get(key)
  if (phrases === undefined) map.set(key, [phrase])
  else phrases.push(phrase)
}

function isLabel(text: string): text is Label {
  return Object.hasOwn(LABEL_WORDS, text)
}

// `our external mail server`: whose it is tells the side, whatever stands between.
const WHOSE =
  /(?<!\p{L})(?:(our|my|mine|unser\p{L}{0,3}|mein\p{L}{0,3})|your|ihr\p{L}{0,3}) (?:[\p{L}\d/-]{1,20} ){0,3}(?:servers?|hosts?|ips?|address(?:es)?|machines?|systems?|networks?|router|((?:web ?)?shops?|(?:web ?)?stores?|web ?sites?|sites?|pages?|portals?|homepage|webseiten?|seiten?)|rechner|netz\p{L}{0,6})(?!\p{L})/gu

const CONTEXT_MAX = 160
const STEM_LENGTH_MAX = 16

/** All labels in a piece of text (its last 160 characters), in order; one place may say two things. */
export function findLabels(text: string): readonly FoundLabel[] {
  const piece = text.slice(-CONTEXT_MAX).toLowerCase()
  const tokens = [...piece.matchAll(TOKEN)].map(({ 0: word, index: at }) => ({ word, at }))
  const found: FoundLabel[] = []
  tokens.forEach((token, position) => {
    // The s of a genitive is no word: `Infringer's IP`.
    if (token.word.length === 1 && /['’]/.test(piece.charAt(token.at - 1))) return
    for (const { label, tokens: wanted, isStem } of listPhrases(token.word)) {
      const last = tokens[position + wanted.length - 1]
      if (last === undefined || !isPhrase(piece, tokens.slice(position), wanted, isStem)) continue
      const end = last.at + last.word.length
      found.push({ label, word: piece.slice(token.at, end), at: token.at, end })
    }
  })
  if (NO_SPACES.test(piece)) found.push(...findUnspaced(piece))
  for (const match of piece.matchAll(WHOSE)) {
    const [word, whose, place] = match
    const label = labelOf(whose !== undefined, place !== undefined)
    found.push({ label, word, at: match.index, end: match.index + word.length })
  }
  return found.toSorted((a, b) => a.at - b.at || a.end - b.end)
}

function labelOf(isOurs: boolean, isSite: boolean): Label {
  if (isSite) return isOurs ? 'legitimate' : 'address'
  return isOurs ? 'target' : 'source'
}

function listPhrases(word: string): readonly Phrase[] {
  const phrases = [...(INDEX.words.get(word) ?? [])]
  for (let length = 3; length <= Math.min(word.length, STEM_LENGTH_MAX); length += 1) {
    phrases.push(...(INDEX.stems.get(word.slice(0, length)) ?? []))
  }
  return phrases
}

interface Token {
  readonly word: string
  readonly at: number
}

function isPhrase(
  piece: string,
  tokens: readonly Token[],
  wanted: readonly string[],
  isStem: boolean,
): boolean {
  return wanted.every((word, step) => {
    const token = tokens[step]
    if (token === undefined) return false
    const before = tokens[step - 1]
    if (before !== undefined) {
      const gap = piece.slice(before.at + before.word.length, token.at)
      if (gap.length > 3 || /[:;,.|=]/.test(gap)) return false
    }
    const isLast = step === wanted.length - 1
    return isLast && isStem ? token.word.startsWith(word) : token.word === word
  })
}

function findUnspaced(piece: string): readonly FoundLabel[] {
  const found: FoundLabel[] = []
  for (let at = 0; at < piece.length; at += 1) {
    for (const { label, tokens } of INDEX.characters.get(piece.charAt(at)) ?? []) {
      const [word = ''] = tokens
      if (piece.startsWith(word, at)) found.push({ label, word, at, end: at + word.length })
    }
  }
  return found
}

const NEAR = `:?\\s{1,3}(?:(?:the|this|our|your|an?|der|dem|den|die|ip|host|hosts?|server|address|addr|adresse?|rechner|ip-adresse|ip-adres|ip-address|ip address|адреса?|l'adresse|la|el|dell'|dirección|indirizzo|endereço|unknown|user|\\S{1,30}@\\S{1,30})[\\s:]{1,3}){0,4}[[("'<]{0,2}$`
const FROM = new RegExp(`(?<![\\p{L}\\p{N}])(?:${FROM_WORDS})${NEAR}|(?:から|来自|來自)\\s?$`, 'iu')
const TO = new RegExp(`(?<![\\p{L}\\p{N}])(?:${TO_WORDS})${NEAR}`, 'iu')

/** `from` or `to` when such a word stands directly before the end of `text`. */
export function findDirection(text: string): 'from' | 'to' | null {
  const piece = text.slice(-100)
  if (FROM.test(piece)) return 'from'
  return TO.test(piece) ? 'to' : null
}

// In Chinese, Japanese and Korean a label may stand behind; elsewhere it is in brackets.
const BEHIND = /^[\s"'>\]]{0,3}[[(]\s?([^()[\]]{2,60})[\])]/u
const BEHIND_UNSPACED = /^\s?(から|からの|에서|발)/u

/** What the words behind say: `198.51.100.7 (our server)`. */
export function findLabelBehind(text: string): readonly FoundLabel[] {
  const piece = text.slice(0, 80)
  if (BEHIND_UNSPACED.test(piece)) return [{ label: 'source', word: 'から', at: 0, end: 2 }]
  const inside = BEHIND.exec(piece)?.[1]
  return inside === undefined ? [] : findLabels(inside)
}

// With which three characters a match of a pattern can begin. Each is a set of classes of
// characters, a bit each; characters beyond ASCII are in no class.

/**
 * The class of each ASCII character, 0 to 31: a letter with its capital, all digits, all blanks,
 * and some marks that share one.
 */
export const CLASSES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = code | 0x20
  if (letter >= 0x61 && letter <= 0x7a) return letter - 0x61
  if (code >= 0x30 && code <= 0x39) return 26
  const marks = ['\t\n\v\f\r ', '-_', './', ':=']
  const found = marks.findIndex((each) => each.includes(String.fromCodePoint(code)))
  return found === -1 ? 31 : 27 + found
})

/** A set for each of the first three characters; -1 where anything may stand, or nothing. */
export type Beginning = readonly [first: number, second: number, third: number]

const ANY = -1
const LENGTH = 3

/**
 * What a piece of the pattern can begin with, as far as is known; `isOver` when nothing behind it
 * can add to that.
 */
interface Start {
  readonly sets: readonly number[]
  readonly isOver: boolean
}

const NOTHING: Start = { sets: [], isOver: false }
const UNKNOWN: Start = { sets: [], isOver: true }

// A pattern with more is one for which a gate would be open most of the time.
const STARTS_MAX = 2_000

export function listBeginnings(source: string): readonly Beginning[] {
  const { starts } = readAlternatives(source, 0)
  return starts.map(({ sets: [first = ANY, second = ANY, third = ANY] }) => [first, second, third])
}

interface Piece {
  readonly starts: readonly Start[]
  /** Where the next piece begins. */
  readonly end: number
}

/** Up to the closing bracket or the end of the pattern. */
function readAlternatives(source: string, from: number): Piece {
  const all: Start[] = []
  let current: readonly Start[] = [NOTHING]
  let at = from
  while (at < source.length && source[at] !== ')') {
    if (source[at] === '|') {
      all.push(...current)
      current = [NOTHING]
      at += 1
      continue
    }
    const atom = readAtom(source, at)
    const { starts, end } = repeat(source, atom)
    current = join(current, starts)
    at = end
  }
  return { starts: [...all, ...current], end: at }
}

function join(left: readonly Start[], right: readonly Start[]): readonly Start[] {
  const joined = new Map<string, Start>()
  for (const one of left) {
    const isFull = one.isOver || one.sets.length >= LENGTH
    for (const two of isFull ? [NOTHING] : right) {
      const sets = [...one.sets, ...two.sets].slice(0, LENGTH)
      const isOver = one.isOver || two.isOver || sets.length === LENGTH
      joined.set(`${sets.join()} ${isOver}`, { sets, isOver })
    }
  }
  if (joined.size > STARTS_MAX) throw new Error('a pattern with too many beginnings')
  return [...joined.values()]
}

const QUANTIFIER = /[?*+]|\{(\d+)(,?)(\d*)\}/y

function repeat(source: string, { starts, end }: Piece): Piece {
  QUANTIFIER.lastIndex = end
  const match = QUANTIFIER.exec(source)
  if (match === null) return { starts, end }
  const [text, count = text === '+' ? '1' : '0', comma = text] = match
  const least = Math.min(LENGTH, Number(count))
  const most = comma === '?' || (match[1] !== undefined && comma === '') ? least : LENGTH
  const longest = text === '?' ? 1 : Math.max(least, most)
  let all: readonly Start[] = [NOTHING]
  let kept: readonly Start[] = least === 0 ? [NOTHING] : []
  for (let times = 1; times <= longest; times += 1) {
    all = join(all, starts)
    if (times >= least) kept = [...kept, ...all]
  }
  const isLazy = source[end + text.length] === '?'
  return { starts: join([NOTHING], kept), end: end + text.length + (isLazy ? 1 : 0) }
}

function readAtom(source: string, at: number): Piece {
  switch (source.charAt(at)) {
    case '(':
      return readGroup(source, at)
    case '[':
      return readClass(source, at)
    case '\\':
      return readEscape(source, at)
    case '.':
      return { starts: [{ sets: [ANY], isOver: false }], end: at + 1 }
    case '^':
    case '$':
      return { starts: [NOTHING], end: at + 1 }
    default:
      return { starts: [startOf(source.charCodeAt(at))], end: at + 1 }
  }
}

function readGroup(source: string, at: number): Piece {
  const opening = /\((?:\?(?:<?[=!]|:|<[a-z]\w*>))?/iy
  opening.lastIndex = at
  const [text = '('] = opening.exec(source) ?? []
  const { starts, end } = readAlternatives(source, at + text.length)
  // What is looked for ahead or behind is no part of the match.
  return { starts: /[=!]$/.test(text) ? [NOTHING] : starts, end: end + 1 }
}

function readEscape(source: string, at: number): Piece {
  const [text = ''] = /\\(?:[pP]\{[^}]*\}|u[\da-f]{4}|.)/iy.exec(source.slice(at)) ?? []
  const end = at + text.length
  if (/^\\b$/i.test(text)) return { starts: [NOTHING], end }
  if (/^\\[1-9]$/.test(text)) return { starts: [UNKNOWN], end }
  return { starts: [{ sets: [setOf(text)], isOver: false }], end }
}

function readClass(source: string, at: number): Piece {
  const [text = ''] = /\[(?:\\.|[^\]\\])*\]/y.exec(source.slice(at)) ?? []
  const end = at + text.length
  if (text.startsWith('[^')) return { starts: [{ sets: [ANY], isOver: false }], end }
  let set = 0
  const members = text.slice(1, -1)
  const pieces = /(\\u[\da-f]{4}|\\[pP]\{[^}]*\}|\\.|[^])(?:-(\\u[\da-f]{4}|\\.|[^]))?/giu
  for (const [, first = '', last] of members.matchAll(pieces)) {
    if (last === undefined) set |= setOf(first)
    else set |= rangeOf(codeOf(first), codeOf(last))
  }
  return { starts: [{ sets: [set], isOver: false }], end }
}

function rangeOf(first: number, last: number): number {
  let set = 0
  for (let code = first; code <= Math.min(last, ASCII_LAST); code += 1) set |= bitOf(code)
  return set
}

const ASCII_LAST = 0x7f
const DIGITS = rangeOf(0x30, 0x39)
const LETTERS = rangeOf(0x61, 0x7a)
const BLANKS = rangeOf(0x09, 0x0d) | bitOf(0x20)

/** Of a character, or of an escape that stands for several. */
function setOf(text: string): number {
  switch (text) {
    case '\\d':
      return DIGITS
    case '\\w':
      return DIGITS | LETTERS | bitOf(0x5f)
    case '\\s':
      return BLANKS
    case '\\D':
    case '\\W':
    case '\\S':
      return ANY
    default:
      return /^\\p\{/i.test(text) ? ANY : startOf(codeOf(text)).sets.reduce((a, b) => a | b, 0)
  }
}

function codeOf(text: string): number {
  if (/^\\u[\da-f]{4}$/i.test(text)) return Number.parseInt(text.slice(2), 16)
  const plain = { '\\n': '\n', '\\r': '\r', '\\t': '\t' }[text] ?? text.replace(/^\\/, '')
  return plain.charCodeAt(0)
}

function startOf(code: number): Start {
  return { sets: [bitOf(code)], isOver: false }
}

function bitOf(code: number): number {
  return code > ASCII_LAST ? 0 : 1 << (CLASSES[code] ?? 0)
}

// Values of the form `text/plain; charset="utf-8"` (RFC 2045 section 5.1), with the long and
// foreign parameters of RFC 2231.

import { decodeCharset } from './decode-charset.ts'

export interface ParameterisedValue {
  /** Lower case, comments left out. */
  readonly value: string
  /** Names in lower case. The first of two with one name counts. */
  readonly parameters: ReadonlyMap<string, string>
}

// A boundary has 70 characters, a file name 255; what is longer than this is no header of a mail
// program.
const LENGTH_MAX = 8_192

export function readParameters(text: string): ParameterisedValue {
  const [first = '', ...rest] = splitAtSemicolons(text.slice(0, LENGTH_MAX))
  const raw = new Map<string, string>()
  for (const piece of rest) {
    const equals = piece.indexOf('=')
    if (equals === -1) continue
    const name = piece.slice(0, equals).trim().toLowerCase()
    if (name !== '' && !raw.has(name)) raw.set(name, unquote(piece.slice(equals + 1).trim()))
  }
  return { value: unquote(first.trim()).toLowerCase(), parameters: joinContinued(raw) }
}

/**
 * Pieces between the semicolons that stand outside quotes; comments outside quotes are left out.
 */
function splitAtSemicolons(text: string): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  let isQuoted = false
  let depth = 0
  const lastClosing = text.lastIndexOf(')')
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? ''
    if (character === '\\' && (isQuoted || depth > 0)) {
      if (depth === 0) piece += text.slice(index, index + 2)
      index += 1
    } else if (depth === 0 && character === '"') {
      isQuoted = !isQuoted
      piece += character
    } else if (!isQuoted && character === '(' && opensComment(text, index, lastClosing)) {
      depth += 1
    } else if (!isQuoted && character === ')' && depth > 0) {
      depth -= 1
    } else if (depth > 0) {
      // Within a comment.
    } else if (!isQuoted && character === ';') {
      pieces.push(piece)
      piece = ''
    } else {
      piece += character
    }
  }
  return [...pieces, piece]
}

// `name=Invoice(1).pdf` holds no comment; neither does a parenthesis that nobody closes.
function opensComment(text: string, index: number, lastClosing: number): boolean {
  const before = text[index - 1]
  const isApart = before === undefined || before === ' ' || before === '\t' || before === ';'
  return isApart && lastClosing > index
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text
  const end = /(?<!\\)(?:\\\\)*"/.exec(text.slice(1))
  const inner = end === null ? text.slice(1) : text.slice(1, 1 + end.index + end[0].length - 1)
  return inner.replaceAll(/\\(.)/g, '$1')
}

interface Continued {
  charset: string | null
  readonly sections: {
    readonly index: number
    readonly text: string
    readonly isEncoded: boolean
  }[]
}

/** `name*0`, `name*1*` … put together, `name*` decoded (RFC 2231 sections 3 and 4). */
function joinContinued(raw: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const joined = new Map<string, string>()
  const continued = new Map<string, Continued>()
  for (const [name, value] of raw) {
    const match = /^([^*]+)\*(?:(\d{1,3})(\*)?)?$/.exec(name)
    if (match === null) {
      joined.set(name, value)
      continue
    }
    const [, base = '', section, star] = match
    const isEncoded = section === undefined || star !== undefined
    const index = Number(section ?? 0)
    const entry = continued.get(base) ?? { charset: null, sections: [] }
    continued.set(base, entry)
    const named = index === 0 && isEncoded ? /^([^']*)'[^']*'(.*)$/s.exec(value) : null
    if (named !== null) entry.charset = named[1] || null
    entry.sections.push({ index, text: named?.[2] ?? value, isEncoded })
  }
  for (const [name, { charset, sections }] of continued) {
    const bytes = sections
      .toSorted((left, right) => left.index - right.index)
      .map(({ text, isEncoded }) => (isEncoded ? decodePercent(text) : Buffer.from(text)))
    joined.set(name, decodeCharset(Buffer.concat(bytes), charset))
  }
  return joined
}

function decodePercent(text: string): Buffer {
  const latin1 = Buffer.from(text, 'utf8').toString('latin1')
  const decoded = latin1.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(decoded, 'latin1')
}

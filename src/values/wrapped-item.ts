// Finds the one item in a text as analysts paste it: defanged against accidental clicks, a link, in
// quotes or brackets, or with a port. For look-ups that ask for it; the texts of reports are read
// by the reader, which knows the words of many languages.

import { parseAddress } from './address.ts'
import { type Item, parseItem } from './item.ts'

/** Longer links are cut by most programs, and every step below is linear in the length. */
export const WRAPPED_LENGTH_MAX = 4_096

const QUOTES = new Set(`"'\`<>“”„‘’«»`)
const PAIRS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

/**
 * The item that the text names, as it stands or defanged (`evil[.]example`,
 * `hxxp://evil.example/x`), as the host of a link, quoted, in brackets, or with a port or a
 * trailing dot. Null when it names none, or a range: an address of it was not meant.
 */
export function parseWrappedItem(text: string): Item | null {
  const plain = parseItem(text)
  if (plain !== null || text.length > WRAPPED_LENGTH_MAX) return plain
  const bare = unquote(refangMarks(text.trim()))
  const link = /^[a-z][a-z0-9+.*_-]{1,15}:\/\/+/i.exec(bare)?.[0] ?? /^\/\//.exec(bare)?.[0] ?? null
  const place = bare.slice(link?.length ?? 0)
  const end = place.search(/[/?#\\]/)
  const authority = end < 0 ? place : place.slice(0, end)
  if (link === null && end >= 0 && isRange(authority, place.slice(end + 1))) return null
  // The user name of a link; without a link this is an e-mail address, which is no item.
  const host = link === null ? authority : authority.slice(authority.lastIndexOf('@') + 1)
  return parseItem(withoutPort(host))
}

/** Brackets around a mark, and the escaped dot of regular expressions. */
export function refangMarks(text: string): string {
  return text
    .replaceAll(/[[({] ?(?:\.|dot|:\/\/|[:/]) ?[\])}]/gi, (mark) => {
      const inner = mark.slice(1, -1).trim()
      return inner.toLowerCase() === 'dot' ? '.' : inner
    })
    .replaceAll('\\.', '.')
}

/** Without quotes, brackets around the whole, and the marks that end a sentence. */
function unquote(text: string): string {
  let from = 0
  let to = text.length
  for (;;) {
    const [first = '', last = ''] = [text[from], text[to - 1]]
    if (from >= to) return ''
    if (QUOTES.has(first) || first.trim() === '') from += 1
    else if (QUOTES.has(last) || last.trim() === '' || ',;.!'.includes(last)) to -= 1
    else if (PAIRS.get(first) === last && !isBracketedHost(text, from)) {
      from += 1
      to -= 1
    } else return text.slice(from, to)
  }
}

// `[2001:db8::1]` of a link keeps its brackets until its port is off.
function isBracketedHost(text: string, from: number): boolean {
  return (
    text[from] === '[' && text.indexOf(']', from) < text.length - 1 && text.includes('::', from)
  )
}

function withoutPort(host: string): string {
  const bracketed = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(host)?.[1]
  if (bracketed !== undefined) return bracketed
  const name = /^([^:]*):\d{0,5}$/.exec(host)?.[1] ?? host
  return name.endsWith('.') ? name.slice(0, -1) : name
}

function isRange(authority: string, rest: string): boolean {
  return /^\d{1,3}$/.test(rest) && parseAddress(authority) !== null
}

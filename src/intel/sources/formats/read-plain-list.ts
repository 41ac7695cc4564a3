// Reads plain lists: one address, range, span "first-last" or domain a line; comments with # ; or
// //, also behind the value; lines of a hosts file. The importer decides what the entries mean,
// such as listings or tags.

import { parseAddress } from '../../../values/address.ts'
import { spanRanges } from '../../../values/address-span.ts'
import { parseItem } from '../../../values/item.ts'
import { parseSubject, subjectOfRange } from '../../../values/range.ts'
import { readLines } from './read-list-lines.ts'

export type PlainListEntry =
  | { readonly kind: 'entry'; readonly lineNumber: number; readonly item: string }
  | RefusedLine

export interface RefusedLine {
  readonly kind: 'refused'
  /** Counting from 1. */
  readonly lineNumber: number
  /** One sentence. */
  readonly reason: string
}

const COMMENT = /#|;|\/\//
// The addresses to which a hosts file sends blocked names.
const HOSTS_TARGETS = new Set(['0.0.0.0', '127.0.0.1', '::', '::1'])
// Names that a hosts file gives to the machine itself.
const HOSTS_OWN_NAMES =
  /^(?:localhost|local|localhost\.localdomain|broadcasthost|ip6-\w+|0\.0\.0\.0)$/

/**
 * Items in canonical text, in the order of the file; a span gives several. A line that cannot be
 * read is reported with its number.
 */
export async function* readPlainList(
  input: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<PlainListEntry> {
  for await (const { number: lineNumber, text } of readLines(input)) {
    if (text === null) {
      yield { kind: 'refused', lineNumber, reason: 'The line is too long.' }
      continue
    }
    const value = withoutComment(text)
    if (value === '') continue
    const read = readValue(value)
    if (typeof read === 'string') yield { kind: 'refused', lineNumber, reason: read }
    else for (const item of read) yield { kind: 'entry', lineNumber, item }
  }
}

function withoutComment(text: string): string {
  const comment = COMMENT.exec(text)
  const value = comment === null ? text : text.slice(0, comment.index)
  return value.replace(/^\uFEFF/, '').trim()
}

/** The items of a value, or why there are none. */
function readValue(value: string): readonly string[] | string {
  const span = readSpan(value)
  if (span !== null) return span
  const [first = '', ...others] = value.split(/\s+/)
  if (others.length === 0) return readOne(first)
  if (HOSTS_TARGETS.has(first)) return readHosts(others)
  return 'The line has more than one value.'
}

// A domain may have hyphens too, so only two addresses make a span.
function readSpan(value: string): readonly string[] | string | null {
  const match = /^([0-9A-Fa-f.:]+)\s*-\s*([0-9A-Fa-f.:]+)$/.exec(value)
  const first = parseAddress(match?.[1] ?? '')
  const last = parseAddress(match?.[2] ?? '')
  if (first === null || last === null) return null
  const ranges = spanRanges(first, last)
  if (ranges === null) return 'The span does not go from a lower to a higher address.'
  return ranges.map((range) => subjectOfRange(range).text)
}

// Lists write "*.example.com" or ".example.com" for a name and all names below it. A listing of a
// name has that meaning here anyway.
function readOne(text: string): readonly string[] | string {
  const parsed = parseSubject(text.replace(/^\*?\.(?=[^.])/, ''), 'clear')
  return parsed.kind === 'subject' ? [parsed.subject.text] : parsed.reason
}

function readHosts(names: readonly string[]): readonly string[] | string {
  const items: string[] = []
  for (const name of names) {
    if (HOSTS_OWN_NAMES.test(name)) continue
    const item = parseItem(name)
    if (item === null) return 'A name in the line is no domain name.'
    items.push(item.text)
  }
  return items
}

// Reads data files of the DNS server rbldnsd: ip4set, ip4tset, ip4trie, ip6trie, ip6tset, dnset,
// generic, and combined files that switch between them. The form of a line shows its data set,
// except for generic, which must be named. The format is described in the manual page rbldnsd(8).

import { type ReadSubjects, readRbldnsdSubject, readReversedName } from './rbldnsd-subject.ts'
import { readLines } from './read-list-lines.ts'
import type { RefusedLine } from './read-plain-list.ts'

export const RBLDNSD_DATASETS = [
  'ip4set',
  'ip4tset',
  'ip4trie',
  'ip6trie',
  'ip6tset',
  'dnset',
  'generic',
  'combined',
] as const
export type RbldnsdDataset = (typeof RBLDNSD_DATASETS)[number]

export type RbldnsdEntry =
  | {
      readonly kind: 'entry'
      readonly lineNumber: number
      readonly item: string
      /**
       * The text that the server would answer, or the address where there is none; absent when
       * there is neither.
       */
      readonly reason?: string
    }
  /** The data set excludes the item from a wider entry of its own. */
  | { readonly kind: 'exclusion'; readonly lineNumber: number; readonly item: string }
  | RefusedLine

// The limit of POST /beta/listings.
const REASON_LENGTH_MAX = 500
const FAMILIES: Readonly<Partial<Record<RbldnsdDataset, RegExp>>> = {
  ip4set: /^[\d./]+$/,
  ip4tset: /^[\d./]+$/,
  ip4trie: /^[\d./]+$/,
  ip6trie: /:/,
  ip6tset: /:/,
  dnset: /[a-z]/i,
}
const IGNORED_DIRECTIVES = /^\$(?:SOA|NS|TTL|TIMESTAMP|MAXRANGE4)\b/i

/**
 * Entries in the order of the file. A line that cannot be read is reported with its number. Lines
 * for the server (`$SOA` …) are skipped.
 */
export async function* readRbldnsdZone(
  input: AsyncIterable<Uint8Array | string>,
  dataset: RbldnsdDataset = 'combined',
): AsyncGenerator<RbldnsdEntry> {
  const zone = new Zone(dataset)
  for await (const { number: lineNumber, text } of readLines(input)) {
    if (text === null) {
      yield { kind: 'refused', lineNumber, reason: 'The line is too long.' }
      continue
    }
    const read = zone.read(text)
    if (read === null) continue
    if (typeof read === 'string') {
      yield { kind: 'refused', lineNumber, reason: read }
      continue
    }
    for (const item of read.items) {
      if (read.isExclusion) yield { kind: 'exclusion', lineNumber, item }
      else yield { kind: 'entry', lineNumber, item, ...reasonFor(item, read.value) }
    }
  }
}

/** The answer of the server: an address, and a text that may be a template. */
interface Value {
  readonly address: string
  readonly text: string
}

interface ReadLine {
  readonly items: readonly string[]
  readonly isExclusion: boolean
  readonly value: Value
}

const NO_VALUE: Value = { address: '', text: '' }

class Zone {
  #dataset: RbldnsdDataset
  #default: Value = NO_VALUE
  #lastName = ''
  readonly #texts = new Map<string, string>()

  constructor(dataset: RbldnsdDataset) {
    this.#dataset = dataset
  }

  /** The entry of a line, null when the line is not an entry, or why it cannot be read. */
  read(line: string): ReadLine | null | string {
    const trimmed = line.replace(/^\uFEFF/, '').trim()
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) return null
    if (trimmed.startsWith('$')) return this.#direct(trimmed)
    if (this.#dataset === 'generic') return this.#readRecord(line, trimmed)
    if (trimmed.startsWith(':')) {
      this.#default = this.#readValue(trimmed)
      return null
    }
    const isExclusion = trimmed.startsWith('!')
    const entry = isExclusion ? trimmed.slice(1).trim() : trimmed
    const [word = ''] = /^\S*/.exec(entry) ?? []
    const rest = entry.slice(word.length).trimStart()
    const { subject, behind } = splitValue(word, rest)
    const items = readRbldnsdSubject(subject)
    if (typeof items === 'string') return items
    if (!this.#isOfDataset(items)) return `The line is no entry of the data set ${this.#dataset}.`
    const isDefault = behind === '' || /^[#;]/.test(behind)
    return { items, isExclusion, value: isDefault ? this.#default : this.#readValue(behind) }
  }

  #isOfDataset(items: readonly string[]): boolean {
    const family = FAMILIES[this.#dataset]
    if (family === undefined) return true
    // The letters of an IPv6 address make no name.
    return items.every(
      (item) => family.test(item) && (this.#dataset !== 'dnset' || !item.includes(':')),
    )
  }

  #direct(line: string): null | string {
    const named = /^\$DATASET\s+([a-z0-9]+)/i.exec(line)?.[1]?.toLowerCase()
    if (named !== undefined) {
      const dataset = RBLDNSD_DATASETS.find((known) => known === named)
      if (dataset === undefined) return `There is no data set of kind ${named} here.`
      this.#dataset = dataset
      // Defaults are valid for one data set.
      this.#default = NO_VALUE
      return null
    }
    const [, digit, text = ''] = /^\$(\d)(.*)$/.exec(line) ?? []
    if (digit !== undefined) {
      this.#texts.set(digit, text.trimStart())
      return null
    }
    // "$=" wraps all texts in a frame; the text itself has the information about the item.
    if (IGNORED_DIRECTIVES.test(line) || line.startsWith('$=')) return null
    return 'The directive is not known.'
  }

  // `:address:text`, `:number:text` or `text`; without an address the default address is used.
  #readValue(value: string): Value {
    const match = /^:([\d.]*)(?::(.*))?$/.exec(value)
    if (match === null) return { address: this.#default.address, text: this.#fill(value) }
    const [, given = '', text] = match
    const address = given.includes('.') || given === '' ? given : `127.0.0.${given}`
    return {
      address: address === '' ? this.#default.address : address,
      text: text === undefined ? '' : this.#fill(text.trimStart()),
    }
  }

  #fill(text: string): string {
    return text.replaceAll(/\$(\d)/g, (whole, digit: string) => this.#texts.get(digit) ?? whole)
  }

  // name [ttl] [IN] type data; a line that begins with a space repeats the name before it.
  #readRecord(line: string, trimmed: string): ReadLine | null | string {
    const words = trimmed.split(/\s+/)
    const name = /^\s/.test(line) ? this.#lastName : (words.shift() ?? '')
    this.#lastName = name
    while (/^(?:\d+[smhdw]?|IN)$/i.test(words[0] ?? '')) words.shift()
    const [type = '', data = ''] = words
    if (!/^A$/i.test(type)) {
      return /^(?:TXT|MX|AAAA|NS|SOA|CNAME|PTR)$/i.test(type) ? null : 'The line is no record.'
    }
    // Only answers in this block mean "listed" (RFC 5782 section 2.1); others are addresses of
    // hosts.
    if (!data.startsWith('127.')) return null
    const items: ReadSubjects = readReversedName(name.replace(/\.$/, ''))
    if (typeof items === 'string') return items
    return { items, isExclusion: false, value: { address: data, text: '' } }
  }
}

// A value may follow its block without a space ("192.0.2.1:2:text"). A colon inside an IPv6 address
// does not begin a value.
function splitValue(word: string, rest: string): { subject: string; behind: string } {
  const colon = word.indexOf(':')
  const subject = word.slice(0, Math.max(colon, 0))
  const isItem = /^\d+[./-][\d./-]*$/.test(subject) || isName(subject)
  if (!isItem) return { subject: word, behind: rest }
  return { subject, behind: `${word.slice(colon)} ${rest}`.trim() }
}

// A letter, and a dot somewhere behind it.
function isName(text: string): boolean {
  const letter = text.search(/[a-z]/i)
  return letter !== -1 && text.includes('.', letter)
}

function reasonFor(item: string, { address, text }: Value): { readonly reason?: string } {
  // "$" stands for the address or name in the query, which is not known here for a block; "$$" is a
  // dollar sign.
  const filled = text.replaceAll(/\$\$?/g, (sign) => {
    if (sign === '$$') return '$'
    return item.includes('/') ? sign : item
  })
  const reason = (filled === '' ? address : filled)
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, REASON_LENGTH_MAX)
  return reason === '' ? {} : { reason }
}

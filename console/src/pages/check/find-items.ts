// Finds the addresses and domains in a text that a person pastes: one a line, defanged, a column of a
// table, or lines of a log. A line of one word is left to the interface to judge; of longer lines
// only what looks like an item is taken.

export interface PastedItem {
  readonly text: string
  /** The lines on which it stands, counted from 1. */
  readonly lines: readonly number[]
}

export interface PastedLine {
  readonly line: number
  readonly text: string
}

export interface Pasted {
  readonly items: readonly PastedItem[]
  /** The first lines in which no item was found, `LINES_MAX` at most. */
  readonly bare: readonly PastedLine[]
  /** All of them. */
  readonly bareCount: number
  /** The text holds more items than are checked at once. */
  readonly isCut: boolean
}

// A table of so many rows still scrolls and sorts at once; a hundred requests.
export const ITEMS_MAX = 100_000
// The list of lines without an item is for people to read.
export const LINES_MAX = 1_000
const LINE_SHOWN = 200
const WORD_MAX = 4_096

export function findItems(text: string): Pasted {
  const found = new Map<string, { readonly text: string; readonly lines: number[] }>()
  const bare: PastedLine[] = []
  let bareCount = 0
  let isCut = false
  let line = 0
  for (const row of text.split(/\r\n|\n|\r/)) {
    line += 1
    const words = readLine(row)
    if (words === null) continue
    if (words.length === 0) {
      bareCount += 1
      if (bare.length < LINES_MAX) bare.push({ line, text: row.trim().slice(0, LINE_SHOWN) })
    }
    for (const word of words) {
      const key = word.toLowerCase()
      const known = found.get(key)
      if (known === undefined && found.size >= ITEMS_MAX) isCut = true
      else if (known === undefined) found.set(key, { text: word, lines: [line] })
      else if (known.lines.at(-1) !== line) known.lines.push(line)
    }
  }
  return { items: [...found.values()], bare, bareCount, isCut }
}

/** The items of a line; null for an empty line and a comment. */
function readLine(row: string): readonly string[] | null {
  const trimmed = row.trim()
  if (trimmed === '' || trimmed.startsWith('#')) return null
  const words = trimmed.split(/[\s,;|<>"'`“”„‘’«»]+/).filter((word) => word !== '')
  if (words.length === 0) return []
  if (words.length === 1) {
    const [word = ''] = words
    return word.length > WORD_MAX ? [] : [readWord(word, true) ?? word]
  }
  return words.flatMap((word) => (word.length > WORD_MAX ? [] : (readWord(word, false) ?? [])))
}

// Names of files and units in logs, whose ends are no top-level domains.
const NO_DOMAIN =
  /\.(?:service|socket|timer|scope|slice|php\d?|html?|js|css|log|conf|cfg|txt|exe|dll|png|jpe?g|gif|ico|xml|json|ya?ml|gz|csv|pid|sock)$/i
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/
const DOMAIN =
  /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.)+(?:xn--[a-z\d-]+|\p{L}{2,63})$/u

/** The item that a word names, or null. */
function readWord(word: string, isAlone: boolean): string | null {
  const plain = refang(word)
  const link = /^[a-z][a-z\d+.*_-]{1,15}:\/\//i.exec(plain)?.[0] ?? null
  const rest = plain.slice(link?.length ?? 0)
  const authority = rest.split(/[/?#\\]/, 1)[0] ?? ''
  // A range has a slash but is no link; it is not one of its addresses.
  if (link === null && /^[^/]+\/\d{1,3}$/.test(rest)) return null
  // An e-mail address is no item; before the host of a link it is a user name.
  if (link === null && authority.includes('@')) return null
  const named = authority.slice(authority.lastIndexOf('@') + 1)
  const host = bareHost(link === null && !isAlone ? afterKey(named) : named)
  if (IPV4.test(host) || isIpv6(host)) return host
  const isDomain = DOMAIN.test(host) && (isAlone || link !== null || !NO_DOMAIN.test(host))
  return isDomain ? host.toLowerCase() : null
}

/** `SRC=198.51.100.7` and `client:198.51.100.7`, as logs write them. */
function afterKey(word: string): string {
  const value = word.slice(word.lastIndexOf('=') + 1)
  return /^[a-z_]+:(?=\d{1,3}\.)/i.test(value) ? value.slice(value.indexOf(':') + 1) : value
}

function refang(word: string): string {
  return word
    .replaceAll(/[[({](?:\.|dot|:\/\/|[:/])[\])}]/gi, (mark) => {
      const inner = mark.slice(1, -1)
      return inner.toLowerCase() === 'dot' ? '.' : inner
    })
    .replaceAll('\\.', '.')
}

/** Without brackets and marks of a sentence around it, and without a port. */
function bareHost(word: string): string {
  const bracketed = /^\[([\da-f:.]+)\](?::\d{1,5})?\W*$/i.exec(word)?.[1]
  if (bracketed !== undefined) return bracketed
  const host = dropMarks(word.replace(/^[([{]+/, ''))
  // The colon of a log line behind an IPv6 address is a third one.
  return /^([^:]+):\d{0,5}$/.exec(host)?.[1] ?? host.replace(/([^:]):$/, '$1')
}

/** Without the marks at its end; an expression would try again at each of many marks. */
function dropMarks(word: string): string {
  let end = word.length
  while (end > 0 && ')]}.!?'.includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

function isIpv6(text: string): boolean {
  return text.includes(':') && /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`)
}

// JSON as mail programs and hurried scripts leave it: comments, trailing commas, typographic
// quotes, raw line ends in texts, words before and after. What it repairs is bounded and never
// guesses at a value.

export interface FoundJson {
  readonly value: unknown
  /** Line of its first character, from 1. */
  readonly line: number
}

// What is repaired is written by hand or wrapped by a mail program; reports with megabytes of
// evidence are written by programs, soundly.
const LENGTH_MAX = 2_000_000
const DEPTH_MAX = 64
// An object starts at one of the first braces of a text, or the text is no report.
const STARTS_MAX = 10

/**
 * The first object (or list) of `text` that spans a match of `marker` and can be read; null when
 * there is none.
 */
export function findJson(text: string, marker: RegExp): FoundJson | null {
  const at = text.search(marker)
  if (at === -1) return null
  const sound = parseOrUndefined(text)
  if (sound !== undefined) return { value: sound, line: 1 }
  const body = text.slice(0, LENGTH_MAX)
  let start = -1
  for (let tries = 0; tries < STARTS_MAX; tries += 1) {
    start = nextStart(body, start + 1)
    if (start === -1 || start > at) return null
    const span = repairSpan(body, start)
    if (span === null || span.end < at) continue
    const value = parseOrUndefined(span.json)
    if (value !== undefined) return { value, line: countLines(body, start) }
  }
  return null
}

// Brackets of prose are no starts.
const START = /\{(?=\s*["\u201C-\u201F/}])|\[(?=\s*[{/])/g

function nextStart(text: string, from: number): number {
  START.lastIndex = from
  return START.exec(text)?.index ?? -1
}

function parseOrUndefined(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return value
  } catch {
    return undefined
  }
}

function countLines(text: string, end: number): number {
  return text.slice(0, end).split('\n').length
}

interface Span {
  readonly json: string
  /** Behind its last character. */
  readonly end: number
}

// A quote, a bracket or mark, a slash, space, or a run of anything else.
const TOKEN =
  /["\u201C-\u201F]|[[\]{},:]|\/|[\s\u00A0\uFEFF]+|[^[\]{},:"\u201C-\u201F\s\u00A0\uFEFF/]+/y
const QUOTE = /^["\u201C-\u201F]$/

/**
 * From the bracket at `start` to the one that closes it, as strict JSON; null when none closes it.
 */
function repairSpan(text: string, start: number): Span | null {
  const out: string[] = []
  let depth = 0
  let at = start
  while (at < text.length) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0] ?? ''
    at += token.length
    if (QUOTE.test(token)) {
      const end = findTextEnd(text, at, token === '"')
      if (end === -1) return null
      out.push(repairText(text.slice(at, end)))
      at = end + 1
    } else if (token === '{' || token === '[') {
      depth += 1
      if (depth > DEPTH_MAX) return null
      out.push(token)
    } else if (token === '}' || token === ']') {
      depth -= 1
      if (out.at(-1) === ',') out.pop()
      out.push(token)
      if (depth === 0) return { json: out.join(''), end: at }
    } else if (token === '/') {
      at = findCommentEnd(text, at)
      if (at === -1) return null
    } else if (token.trim() !== '') {
      out.push(WORDS.get(token) ?? token)
    }
  }
  return null
}

/** Behind the comment whose first slash stands before `at`; -1 when it is none or does not end. */
function findCommentEnd(text: string, at: number): number {
  if (text[at] === '/') return text.indexOf('\n', at)
  const end = text[at] === '*' ? text.indexOf('*/', at + 1) : -1
  return end === -1 ? -1 : end + 2
}

// What scripts print that build their report without a JSON library.
const WORDS: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

/**
 * Index of the quote that ends the text; -1 when there is none. Typographic quotes end only what
 * one of them began.
 */
function findTextEnd(text: string, from: number, isStraight: boolean): number {
  const quote = isStraight ? /["\\]/g : /[\u201C-\u201F\\]/g
  quote.lastIndex = from
  for (let match = quote.exec(text); match !== null; match = quote.exec(text)) {
    if (match[0] !== '\\') return match.index
    quote.lastIndex = match.index + 2
  }
  return -1
}

/**
 * As a strict JSON text: raw control characters, lone backslashes and straight quotes between
 * typographic ones escaped.
 */
function repairText(raw: string): string {
  const text = raw
    .replaceAll(/\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\|"/gi, (found) =>
      found.length > 1 ? found : `\\${found}`,
    )
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
  return `"${removeControls(text)}"`
}

function removeControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what JSON forbids in a text
  return text.replaceAll(/[\u0000-\u001F]/g, ' ')
}

// Reads the header lines above a body (RFC 5322 section 2.2) and tolerates damage: some 2 % of real
// mails have a MIME defect, such as a missing empty line after the headers.

import { decodeCharset } from './decode-charset.ts'
import { readParameters } from './header-parameters.ts'
import type { ReadingLimits } from './reading-limits.ts'

export interface RawHeader {
  /** Lower case. */
  readonly name: string
  /** Unfolded and trimmed; encoded words are still encoded. */
  readonly value: string
}

export interface HeaderBlock {
  readonly headers: readonly RawHeader[]
  /** Where the body starts. */
  readonly bodyStart: number
  /** The limit that is exceeded, as a public sentence; the rest was not read. */
  readonly exceeded: string | null
  /** Each defect and how it was read. */
  readonly defect: string | null
}

const LF = 0x0a
const CR = 0x0d
const FIELD = /^([!-9;-~]+)[ \t]*:/

interface Line {
  readonly text: string
  readonly start: number
  /** Offset after the line break. */
  readonly next: number
}

interface Field {
  readonly name: string
  readonly pieces: string[]
}

/** `bytes` from `start` to `end` is a whole entity: headers, empty line, body. */
export function readHeaderBlock(
  bytes: Buffer,
  start: number,
  end: number,
  limits: ReadingLimits,
): HeaderBlock {
  const fields: Field[] = []
  let junkLines = 0
  let defect: string | null = null
  let at = start
  const finish = (bodyStart: number, exceeded: string | null = null): HeaderBlock => ({
    headers: decodeFields(fields),
    bodyStart,
    exceeded,
    defect,
  })
  while (at < end) {
    const line = readLine(bytes, at, end, start + limits.headerBytesMax + 1)
    if (line.next - start > limits.headerBytesMax) {
      return finish(end, `Its headers are longer than ${limits.headerBytesMax} bytes.`)
    }
    if (line.text === '') return finish(line.next)
    const isFirst = at === start
    at = line.next
    const field = FIELD.exec(line.text)
    const last = fields.at(-1)
    if (/^[ \t]/.test(line.text) && last !== undefined) {
      last.pieces.push(trimBlanks(line.text))
    } else if (field !== null) {
      if (fields.length === limits.headersMax) {
        return finish(end, `It has more than ${limits.headersMax} header fields.`)
      }
      fields.push({
        name: (field[1] ?? '').toLowerCase(),
        pieces: [trimBlanks(line.text.slice(field[0].length))],
      })
    } else if (isFirst && /^>?From /.test(line.text)) {
      // The line that an mbox puts above each mail.
    } else if (junkLines < JUNK_LINES_MAX && hasHeadersAhead(bytes, line, end, fields)) {
      junkLines += 1
      defect = 'A line among the headers is none; it was left out.'
    } else {
      defect =
        'No empty line separates the headers from the text; the text begins where the headers end.'
      return finish(line.start)
    }
  }
  return finish(end)
}

function readLine(bytes: Buffer, start: number, end: number, stopAt: number): Line {
  const found = bytes.subarray(start, Math.min(end, stopAt)).indexOf(LF)
  const next = found === -1 ? Math.min(end, stopAt) : start + found + 1
  let lineEnd = found === -1 ? next : next - 1
  while (lineEnd > start && bytes[lineEnd - 1] === CR) lineEnd -= 1
  return { text: bytes.toString('latin1', start, lineEnd), start, next }
}

// After a damaged line more headers follow; after body text that begins too early none follow.
const JUNK_LINES_MAX = 20
const LINES_AHEAD_MAX = 50
const STRUCTURAL: ReadonlySet<string> = new Set([
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
  'mime-version',
  'message-id',
  'from',
  'subject',
])

function hasHeadersAhead(
  bytes: Buffer,
  junk: Line,
  end: number,
  fields: readonly Field[],
): boolean {
  if (junk.text.startsWith('--')) return false
  const seen = new Set(fields.map(({ name }) => name))
  let at = junk.next
  for (let count = 0; count < LINES_AHEAD_MAX && at < end; count += 1) {
    const line = readLine(bytes, at, end, at + 1_000)
    if (line.text === '' || line.text.startsWith('--')) return false
    const name = FIELD.exec(line.text)?.[1]?.toLowerCase()
    if (name !== undefined && STRUCTURAL.has(name) && !seen.has(name)) return true
    at = line.next
  }
  return false
}

// Each character is a byte here: what trim takes for a no-break space may be the last byte of a
// letter in UTF-8.
function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '')
}

// 8-bit headers are in UTF-8, or in the charset of the text.
function decodeFields(fields: readonly Field[]): readonly RawHeader[] {
  const raw = fields.map(({ name, pieces }) => ({ name, value: trimBlanks(pieces.join(' ')) }))
  const type = raw.find(({ name }) => name === 'content-type')?.value ?? ''
  const charset = readParameters(type).parameters.get('charset') ?? null
  return raw.map((header) => ({ name: header.name, value: decodeEightBit(header.value, charset) }))
}

function decodeEightBit(value: string, charset: string | null): string {
  // oxlint-disable-next-line eslint/no-control-regex
  if (/^[\x00-\x7f]*$/.test(value)) return value
  const bytes = Buffer.from(value, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeCharset(bytes, charset)
  }
}

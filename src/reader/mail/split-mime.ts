// The MIME tree of a mail as ranges of its bytes; nothing is decoded and nothing copied. Linear,
// and it ends at the first limit that is broken: 1,000,000 empty parts cost as much as 1,000.
// Damage that real mail has (boundaries missing, doubled or not closed) is read as a person would.

import { type HeaderBlock, type RawHeader, readHeaderBlock } from './header-block.ts'
import { type ParameterisedValue, readParameters } from './header-parameters.ts'
import type { ReadingLimits } from './reading-limits.ts'

export interface MimeNode {
  /** As MailPart.path; empty for a root that is a multipart. */
  readonly path: string
  readonly headers: readonly RawHeader[]
  readonly contentType: ParameterisedValue
  readonly parentType: string | null
  readonly bodyStart: number
  readonly bodyEnd: number
  /** Empty for a leaf. */
  readonly children: readonly MimeNode[]
}

export interface MimeTree {
  /** The bytes of the ranges; line ends may have been repaired. */
  readonly bytes: Buffer
  readonly root: MimeNode
  readonly partCount: number
  /** The first limit that is exceeded, as a public sentence; the rest was not read. */
  readonly exceeded: string | null
  readonly defects: readonly string[]
}

interface Walk {
  readonly bytes: Buffer
  readonly limits: ReadingLimits
  readonly defects: Set<string>
  partCount: number
  exceeded: string | null
}

interface Place {
  readonly start: number
  readonly end: number
  readonly path: string
  readonly depth: number
  readonly parentType: string | null
}

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d

export function splitMime(input: Uint8Array, limits: ReadingLimits): MimeTree {
  const original = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
  const hasBareReturns = !original.includes(LF) && original.includes(CR)
  const bytes = hasBareReturns
    ? Buffer.from(original.map((byte) => (byte === CR ? LF : byte)))
    : original
  const walk: Walk = { bytes, limits, defects: new Set(), partCount: 0, exceeded: null }
  if (hasBareReturns) walk.defects.add('Its lines end with a bare carriage return.')
  const start = skipBlankLines(bytes)
  const root = splitEntity(walk, { start, end: bytes.length, path: '', depth: 0, parentType: null })
  return {
    bytes,
    root: root.children.length === 0 ? { ...root, path: '1' } : root,
    partCount: walk.partCount,
    exceeded: walk.exceeded,
    defects: [...walk.defects].slice(0, limits.defectsMax),
  }
}

// Before the first header nothing else can be meant.
const BLANK_BYTES_MAX = 1_000

function skipBlankLines(bytes: Buffer): number {
  let at = 0
  while (at < BLANK_BYTES_MAX && (bytes[at] === LF || bytes[at] === CR)) at += 1
  return at
}

function splitEntity(walk: Walk, place: Place): MimeNode {
  const { limits } = walk
  walk.partCount += 1
  if (walk.partCount > limits.partsMax) {
    exceed(walk, `It has more than ${limits.partsMax} parts.`)
  }
  const block = readHeaderBlock(walk.bytes, place.start, place.end, limits)
  if (block.exceeded !== null) exceed(walk, block.exceeded)
  if (block.defect !== null) walk.defects.add(block.defect)
  const contentType = readContentType(block, place.parentType)
  const node = {
    path: place.path,
    headers: block.headers,
    contentType,
    parentType: place.parentType,
    bodyStart: Math.min(block.bodyStart, place.end),
    bodyEnd: place.end,
  }
  const isMultipart = contentType.value.startsWith('multipart/')
  if (!isMultipart || walk.exceeded !== null) return { ...node, children: [] }
  if (place.depth >= limits.depthMax) {
    exceed(walk, `Its parts are nested more than ${limits.depthMax} deep.`)
    return { ...node, children: [] }
  }
  return { ...node, children: splitMultipart(walk, place, node) }
}

function exceed(walk: Walk, sentence: string): void {
  walk.exceeded ??= sentence
}

function readContentType(block: HeaderBlock, parentType: string | null): ParameterisedValue {
  const header = block.headers.find(({ name }) => name === 'content-type')
  const told = readParameters(header?.value ?? '')
  if (/^[^/\s]+\/[^/\s]+$/.test(told.value)) return told
  // RFC 2046 section 5.1.5; `text` alone is an old name of plain text.
  const fallback = parentType === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
  return { value: told.value === 'html' ? 'text/html' : fallback, parameters: told.parameters }
}

interface Range {
  readonly start: number
  readonly end: number
}

function splitMultipart(
  walk: Walk,
  place: Place,
  { contentType, bodyStart, bodyEnd }: Pick<MimeNode, 'contentType' | 'bodyStart' | 'bodyEnd'>,
): readonly MimeNode[] {
  const children: MimeNode[] = []
  for (const range of listSegments(
    walk,
    contentType.parameters.get('boundary'),
    bodyStart,
    bodyEnd,
  )) {
    if (walk.exceeded !== null) break
    const number = children.length + 1
    children.push(
      splitEntity(walk, {
        ...range,
        path: place.path === '' ? `${number}` : `${place.path}.${number}`,
        depth: place.depth + 1,
        parentType: contentType.value,
      }),
    )
  }
  return children
}

function listSegments(
  walk: Walk,
  boundary: string | undefined,
  start: number,
  end: number,
): readonly Range[] {
  const { bytes, limits, defects } = walk
  if (boundary !== undefined && boundary !== '') {
    const found = findSegments(bytes, Buffer.from(boundary), start, end, limits.partsMax)
    if (found.segments.length > 0) {
      if (!found.isClosed) defects.add('A multipart is not closed by its boundary.')
      const { preamble } = found
      if (!startsWithPartHeader(bytes, preamble)) return found.segments
      defects.add('A part begins without the boundary that opens it.')
      return [preamble, ...found.segments]
    }
  }
  const sniffed = sniffBoundary(bytes, start, end)
  if (sniffed !== null) {
    defects.add(
      'A multipart does not name the boundary that its parts have; it was taken from them.',
    )
    return findSegments(bytes, sniffed, start, end, limits.partsMax).segments
  }
  // Nothing opens a part, but the line that closes the multipart may be there: the part ends at it.
  const named = Buffer.from(boundary ?? '')
  const whole =
    named.length === 0 ? { start, end } : findSegments(bytes, named, start, end, 1).preamble
  const isBlank =
    bytes.toString('latin1', whole.start, Math.min(whole.end, whole.start + 1_000)).trim() === ''
  if (isBlank) return []
  defects.add('A multipart has no boundary that opens its parts; it was read as one part.')
  return [whole]
}

interface Segments {
  readonly preamble: Range
  readonly segments: readonly Range[]
  readonly isClosed: boolean
}

/**
 * What stands between the delimiter lines of one boundary; at most one segment more than
 * `segmentsMax`.
 */
function findSegments(
  bytes: Buffer,
  boundary: Buffer,
  start: number,
  end: number,
  segmentsMax: number,
): Segments {
  const segments: Range[] = []
  let preambleEnd = end
  let openedAt: number | null = null
  let isClosed = false
  let isFirst = true
  let at = start
  while (at < end && segments.length <= segmentsMax) {
    if (bytes[at] === DASH && bytes[at + 1] === DASH) {
      const delimiter = readDelimiter(bytes, boundary, at, end)
      if (delimiter !== null) {
        const contentEnd = stepBackOverBreak(bytes, at, openedAt ?? start)
        if (isFirst) preambleEnd = contentEnd
        if (openedAt !== null) segments.push({ start: openedAt, end: contentEnd })
        isFirst = false
        isClosed = delimiter.isClosing
        openedAt = delimiter.isClosing ? null : delimiter.next
        at = delimiter.next
        continue
      }
    }
    while (at < end && bytes[at] !== LF) at += 1
    at += 1
  }
  if (openedAt !== null) segments.push({ start: openedAt, end })
  return { preamble: { start, end: preambleEnd }, segments, isClosed }
}

function readDelimiter(
  bytes: Buffer,
  boundary: Buffer,
  start: number,
  end: number,
): { readonly next: number; readonly isClosing: boolean } | null {
  let at = start + 2
  // By index: an iterator takes forty times as long, and a boundary may be long and nearly right on
  // every line.
  for (let index = 0; index < boundary.length; index += 1) {
    if (bytes[at] !== boundary[index]) return null
    at += 1
  }
  if (at > end) return null
  const isClosing = bytes[at] === DASH && bytes[at + 1] === DASH
  if (isClosing) at += 2
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === CR) at += 1
  if (at < end && bytes[at] !== LF) return null
  return { next: Math.min(at + 1, end), isClosing }
}

function stepBackOverBreak(bytes: Buffer, at: number, floor: number): number {
  let end = at
  if (end > floor && bytes[end - 1] === LF) end -= 1
  if (end > floor && bytes[end - 1] === CR) end -= 1
  return end
}

const PART_HEADER = /^content-[a-z-]{2,30}[ \t]*:/i
const SNIFFED_BYTES_MAX = 64 * 1024

function startsWithPartHeader(bytes: Buffer, { start, end }: Range): boolean {
  const text = bytes.toString('latin1', start, Math.min(end, start + 200))
  return PART_HEADER.test(text.trimStart())
}

/** The first line of the form `--word` that a part's headers follow. */
function sniffBoundary(bytes: Buffer, start: number, end: number): Buffer | null {
  const lines = bytes
    .toString('latin1', start, Math.min(end, start + SNIFFED_BYTES_MAX))
    .split('\n')
  const found = lines.findIndex(
    (line, index) => /^--[^\s]/.test(line) && PART_HEADER.test(lines[index + 1] ?? ''),
  )
  const line = lines[found]
  return line === undefined ? null : Buffer.from(line.slice(2).trimEnd(), 'latin1')
}

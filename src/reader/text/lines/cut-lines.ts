// Marks the lines of a report that do not belong to the complaint: signature, disclaimer,
// quoted thread, registry data, footers. Evidence inside such places is kept: a log under a
// signature is still a log.

import { REST_OF_HOP } from '../../formats/enclosed-mail.ts'
import type { ReadableText } from '../../mail/mail.ts'
import { sourceOf } from '../../words/compile-words.ts'
import { findWrapper, listWrapperRows } from './find-wrapper.ts'
import { listRegistry } from './list-registry.ts'
import { isLogLine } from './log-line.ts'
import { isPassedOn } from './passed-on.ts'

const WRITTEN = { text: 'as written' } as const

/**
 * `trace` is the header of a mail that was pasted in, read by itself; `quoted` is what somebody
 * else wrote earlier, and counts when nothing else does; of `links` the addresses count, but no
 * link; `wrapper` is what a ticket system or a hoster wrote around the complaint: its addresses
 * count, its links when nothing else does, its words never for the type; `noise` never counts.
 */
export interface Cut {
  readonly kind: 'noise' | 'links' | 'quoted' | 'trace' | 'wrapper'
  /** Its name for people: `a signature`. */
  readonly what: string
}

const SIGNATURE: Cut = { kind: 'noise', what: 'a signature' }
const DISCLAIMER: Cut = { kind: 'noise', what: 'a disclaimer' }
const REGISTRY: Cut = { kind: 'noise', what: 'registry data (whois)' }
const FOOTER: Cut = { kind: 'links', what: 'a footer' }
const STYLE: Cut = { kind: 'noise', what: 'a style sheet' }
const QUOTED: Cut = { kind: 'quoted', what: 'an earlier mail that is quoted' }
const WRAPPER: Cut = { kind: 'wrapper', what: 'what was written around the complaint' }
const TRACE: Cut = { kind: 'trace', what: 'the header of an enclosed mail' }

// A signature with postal address, numbers and links; longer ones hold something else.
const SIGNATURE_LINES_MAX = 14
const DISCLAIMER_LINES_MAX = 30

/**
 * What the subject says of an earlier mail in the text: in a forwarded one it is what matters, in
 * an answer it is past.
 */
export type Passing = 'forward' | 'answer' | 'none'

export function cutLines(
  lines: readonly string[],
  kind: ReadableText['kind'],
  passing: Passing = 'none',
): readonly (Cut | null)[] {
  const cuts = lines.map((): Cut | null => null)
  if (kind === 'subject') return cuts
  cutTraces(lines, cuts)
  for (const [first, last] of listRegistry(lines)) mark(cuts, REGISTRY, first, last)
  if (kind !== 'body') return cuts
  cutSignatures(lines, cuts)
  cutParagraphs(lines, cuts)
  cutQuoted(lines, cuts, passing)
  cutWrapper(lines, cuts)
  return cuts
}

const FIELD = /^[>\s|]{0,8}[A-Za-z][\w-]{1,60}:(?: |\t|$)/
const TRACE_FIELD =
  /^[>\s|]{0,8}(?:Received: (?:from|by)\b|X-Originating-IP:|Return-Path: ?<|Received-SPF:)/i
const CONTINUED = /^[>|]{0,8}[ \t]+\S/
const TRACE_LINES_MAX = 400
const FIELDS_ABOVE_MAX = 40

/**
 * A header that was pasted in: from its first field to its last, around a line that only a header
 * has.
 */
function cutTraces(lines: readonly string[], cuts: (Cut | null)[]): void {
  for (let at = 0; at < lines.length; at += 1) {
    if (cuts[at] !== null || !TRACE_FIELD.test(lines[at] ?? '')) continue
    let first = at
    while (first > 0 && cuts[first - 1] === null && at - first < FIELDS_ABOVE_MAX) {
      if (!isHeaderLine(lines[first - 1] ?? '')) break
      first -= 1
    }
    // The line a block begins with must be a field; text that is indented may stand above.
    while (first < at && !FIELD.test(lines[first] ?? '')) first += 1
    let last = at
    while (last + 1 < lines.length && last - at < TRACE_LINES_MAX) {
      if (!isHeaderLine(lines[last + 1] ?? '')) break
      last += 1
    }
    mark(cuts, TRACE, first, last)
    at = last
  }
}

function mark(cuts: (Cut | null)[], cut: Cut, first: number, last: number): void {
  for (let at = first; at <= last; at += 1) cuts[at] = cut
}

function isHeaderLine(line: string): boolean {
  return (
    FIELD.test(line) || CONTINUED.test(line) || REST_OF_HOP.test(line.replace(/^[>|]{1,8}/, ''))
  )
}

const CLOSING = new RegExp(
  `^[>\\s*_]{0,8}(?:${sourceOf('signature.regards', WRITTEN)}?\\s?${sourceOf('signature.regards-word', WRITTEN)}|${sourceOf('signature.closing', WRITTEN)})[\\s,.!。、*_]{0,4}$`,
  'iu',
)
const EVIDENCE_START = new RegExp(
  `^[\\s\\-=_*#>[]{0,20}(?:(?:\\p{L}+ ){0,4}(?:${sourceOf('evidence-heading', WRITTEN)}|${sourceOf('evidence-heading.first', WRITTEN)} \\p{L}+)\\b|${sourceOf('evidence-heading.begin', WRITTEN)}\\b)`,
  'iu',
)

function cutSignatures(lines: readonly string[], cuts: (Cut | null)[]): void {
  for (let at = 0; at < lines.length; at += 1) {
    if (cuts[at] !== null || !isClosing(lines[at] ?? '')) continue
    let filled = 0
    for (let next = at; next < lines.length && filled <= SIGNATURE_LINES_MAX; next += 1) {
      const below = lines[next] ?? ''
      if (next > at && endsSignature(below, cuts[next] ?? null)) break
      if (below.trim() !== '') filled += 1
      cuts[next] ??= SIGNATURE
      at = next
    }
  }
}

function isClosing(line: string): boolean {
  return /^--\s*$/.test(line) || CLOSING.test(line.slice(0, 200))
}

function endsSignature(line: string, cut: Cut | null): boolean {
  return (
    cut !== null ||
    isLogLine(line) ||
    EVIDENCE_START.test(line.slice(0, 120)) ||
    /^[\s>]*[-=_*#]{12,}\s*$/.test(line.slice(0, 200)) ||
    // A row of a table.
    line.includes(' | ')
  )
}

const DISCLAIMER_START = new RegExp(
  [
    `\\b${sourceOf('disclaimer', WRITTEN)}`,
    `\\b${sourceOf('disclaimer.this-mail', WRITTEN)}(?: \\(?${sourceOf('disclaimer.attachments', WRITTEN)}[^.]{0,40})? ${sourceOf('disclaimer.is', WRITTEN)} `,
    `\\b${sourceOf('disclaimer.this-mail-can', WRITTEN)}[^.]{0,40} ${sourceOf('disclaimer.can', WRITTEN)}`,
  ].join('|'),
  'iu',
)
const FOOTER_LINE = new RegExp(
  `\\b(?:${sourceOf('footer', WRITTEN)}|${sourceOf('footer.status', { ...WRITTEN, end: 'word' })})`,
  'iu',
)

function cutParagraphs(lines: readonly string[], cuts: (Cut | null)[]): void {
  for (let at = 0; at < lines.length; at += 1) {
    if (cuts[at] !== null) continue
    const cut = findParagraph(lines[at] ?? '')
    if (cut === null) continue
    if (cut !== DISCLAIMER) {
      cuts[at] = cut
      continue
    }
    const end = Math.min(lines.length, at + DISCLAIMER_LINES_MAX)
    for (let next = at; next < end && (lines[next] ?? '').trim() !== ''; next += 1) {
      if (next > at && isLogLine(lines[next] ?? '')) break
      cuts[next] ??= DISCLAIMER
    }
  }
}

function findParagraph(fullLine: string): Cut | null {
  if (fullLine === '') return null
  const line = fullLine.slice(0, 1_000)
  const isStyle =
    line.includes('{') &&
    /^\s{0,20}[.#@]?[\w\-., #:>*]{1,120}\{[^{}]{0,500}(?:\}|$)/.test(line) &&
    /[\w-]{3,30}\s?:\s?[^;{}]{1,80};/.test(line)
  if (isStyle) return STYLE
  if (FOOTER_LINE.test(line)) return FOOTER
  return DISCLAIMER_START.test(line) ? DISCLAIMER : null
}

const REPLY_START = new RegExp(`^\\s{0,4}${sourceOf('quote.wrote', WRITTEN)}\\s?[:：]\\s*$`, 'iu')
const REPLY_BEGINNING = new RegExp(`^\\s{0,4}${sourceOf('quote.on', WRITTEN)} `, 'iu')
const ORIGINAL = new RegExp(
  `^[\\s>]{0,4}-{2,}\\s?${sourceOf('quote.original-message', WRITTEN)}\\s?-{2,}`,
  'iu',
)
const OUTLOOK_FIELD = new RegExp(
  `^\\s{0,4}\\*?(?:${sourceOf('header.from', WRITTEN)}|${sourceOf('header.sent', WRITTEN)}|${sourceOf('header.to', WRITTEN)}|${sourceOf('header.subject', WRITTEN)})\\s?[:：]\\*?\\s`,
  'iu',
)

const FROM_FIELD = new RegExp(`^${sourceOf('header.from', WRITTEN)}`, 'iu')

// Few lines end with a colon; only there the pattern is tried.
function startsReply(line: string): boolean {
  return /[:：]$/.test(line.trimEnd().slice(-1)) && REPLY_START.test(line)
}

/** `From: …` and the like, as mail programs copy them into a text. */
export function isHeadField(line: string): boolean {
  return OUTLOOK_FIELD.test(line.slice(0, 200))
}

/** Quoted text of an earlier mail, unless it is a forwarded report. */
function cutQuoted(lines: readonly string[], cuts: (Cut | null)[], passing: Passing): void {
  // Whether the quoted mail is the complaint; null until the first one is found. A subject that
  // marks the mail as passed on or answered decides it.
  let isReport: boolean | null = passing === 'none' ? null : false
  for (let at = 0; at < lines.length; at += 1) {
    if (cuts[at] !== null) continue
    const beginning = findBeginning(lines[at] ?? '')
    if (beginning === null) continue
    if (beginning === 'quote') {
      isReport ??= isPassedOnAt(lines, cuts, at)
      if (!isReport) cuts[at] = QUOTED
    } else if (passing !== 'forward' && startsThread(lines, at, beginning)) {
      isReport ??= isPassedOnAt(lines, cuts, at)
      if (isReport) continue
      for (let next = at; next < lines.length; next += 1) cuts[next] ??= QUOTED
      return
    }
  }
}

function cutWrapper(lines: readonly string[], cuts: (Cut | null)[]): void {
  for (const at of listWrapperRows(lines)) cuts[at] ??= WRAPPER
  // A mail that was pasted in with its header is a sample of spam, and what stands above it the
  // complaint.
  if (cuts.includes(TRACE)) return
  const end = findWrapper(lines)
  for (let at = 0; at < end; at += 1) cuts[at] ??= WRAPPER
}

// A forwarder writes only a short text above the forwarded mail.
const INTRODUCTION_LINES = 25

/**
 * Whether the words above say that a complaint follows. A mail that was pasted in with its header
 * is a sample of spam and no complaint.
 */
function isPassedOnAt(
  lines: readonly string[],
  cuts: readonly (Cut | null)[],
  at: number,
): boolean {
  return !cuts.includes(TRACE) && isPassedOn(lines.slice(Math.max(0, at - INTRODUCTION_LINES), at))
}

/** What a line may begin; `reply` and `head` need the lines below to be sure. */
function findBeginning(fullLine: string): 'quote' | 'thread' | 'reply' | 'head' | null {
  const line = fullLine.slice(0, 400)
  if (/^\s{0,3}>/.test(line)) return 'quote'
  if (ORIGINAL.test(line) || startsReply(line)) return 'thread'
  // `On … wrote:` is often broken in two.
  if (REPLY_BEGINNING.test(line) && line.length < 200) return 'reply'
  return FROM_FIELD.test(line.trimStart().replace(/^\*/, '')) ? 'head' : null
}

function startsThread(
  lines: readonly string[],
  at: number,
  beginning: 'thread' | 'reply' | 'head',
): boolean {
  switch (beginning) {
    case 'thread':
      return true
    case 'reply':
      return startsReply(
        `${(lines[at] ?? '').trimEnd()} ${(lines[at + 1] ?? '').trim().slice(0, 120)}`,
      )
    case 'head':
      return [0, 1, 2].every((step) => isHeadField(lines[at + step] ?? ''))
  }
}

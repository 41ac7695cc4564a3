// Lists the texts that a person would read in a mail: subject, body, attachments, enclosed mail.
// The body is listed once, although most mails have it as text and as HTML.

import { isEnclosedMail } from './detect-mail.ts'
import { readHtml } from './html-text.ts'
import type { Mail, MailPart, ReadableText } from './mail.ts'
import { parseMail } from './parse-mail.ts'
import { removeArmour } from './pgp-armour.ts'
import { READING_LIMITS, type ReadingLimits } from './reading-limits.ts'

/** In reading order; texts without a word are left out. Bounded by the limits. */
export function listReadableTexts(
  mail: Mail,
  limits: ReadingLimits = READING_LIMITS,
): readonly ReadableText[] {
  return bound(collectTexts(mail, limits, 0), limits)
}

function collectTexts(mail: Mail, limits: ReadingLimits, depth: number): readonly ReadableText[] {
  const texts: ReadableText[] = []
  if (mail.subject !== '') texts.push({ part: 'subject', kind: 'subject', lines: [mail.subject] })
  const candidates = mail.parts
    .slice(0, limits.partsMax)
    .flatMap((part, index) => readPart(part, index, limits, depth))
  const bodies = chooseBodies(candidates.filter(({ kind }) => kind === 'body'))
  for (const { isPlain: _, ...text } of candidates) {
    if (text.kind !== 'body' || bodies.has(text.lines)) texts.push(text)
  }
  return texts.filter(({ lines }) => lines.some((line) => line.trim() !== ''))
}

interface Candidate extends ReadableText {
  readonly isPlain: boolean
}

function readPart(
  part: MailPart,
  index: number,
  limits: ReadingLimits,
  depth: number,
): readonly Candidate[] {
  const { mediaType, fileName, isAttachment } = part
  if (isEnclosedMail(part)) {
    const text =
      depth < limits.enclosedDepthMax ? readEnclosed(part.bytes, limits, depth) : { lines: [] }
    return [{ part: 'enclosed mail', kind: 'enclosed', isPlain: true, ...text }]
  }
  if (part.text === null || !isForPeople(mediaType, fileName)) return []
  const isHtml = mediaType === 'text/html' || /\.html?$/i.test(fileName ?? '')
  const { lines, isCut } = isHtml
    ? readHtml(part.text, limits.textLengthMax)
    : readPlain(part.text, limits.textLengthMax)
  const readable = removeArmour(lines).flatMap((line) => cutLine(line, limits.lineLengthMax))
  const cut = isCut ? { unread: `beyond ${limits.textLengthMax} characters of one part` } : {}
  // A body part may have a file name and is still the body.
  const isFile = isAttachment || (fileName !== null && index > 0)
  if (isFile) {
    const name = fileName ?? mediaType
    return [
      { part: `attachment ${name}`, kind: 'attachment', lines: readable, isPlain: !isHtml, ...cut },
    ]
  }
  return [
    { part: isHtml ? 'html' : 'text', kind: 'body', lines: readable, isPlain: !isHtml, ...cut },
  ]
}

// Tables and machine formats have readers of their own; a calendar holds no complaint.
function isForPeople(mediaType: string, fileName: string | null): boolean {
  if (/\.(?:csv|tsv|xml|json|ics|vcf|ya?ml)$/i.test(fileName ?? '')) return false
  if (/\.(?:txt|log|html?)$/i.test(fileName ?? '')) return true
  return (
    mediaType.startsWith('text/') &&
    !/^text\/(?:csv|tab-separated-values|xml|calendar|css|javascript|x?-?vcard|directory)/.test(
      mediaType,
    )
  )
}

function readPlain(
  text: string,
  lengthMax: number,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const lines = text.slice(0, lengthMax).split('\n')
  return { lines: lines.map((line) => line.trimEnd()), isCut: text.length > lengthMax }
}

function cutLine(line: string, lengthMax: number): readonly string[] {
  if (line.length <= lengthMax) return [line]
  const pieces: string[] = []
  for (let at = 0; at < line.length; at += lengthMax) pieces.push(line.slice(at, at + lengthMax))
  return pieces
}

/** Its headers as lines, then what it says; mails within it below. */
function readEnclosed(
  bytes: Uint8Array,
  limits: ReadingLimits,
  depth: number,
): Pick<ReadableText, 'lines' | 'unread'> {
  const mail = parseMail(bytes, limits)
  const headers = mail.headers.map(({ name, value }) => `${titleCase(name)}: ${value}`)
  const texts = collectTexts({ ...mail, subject: '' }, limits, depth + 1)
  const lines = [...headers, ...texts.flatMap((text) => ['', ...text.lines])].flatMap((line) =>
    cutLine(line, limits.lineLengthMax),
  )
  const unread = texts.find((text) => text.unread !== undefined)?.unread
  return unread === undefined ? { lines } : { lines, unread }
}

function titleCase(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letters) => letters.toUpperCase())
}

// The share of words that the text and the HTML must have in common to count as the same body; line
// breaks, links and footers differ.
const SAME_SHARE = 0.6
// A text this short beside a longer HTML only says that the mail is in HTML.
const STUB_WORDS_MAX = 40
const WORDS_MAX = 20_000

/**
 * The text when the HTML says the same, the HTML when the text has no content of its own, else
 * both. Their words decide.
 */
function chooseBodies(candidates: readonly Candidate[]): ReadonlySet<readonly string[]> {
  const chosen = new Set(candidates.map(({ lines }) => lines))
  const pages = candidates.filter(({ isPlain }) => !isPlain)
  const plains = candidates.filter(({ isPlain }) => isPlain)
  if (pages.length === 0 || plains.length === 0) return chosen
  const plainWords = listWords(plains.flatMap(({ lines }) => lines))
  for (const page of pages) {
    const words = listWords(page.lines)
    if (shareOf(words, plainWords) >= SAME_SHARE) {
      chosen.delete(page.lines)
      continue
    }
    for (const { lines } of plains) {
      const own = listWords(lines)
      if (own.size <= STUB_WORDS_MAX || shareOf(own, words) >= SAME_SHARE) chosen.delete(lines)
    }
  }
  return chosen
}

function listWords(lines: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>()
  for (const line of lines) {
    // The target of a link is no word that the text has to have.
    for (const word of line.toLowerCase().split(/<[^<>\s]*>|[^\p{L}\p{N}.:_-]+/u)) {
      if (word.length > 2) words.add(word)
      if (words.size >= WORDS_MAX) return words
    }
  }
  return words
}

/** How much of `words` is in `others`; nothing is in everything. */
function shareOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (words.size === 0) return 1
  let found = 0
  for (const word of words) if (others.has(word)) found += 1
  return found / words.size
}

function bound(texts: readonly ReadableText[], limits: ReadingLimits): readonly ReadableText[] {
  let left = limits.textsLengthMax
  let linesLeft = limits.linesMax
  const kept: ReadableText[] = []
  for (const text of texts.slice(0, limits.textsMax)) {
    const lines: string[] = []
    for (const line of text.lines) {
      if (left <= 0 || linesLeft <= 0) break
      lines.push(line.slice(0, left))
      left -= line.length + 1
      linesLeft -= 1
    }
    // The last line that fits exactly takes `left` to −1: its line end is counted and not there.
    const isWhole = left >= -1 && text.lines.slice(lines.length).every((line) => line === '')
    if (isWhole) kept.push({ ...text, lines })
    else kept.push({ ...text, lines, unread: explainBound(left, limits) })
  }
  const rest = texts[limits.textsMax]
  if (rest === undefined) return kept
  const unread = `beyond ${limits.textsMax} texts of one report`
  return [...kept, { ...rest, lines: [], unread }]
}

function explainBound(left: number, { textsLengthMax, linesMax }: ReadingLimits): string {
  return left <= 0
    ? `beyond ${textsLengthMax} characters of one report`
    : `beyond ${linesMax} lines of one report`
}

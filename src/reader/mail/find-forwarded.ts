// Finds the author of a mail that was forwarded in the text of another mail, by the header lines
// that mail programs copy into the text.

import { addressParser } from 'postal-mime'
import { listPhrases, sourceOf } from '../words/compile-words.ts'
import type { MailAddress } from './mail.ts'

const WRITTEN = { text: 'as written' } as const

// `Begin forwarded message:`, `---------- Forwarded message ---------`, `-----Original
// Message-----`, in the languages of mail programs.
const START = new RegExp(`^[\\s>*_-]{0,40}${sourceOf('quote.forward-start', WRITTEN)}`, 'iu')
const FIELD = new RegExp(
  `^[\\s>*|]{0,20}(${sourceOf('quote.from', WRITTEN)}|${sourceOf('quote.to', WRITTEN)})\\*?\\s?[:：]\\*?\\s?(.{1,500})`,
  'iu',
)
const FROM_NAMES: ReadonlySet<string> = new Set(
  listPhrases('quote.from').map((name) => name.replaceAll(' ', '')),
)

// The copied header is a handful of lines, in a mail that may be long.
const LINES_MAX = 2_000
const FIELD_LINES_MAX = 12

/**
 * Empty when the copied header names a recipient outside of the forwarder's organisation. This
 * separates forwarded complaints from forwarded spam.
 */
export function findForwardedAuthor(
  text: string,
  isOwn: (address: string) => boolean,
): readonly MailAddress[] {
  const lines = text.split('\n', LINES_MAX)
  const start = findStart(lines)
  if (start === null) return []
  let authors: readonly MailAddress[] = []
  let recipients: readonly MailAddress[] = []
  for (const line of lines.slice(start + 1, start + 1 + FIELD_LINES_MAX)) {
    const match = FIELD.exec(line)
    if (match === null) continue
    const name = (match[1] ?? '').toLowerCase().replaceAll(' ', '')
    const addresses = parseList(match[2] ?? '')
    if (FROM_NAMES.has(name)) authors = authors.length === 0 ? addresses : authors
    else recipients = recipients.length === 0 ? addresses : recipients
  }
  const isAddressedToOwn = recipients.every(({ address }) => isOwn(address))
  return isAddressedToOwn ? authors : []
}

/** The line above the copied header, −1 at the start of the text; null without a copied header. */
function findStart(lines: readonly string[]): number | null {
  const marker = lines.findIndex((line) => START.test(line))
  if (marker !== -1) return marker
  // Some programs put no separator line above the copied header.
  const head = lines.findIndex((_, at) => isHead(lines, at))
  return head === -1 ? null : head - 1
}

const FORWARDED_LENGTH_MAX = 4_000
// Phrases of a complaint about the recipient's own network. A forwarded advertisement or fraud has
// none of them.
const ABOUT_OURS = new RegExp(`(?<!\\p{L})${sourceOf('quote.about-ours', WRITTEN)}(?!\\p{L})`, 'iu')

/** True when the forwarded mail complains about the recipient's network. */
export function isForwardedComplaint(text: string): boolean {
  const lines = text.split('\n', LINES_MAX)
  const start = findStart(lines)
  if (start === null) return false
  return isAboutOurs(lines.slice(start + 1).join('\n'))
}

/** True for words that a complaint about the recipient's network has. */
export function isAboutOurs(text: string): boolean {
  return ABOUT_OURS.test(text.slice(0, FORWARDED_LENGTH_MAX))
}

const HEAD_FIELD = new RegExp(
  `^[\\s>*|]{0,20}${sourceOf('quote.head-field', WRITTEN)}\\*?\\s?[:：]`,
  'iu',
)

/** A From field with an address, followed by fields of a date, a recipient, a subject. */
function isHead(lines: readonly string[], at: number): boolean {
  const match = FIELD.exec((lines[at] ?? '').slice(0, 600))
  const name = (match?.[1] ?? '').toLowerCase().replaceAll(' ', '')
  if (match === null || !FROM_NAMES.has(name) || !(match[2] ?? '').includes('@')) return false
  const below = lines.slice(at + 1, at + 5)
  return below.filter((line) => FIELD.test(line) || HEAD_FIELD.test(line)).length >= 3
}

function parseList(value: string): readonly MailAddress[] {
  // Outlook writes `Name [mailto:a@example.org]`.
  const plain = value.replace(/\[mailto:([^\]\s]{3,254})\]/i, '<$1>')
  return addressParser(plain, { flatten: true }).flatMap(({ name, address }) =>
    address === undefined || address === '' ? [] : [{ displayName: name, address }],
  )
}

// Finds the addresses of a set in texts and in the bytes of reports: in any case, with `%40` for
// the at sign, never as part of a longer address.

import type { ErasedAddresses } from './erased-address.ts'

interface FoundAddress {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

const AT = /@|%40/g
// RFC 5321 section 4.5.3.1.
const LOCAL_LENGTH_MAX = 64
const DOMAIN_LENGTH_MAX = 253

const LOCAL_CODES = listCodes("!#$%&'*+/=?^_`{|}~.-")
const DOMAIN_CODES = listCodes('.-')
// An address that begins after one of these goes on to the left.
const NAME_CODES = listCodes('_.+-')

/** Letters, digits and these, by code. */
function listCodes(others: string): readonly boolean[] {
  return Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return /[a-z0-9]/i.test(character) || others.includes(character)
  })
}

/** `isJson`: the text of a JSON value, where a line break is written as two characters. */
function* findAddresses(
  text: string,
  addresses: ErasedAddresses,
  isJson: boolean,
): Generator<FoundAddress> {
  let free = 0
  for (const { 0: sign, index: at } of text.matchAll(AT)) {
    if (at < free) continue
    const from = at + sign.length
    const end = endDomain(text, from)
    if (end === from) continue
    const domain = text.slice(from, end)
    const least = Math.max(free, at - LOCAL_LENGTH_MAX)
    let start = at
    while (start > least && LOCAL_CODES[text.charCodeAt(start - 1)] === true) start -= 1
    // The longest one first: what is known by its whole name is not a shorter one after a sign.
    for (; start < at; start += 1) {
      if (!beginsAt(text, start, isJson)) continue
      const address = `${text.slice(start, at)}@${domain}`.toLowerCase()
      const replacement = addresses.findReplacement(address)
      if (replacement === null) continue
      yield { start, end, replacement }
      free = end
      break
    }
  }
}

/** Where the domain that begins here ends; a full stop or hyphens after it are the sentence's. */
function endDomain(text: string, from: number): number {
  const most = Math.min(text.length, from + DOMAIN_LENGTH_MAX)
  let end = from
  while (end < most && DOMAIN_CODES[text.charCodeAt(end)] === true) end += 1
  while (end > from && /[.-]/.test(text.charAt(end - 1))) end -= 1
  return end
}

function beginsAt(text: string, start: number, isJson: boolean): boolean {
  if (start === 0 || NAME_CODES[text.charCodeAt(start - 1)] !== true) return true
  if (/^%[0-9a-f]{2}$/i.test(text.slice(Math.max(0, start - 3), start))) return true
  return isJson && /^\\[nrtbf]$/.test(text.slice(Math.max(0, start - 2), start))
}

export function holdsAddress(text: string, addresses: ErasedAddresses, isJson: boolean): boolean {
  return findAddresses(text, addresses, isJson).next().done === false
}

export function replaceAddresses(
  text: string,
  addresses: ErasedAddresses,
  isJson: boolean,
): string {
  const parts: string[] = []
  let done = 0
  for (const { start, end, replacement } of findAddresses(text, addresses, isJson)) {
    parts.push(text.slice(done, start), replacement)
    done = end
  }
  return done === 0 ? text : `${parts.join('')}${text.slice(done)}`
}

/**
 * The bytes of a report as texts that may show an address: as they stand, in quoted-printable, in
 * UTF-16, and what is packed in base64.
 */
export function* readBytesAsTexts(bytes: Buffer): Generator<string> {
  // Addresses are ASCII, and what is not becomes something that is no part of one.
  const text = bytes.toString('latin1')
  yield text
  if (text.includes('\0')) yield text.replaceAll('\0', '')
  if (/=(?:\r?\n|[0-9a-f]{2})/i.test(text)) {
    yield text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  }
  // JSON writes a slash as it likes.
  for (const { 0: packed } of text.replaceAll('\\/', '/').matchAll(BASE64)) {
    const unpacked = Buffer.from(packed, 'base64').toString('latin1')
    yield unpacked
    if (unpacked.includes('\0')) yield unpacked.replaceAll('\0', '')
  }
}

// Lines that follow each other without a blank one. Nine bytes at least, the shortest address that
// is told from chance.
const BASE64 = /[A-Za-z0-9+/]{12,}(?:\r?\n[A-Za-z0-9+/]+)*={0,2}/g

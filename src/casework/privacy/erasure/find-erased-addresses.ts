// Finds addresses in texts and in the bytes of reports: in upper or lower case, with `%40` for the
// at sign, and never as part of a longer address.

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
// An address cannot begin directly after one of these: it continues to the left.
const NAME_CODES = listCodes('_.+-')

/** True for letters, digits and these characters, by character code. */
function listCodes(others: string): readonly boolean[] {
  return Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return /[a-z0-9]/i.test(character) || others.includes(character)
  })
}

/** `isJson`: the text is JSON, where a line break is written as two characters. */
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
    // The longest candidate first: `a+b@…` must not be found as `b@…`.
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

/** The end of the domain that begins here. Dots and hyphens behind it belong to the sentence. */
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
 * The bytes of a report as texts that may contain an address: unchanged, decoded from
 * quoted-printable, from UTF-16, and from base64.
 */
export function* readBytesAsTexts(bytes: Buffer): Generator<string> {
  // Addresses are ASCII; other bytes become characters that are no part of an address.
  const text = bytes.toString('latin1')
  yield text
  if (text.includes('\0')) yield text.replaceAll('\0', '')
  if (/=(?:\r?\n|[0-9a-f]{2})/i.test(text)) {
    yield text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  }
  // JSON may escape a slash.
  for (const { 0: packed } of text.replaceAll('\\/', '/').matchAll(BASE64)) {
    const unpacked = Buffer.from(packed, 'base64').toString('latin1')
    yield unpacked
    if (unpacked.includes('\0')) yield unpacked.replaceAll('\0', '')
  }
}

// Consecutive lines without an empty line. At least nine bytes: a shorter match could be chance.
const BASE64 = /[A-Za-z0-9+/]{12,}(?:\r?\n[A-Za-z0-9+/]+)*={0,2}/g

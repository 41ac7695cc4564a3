// Decodes encoded words of headers (RFC 2047) and parses address lists (RFC 5322 section 3.4) with
// postal-mime. Very long values are not given to it, because version 4.0.0 joins words in quadratic
// time.

import { addressParser, decodeWords as decodeWithLibrary } from 'postal-mime'
import { decodeTransfer } from './decode-transfer.ts'
import { decodeUtf7 } from './decode-utf7.ts'
import type { MailAddress } from './mail.ts'
import type { ReadingLimits } from './reading-limits.ts'

const ADDRESS_LENGTH_MAX = 254

/** Text after the limit stays encoded. */
export function decodeWords(value: string, limits: ReadingLimits): string {
  if (!value.includes('=?')) return value
  const head = value.slice(0, limits.headerValueLengthMax)
  return decodeWithLibrary(decodeUtf7Words(head)) + value.slice(head.length)
}

// The library uses TextDecoder, which does not know UTF-7.
function decodeUtf7Words(value: string): string {
  return value.replaceAll(
    /=\?(?:unicode-1-1-)?utf-?7(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi,
    (_, encoding: string, text: string) => {
      const isBase64 = encoding.toLowerCase() === 'b'
      const bytes = Buffer.from(isBase64 ? text : text.replaceAll('_', ' '), 'latin1')
      return decodeUtf7(decodeTransfer(bytes, isBase64 ? 'base64' : 'quoted-printable'))
    },
  )
}

/**
 * Groups are flattened. Encoded words are decoded after the list was split, so that an encoded name
 * cannot be mistaken for an address.
 */
export function parseAddresses(
  values: readonly string[],
  limits: ReadingLimits,
): readonly MailAddress[] {
  const addresses: MailAddress[] = []
  for (const value of values) {
    if (addresses.length >= limits.addressesMax) break
    const readable = flattenComments(value.slice(0, limits.headerValueLengthMax))
    const parsed = addressParser(readable, { flatten: true })
    for (const { name, address } of parsed) {
      if (address === undefined || address === '') continue
      addresses.push({ displayName: name, address: address.slice(0, ADDRESS_LENGTH_MAX) })
    }
  }
  return addresses.slice(0, limits.addressesMax)
}

/**
 * Comments nest and may have escaped brackets (RFC 5322 section 3.2.2). postal-mime 4.0.0 ignores
 * that and would find `false@…` in `Shown (a (nested) comment <false@…>) <true@…>`. So characters
 * with a meaning outside of comments become spaces inside them.
 */
function flattenComments(value: string): string {
  if (!value.includes('(')) return value
  let depth = 0
  let isQuoted = false
  let flat = ''
  for (const [token] of value.matchAll(/\\[^]|[^]/g)) {
    if (token === '"' && depth === 0) isQuoted = !isQuoted
    if (token === '(' && !isQuoted) depth += 1
    const isOutermost = depth <= 1
    if (depth === 0 || (isOutermost && (token === '(' || token === ')'))) flat += token
    else flat += /^[\\()<>",;:]/.test(token) ? ' ' : token
    if (token === ')' && !isQuoted && depth > 0) depth -= 1
  }
  return flat
}

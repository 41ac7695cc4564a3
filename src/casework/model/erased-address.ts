// An address that is to be found and replaced wherever it stands: in texts, in JSON, in raw mail. Patterns are PostgreSQL's (ARE).

import { createHmac } from 'node:crypto'
import { isEmailAddress } from './email-address.ts'

export interface ErasedAddress {
  /** Lower case, with `%` between local part and domain and around it all: passes everything that the patterns match. */
  readonly like: string
  /** The address in a text, with any case, `%40` for `@` too; not as the end of a longer address. */
  readonly inText: string
  /** The same in the text of a JSON value, where a line break is written as two characters. */
  readonly inJson: string
  /** Parts of it in base64, at each of the three places in a group of bytes; none for one that is too short to be told from chance. */
  readonly inBase64: readonly string[]
  /** Stands in its place. */
  readonly replacement: string
}

/** Null when it is no address. `secret` is the key of this instance. */
export function readErasedAddress(
  text: string,
  tenantId: string,
  secret: Buffer,
): ErasedAddress | null {
  const address = text.trim().toLowerCase()
  if (!isEmailAddress(address)) return null
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  const name = createHmac('sha256', secret)
    .update(JSON.stringify(['erasure', tenantId, address]))
    .digest('hex')
    .slice(0, 24)
  const core = `${escapePattern(local)}(?:@|%40)${escapePattern(domain)}`
  // A longer domain is another one; a full stop that ends a sentence is not.
  const end = '(?![a-z0-9-]|\\.[a-z0-9])'
  const start = '(?<![a-z0-9_.+-])'
  return {
    like: `%${escapeLike(local)}%${escapeLike(domain)}%`,
    inText: `${start}${core}${end}`,
    inJson: `(?:${start}|(?<=\\\\[nrtbf]))${core}${end}`,
    inBase64: [0, 1, 2].flatMap((offset) => cutBase64(address, offset)),
    // RFC 2606: nobody ever has an address there.
    replacement: `erased-${name}@erased.invalid`,
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, (character) => `\\${character}`)
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}

// 9 bytes: by chance in one of 10^21 places.
const BASE64_LENGTH_MIN = 12

/** What base64 makes of it whatever stands before and after, when `offset` bytes of its first group are another's. */
function cutBase64(address: string, offset: number): readonly string[] {
  const bytes = Buffer.from(address)
  const from = (3 - offset) % 3
  const length = Math.floor((bytes.length - from) / 3) * 3
  const part = bytes.subarray(from, from + length).toString('base64')
  return part.length < BASE64_LENGTH_MIN ? [] : [part]
}

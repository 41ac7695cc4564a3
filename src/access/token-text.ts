// The text form of an API token: `cw_<kind>_<secret><checksum>` (design section 6). The secret
// carries 215 bits; the checksum is for secret scanners only and never a reason to refuse.

import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 36 characters × 5.95 bits = 214 bits; the design asks for 160 or more.
const SECRET_LENGTH = 36
// 62^6 is more than 2^32, so six characters hold any CRC-32.
const CHECKSUM_LENGTH = 6

export type TokenKind = 'api' | 'admin'

export function createTokenText(kind: TokenKind): string {
  let secret = ''
  for (let i = 0; i < SECRET_LENGTH; i += 1) secret += ALPHABET.charAt(randomInt(ALPHABET.length))
  return `cw_${kind}_${secret}${buildChecksum(secret)}`
}

/**
 * True when the text has our shape and its checksum is right. For scanners and help texts, not for
 * access.
 */
export function hasTokenShape(text: string): boolean {
  const match = /^cw_[a-z]+_([0-9A-Za-z]{36})([0-9A-Za-z]{6})$/.exec(text)
  return match?.[1] !== undefined && buildChecksum(match[1]) === match[2]
}

/**
 * What is stored and compared. A fast hash is right here: the secret is random and long, so there
 * is nothing to guess.
 */
export function hashToken(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

function buildChecksum(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

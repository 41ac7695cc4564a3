// Cursors of lists: the position where a page ended. A cursor is signed, so that a client cannot
// make or alter one, and bound to the filters and the order of its list (design section 5.4). It
// holds no rows and is valid as long as the key is.

import { createHmac, timingSafeEqual } from 'node:crypto'

/** Values of the last row of a page, in the order of the sort: times as ISO 8601, ids as text. */
export type CursorPosition = readonly string[]

export interface CursorSealer {
  /** `binding`: tenant, list, sort, order and filters; the same texts must be given to `open`. */
  readonly seal: (binding: readonly string[], position: CursorPosition) => string
  /** The position, or null for a text that `seal` did not give for this very binding. */
  readonly open: (binding: readonly string[], text: string) => CursorPosition | null
}

// Longer than any cursor of ours: two ids of 256 characters, as UTF-8 and base64url. What is longer
// is not even decoded.
export const CURSOR_LENGTH_MAX = 2_048
// 128 bits of the MAC: a forger has one try in 2^128 per request (RFC 2104 section 5 allows half of
// the hash).
const MAC_BYTES = 16

export function createCursorSealer(secret: Buffer): CursorSealer {
  const sign = (binding: readonly string[], content: Buffer): Buffer => {
    const mac = createHmac('sha256', secret)
    // Each text goes with its length in front, so that two bindings never give the same bytes.
    for (const text of binding) mac.update(`${text.length}:${text};`)
    return mac.update('|').update(content).digest().subarray(0, MAC_BYTES)
  }
  return {
    seal(binding, position) {
      const content = Buffer.from(JSON.stringify(position), 'utf8')
      return Buffer.concat([sign(binding, content), content]).toString('base64url')
    },
    open(binding, text) {
      if (text.length > CURSOR_LENGTH_MAX) return null
      const bytes = Buffer.from(text, 'base64url')
      // The decoder skips what is not base64url and ignores spare bits; one position must have one
      // spelling only.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return null
      const content = bytes.subarray(MAC_BYTES)
      if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), sign(binding, content))) return null
      return parsePosition(content)
    },
  }
}

// Signed by us, so this can fail only when an older program wrote it in another form.
function parsePosition(content: Buffer): CursorPosition | null {
  const value: unknown = JSON.parse(content.toString('utf8'))
  return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : null
}

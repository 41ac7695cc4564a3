// The Idempotency-Key header, as the draft of the IETF has it, with the length that others allow.

import { idempotencyKeyNotValid } from '../errors.ts'

const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/

/** Null when there is none. Throws `idempotencyKeyNotValid`. */
export function readIdempotencyKey(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | null {
  const given = headers['idempotency-key']
  if (given === undefined) return null
  if (typeof given !== 'string' || !KEY_PATTERN.test(given)) throw idempotencyKeyNotValid()
  return given
}

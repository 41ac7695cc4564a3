// Codes of an authenticator app (TOTP, RFC 6238, over HOTP, RFC 4226): six digits of HMAC-SHA-1 for
// each 30 s, which every app has. It is thirty lines over node:crypto; the kept libraries bring
// their own hashes (docs/decisions/dependencies.md).

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// RFC 4226 section 4: 160 bits are recommended.
const SECRET_BYTES = 20
const STEP_SECONDS = 30
const DIGITS = 6
// RFC 6238 section 5.2: one step for the way and for clocks that differ.
const WINDOW_STEPS = 1

export function createTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/**
 * The time step whose code this is, or null. Steps that are not newer than `afterStep` do not
 * count, so a code that was used, or seen over a shoulder, is not good again.
 */
export function findTotpStep(
  secret: Buffer,
  code: string,
  { nowMs, afterStep }: { readonly nowMs: number; readonly afterStep: number },
): number | null {
  const present = Math.floor(nowMs / 1_000 / STEP_SECONDS)
  const given = Buffer.from(code)
  let found: number | null = null
  for (let step = present - WINDOW_STEPS; step <= present + WINDOW_STEPS; step += 1) {
    const expected = Buffer.from(computeTotpCode(secret, step))
    const isIt = given.length === expected.length && timingSafeEqual(given, expected)
    if (isIt && step > afterStep) found = step
  }
  return found
}

export function computeTotpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  // RFC 4226 section 5.3: the last four bits say where the 31 bits begin.
  const offset = digest.readUInt8(digest.length - 1) & 0x0f
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** RFC 4648 section 6, in small letters and without padding. */
export function writeBase32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32.charAt((held >>> bits) & 31)
    }
    held &= 0xff
  }
  return bits === 0 ? text : text + BASE32.charAt((held << (5 - bits)) & 31)
}

/** What the QR code holds, in the form that all apps read (Key URI Format). */
export function buildOtpauthUri(secret: Buffer, email: string, host: string): string {
  const label = `${encodeURIComponent(`Casework ${host}`)}:${encodeURIComponent(email)}`
  const issuer = encodeURIComponent(`Casework ${host}`)
  const text = writeBase32(secret).toUpperCase()
  return `otpauth://totp/${label}?secret=${text}&issuer=${issuer}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`
}

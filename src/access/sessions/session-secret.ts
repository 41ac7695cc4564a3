// The secrets of sessions, devices and links: 256 random bits, of which only the hash is stored.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32

/** In characters that a cookie and a URL can hold. */
export function createSecretText(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** A fast hash is right here: the secret is random and long, so there is nothing to guess. */
export function hashSecret(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

/**
 * The token against cross-site requests: a page of ours learns it from GET /beta/session, a page of
 * another site cannot. It follows from the secret, so nothing has to be stored.
 */
export function deriveCsrfToken(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url')
}

export function isCsrfToken(secret: string, given: string): boolean {
  const [expected, presented] = [Buffer.from(deriveCsrfToken(secret)), Buffer.from(given)]
  return expected.length === presented.length && timingSafeEqual(expected, presented)
}

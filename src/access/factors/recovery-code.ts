// Recovery codes: the way in for a person who has lost their second factor. Each is good once.

import { createHash, randomBytes } from 'node:crypto'
import { writeBase32 } from './totp.ts'

const RECOVERY_CODES = 10
// 120 bits. From 112 bits on a fast hash is enough (ASVS 6.5.2): there is nothing to guess.
const CODE_BYTES = 15

/** Written in four groups of six, so that a person can copy them from paper. */
export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    (writeBase32(randomBytes(CODE_BYTES)).match(/.{6}/g) ?? []).join('-'),
  )
}

/** Case, spaces and dashes do not count: people type them from paper. */
export function hashRecoveryCode(text: string): Buffer {
  const code = text.toLowerCase().replaceAll(/[\s-]/g, '')
  return createHash('sha256').update(code, 'utf8').digest()
}

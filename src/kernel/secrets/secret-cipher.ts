// Encrypts and decrypts secrets that are stored: AES-256-GCM with a random nonce for each. A sealed
// secret is bound to its place by the associated data, so that a row that is copied to another
// tenant or name cannot be opened there.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { secretKeyMissing } from '../errors.ts'
import type { SecretKey } from './secret-keys.ts'

export interface SealedSecret {
  readonly keyId: string
  /** Nonce (12 bytes), tag (16 bytes), then the encrypted UTF-8 text. */
  readonly sealed: Buffer
}

export interface SecretCipher {
  /** The ids of its keys; the first one encrypts. */
  readonly keyIds: readonly string[]
  /** Throws KERNEL_SECRET_KEY_MISSING when this process has no key. */
  readonly seal: (place: string, text: string) => SealedSecret
  /** Throws KERNEL_SECRET_KEY_MISSING for a secret of a key that this process does not have. */
  readonly open: (place: string, secret: SealedSecret) => string
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createSecretCipher(keys: readonly SecretKey[]): SecretCipher {
  const byId = new Map(keys.map((key) => [key.id, key.bytes]))
  const [first] = keys
  return {
    keyIds: keys.map(({ id }) => id),
    seal(place, text) {
      if (first === undefined) throw secretKeyMissing(null)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, first.bytes, nonce)
      cipher.setAAD(Buffer.from(place))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return { keyId: first.id, sealed: Buffer.concat([nonce, cipher.getAuthTag(), encrypted]) }
    },
    open(place, { keyId, sealed }) {
      const key = byId.get(keyId)
      if (key === undefined) throw secretKeyMissing(keyId)
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const encrypted = sealed.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
    },
  }
}

// The key of the audit log: Ed25519 for checkpoints, HMAC-SHA256 for digests. Both are stored
// sealed with the key of secrets, so whoever can write to the database alone can neither sign nor
// compute a digest.

import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { writeCanonicalJson } from '../../values/canonical-json.ts'

export interface AuditKey {
  readonly id: string
  /** SPKI, DER. */
  readonly publicKey: Buffer
  /** Base64. */
  readonly sign: (text: string) => Buffer
  /** Hexadecimal. The salt keeps equal values apart. */
  readonly digest: (salt: Buffer, part: DigestPart, value: unknown) => string
  /** The same for the same id each time, so that the entries of an object can be found. */
  readonly nameObject: (kind: string, id: string) => string
}

type DigestPart = 'before' | 'after' | 'origin'

/** The text that is sealed. */
export function createAuditKeyText(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  return `${der.toString('base64')} ${randomBytes(32).toString('base64')}`
}

export function openAuditKey(text: string): AuditKey {
  const [der = '', digestText = ''] = text.split(' ')
  const privateKey = createPrivateKey({
    key: Buffer.from(der, 'base64'),
    format: 'der',
    type: 'pkcs8',
  })
  const digestKey = Buffer.from(digestText, 'base64')
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return {
    id: nameAuditKey(publicKey),
    publicKey,
    sign: (signed) => sign(null, Buffer.from(signed), privateKey),
    digest: (salt, part, value) =>
      createHmac('sha256', digestKey)
        .update(salt)
        .update(`${part} ${writeCanonicalJson(value)}`)
        .digest('hex'),
    nameObject: (kind, id) =>
      `keyed-${createHmac('sha256', digestKey)
        .update(JSON.stringify(['object', kind, id]))
        .digest('hex')
        .slice(0, 32)}`,
  }
}

export function nameAuditKey(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16)
}

type CheckpointKind = 'regular' | 'retention'

export interface Checkpoint {
  readonly chain: string
  readonly seq: number
  readonly kind: CheckpointKind
  readonly at: Date
  /** Of the entry of that number. */
  readonly hash: string
  readonly keyId: string
  readonly signature: Buffer
}

/** The text that is signed. */
function writeCheckpoint({ chain, kind, seq, at, hash, keyId }: Omit<Checkpoint, 'signature'>) {
  return JSON.stringify(['casework audit', chain, kind, seq, at.toISOString(), hash, keyId])
}

export function signCheckpoint(
  key: AuditKey,
  checkpoint: Omit<Checkpoint, 'signature' | 'keyId'>,
): Checkpoint {
  const named = { ...checkpoint, keyId: key.id }
  return { ...named, signature: key.sign(writeCheckpoint(named)) }
}

export function isSigned(checkpoint: Checkpoint, publicKey: KeyObject): boolean {
  return verify(null, Buffer.from(writeCheckpoint(checkpoint)), publicKey, checkpoint.signature)
}

// The keys with which secrets are encrypted: of CASEWORK_SECRET_KEY, or of a file in the data
// folder, which is not part of a backup. The first key encrypts, all of them decrypt, so that a key
// can be changed while the service runs.

import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { settingsNotUsable } from '../errors.ts'
import { syncFolder } from '../sync-folder.ts'
import { hasErrorCode } from '../system-error.ts'

export interface SecretKey {
  /** Part of its SHA-256: stored with each secret, and shown to operators. */
  readonly id: string
  readonly bytes: Buffer
}

export const SECRET_KEY_FILE = 'secret.key'
const KEY_BYTES = 32
export const SECRET_KEYS_MAX = 5
// 48 bits tell apart the few keys of an installation and reveal nothing of them.
const ID_LENGTH = 12

/** The text of a new key: 32 random bytes in Base64. */
export function createSecretKeyText(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}

/**
 * Parses keys in Base64 or hexadecimal, separated by commas, blanks or line breaks. Null when there
 * is none or one is not a key.
 */
export function parseSecretKeys(text: string): readonly SecretKey[] | null {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const keys = words.map(parseKey)
  if (keys.length < 1 || keys.length > SECRET_KEYS_MAX) return null
  return keys.every((key) => key !== null) ? keys : null
}

function parseKey(word: string): SecretKey | null {
  const encoding = /^[0-9a-f]{64}$/i.test(word) ? 'hex' : 'base64'
  if (encoding === 'base64' && !/^[A-Za-z0-9+/_-]{43}=?$/.test(word)) return null
  const bytes = Buffer.from(word, encoding)
  if (bytes.length !== KEY_BYTES) return null
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, ID_LENGTH), bytes }
}

/** The check of the setting `secret_key`. */
export function checkSecretKeys(text: string): string | null {
  return parseSecretKeys(text) === null
    ? `must be 1 to ${SECRET_KEYS_MAX} keys of 32 bytes in Base64 or hexadecimal, such as "openssl rand -base64 32" prints`
    : null
}

export interface SecretKeySettings {
  readonly secretKey: string | null
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/**
 * The keys of this process. Without the setting they are in the data folder, where the first start
 * makes one. None with a database of the operator's, whose data folder may be lost with its
 * machine: there the setting is required, which `requireSecretKeys` says.
 */
export function loadSecretKeys(settings: SecretKeySettings): readonly SecretKey[] {
  if (settings.secretKey !== null) return parseSecretKeys(settings.secretKey) ?? []
  if (settings.databaseUrl !== null) return []
  const path = join(settings.dataDir, SECRET_KEY_FILE)
  try {
    return readKeyFile(path)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
    writeSecretKeyFile(settings.dataDir, [createSecretKeyText()])
    return readKeyFile(path)
  }
}

function readKeyFile(path: string): readonly SecretKey[] {
  const keys = parseSecretKeys(readFileSync(path, 'utf8'))
  if (keys !== null) return keys
  throw settingsNotUsable([
    `${path} holds no key; put the file back as it was. Without its key the stored secrets cannot be read.`,
  ])
}

/** Replaces the file in the data folder at once, for the owner of the folder alone. */
export function writeSecretKeyFile(dataDir: string, keys: readonly string[]): void {
  const path = join(dataDir, SECRET_KEY_FILE)
  const file = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeSync(file, `${keys.join('\n')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
  syncFolder(dataDir)
}

/** Throws when a start has no key, with the sentence that says how to make one. */
export function requireSecretKeys(keys: readonly SecretKey[]): void {
  if (keys.length > 0) return
  throw settingsNotUsable([
    'CASEWORK_SECRET_KEY is missing. With DATABASE_URL it must hold the key that encrypts stored secrets: make one with "openssl rand -base64 32", give it to every node, and keep it where the backups are not.',
  ])
}

// Hashes of passwords (OWASP password storage cheat sheet, RFC 9106): Argon2id where this Node has
// it, else scrypt. The kind and its costs stand in the hash, in the form of PHC strings, so a hash
// of another kind still verifies and is made anew at the next sign-in.

import { type Argon2Parameters, argon2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { passwordsTooMany } from './errors.ts'

export interface PasswordHasher {
  readonly hash: (password: string) => Promise<string>
  /**
   * Whether the password is that of the hash. Without a hash it takes as long and says no, so that
   * an account without a password cannot be told from one with another password.
   */
  readonly verify: (password: string, stored: string | null) => Promise<boolean>
  /** Whether the hash is weaker than those made today, or of another kind. */
  readonly isOutdated: (stored: string) => boolean
}

type Kind = 'argon2id' | 'scrypt'

interface ParsedHash {
  readonly kind: Kind
  /** As they stand in the text, such as `m=19456,t=2,p=1`. */
  readonly costs: string
  readonly salt: Buffer
  readonly digest: Buffer
}

// 19 MiB, two passes: the least that OWASP recommends; some 30 ms of one core.
const ARGON2_COSTS = 'm=19456,t=2,p=1'
// 2^15 × 8 × 128 bytes are 32 MiB; with three lanes as strong as the above.
const SCRYPT_COSTS = 'ln=15,r=8,p=3'
const SCRYPT_MEMORY_MAX = 64 * 1_024 * 1_024
const SALT_BYTES = 16
const DIGEST_BYTES = 32
// Each takes a thread of four, which files and DNS use too, and up to 32 MiB.
const RUNNING_MAX = 2
// A second of work. Whoever comes then is told to come again.
const WAITING_MAX = 32

export function createPasswordHasher(
  kind: Kind = hasArgon2() ? 'argon2id' : 'scrypt',
): PasswordHasher {
  const bound = createBound()
  const costs = kind === 'argon2id' ? ARGON2_COSTS : SCRYPT_COSTS
  const make = async (password: string): Promise<string> => {
    const salt = randomBytes(SALT_BYTES)
    const digest = await bound(() => derive(password, { kind, costs, salt }))
    return writeHash({ kind, costs, salt, digest })
  }
  const nobody = { kind, costs, salt: randomBytes(SALT_BYTES), digest: randomBytes(DIGEST_BYTES) }
  return {
    hash: make,
    async verify(password, stored) {
      const known = stored === null ? nobody : parseHash(stored)
      const digest = await bound(() => derive(password, known))
      return timingSafeEqual(digest, known.digest) && stored !== null
    },
    isOutdated(stored) {
      const parsed = parseHash(stored)
      return parsed.kind !== kind || parsed.costs !== costs
    },
  }
}

function hasArgon2(): boolean {
  return typeof argon2 === 'function'
}

function derive(
  password: string,
  { kind, costs, salt }: Omit<ParsedHash, 'digest'>,
): Promise<Buffer> {
  // NIST SP 800-63B section 5.1.1.2: one keyboard may write an accent in two ways.
  const message = Buffer.from(password.normalize('NFC'), 'utf8')
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const done = (error: Error | null, digest: Buffer): void => {
    if (error === null) resolve(digest)
    else reject(error)
  }
  if (kind === 'argon2id') {
    const [memory = 0, passes = 0, parallelism = 0] = readNumbers(costs)
    const nonce = salt
    const parameters: Argon2Parameters = {
      message,
      nonce,
      memory,
      passes,
      parallelism,
      tagLength: DIGEST_BYTES,
    }
    argon2('argon2id', parameters, done)
  } else {
    const [log = 0, r = 0, p = 0] = readNumbers(costs)
    const options = { N: 2 ** log, r, p, maxmem: SCRYPT_MEMORY_MAX }
    scrypt(message, salt, DIGEST_BYTES, options, done)
  }
  return promise
}

function readNumbers(costs: string): readonly number[] {
  return costs.split(',').map((part) => Number(part.slice(part.indexOf('=') + 1)))
}

const HASH_PATTERN =
  /^\$(argon2id\$v=19|scrypt)\$([a-z0-9=,]+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parseHash(text: string): ParsedHash {
  const [, kind = '', costs = '', salt = '', digest = ''] = HASH_PATTERN.exec(text) ?? []
  if (kind === '') throw new Error('the stored hash of a password has no known form')
  return {
    kind: kind === 'scrypt' ? 'scrypt' : 'argon2id',
    costs,
    salt: Buffer.from(salt, 'base64'),
    digest: Buffer.from(digest, 'base64'),
  }
}

function writeHash({ kind, costs, salt, digest }: ParsedHash): string {
  const name = kind === 'argon2id' ? 'argon2id$v=19' : kind
  return `$${name}$${costs}$${writeBase64(salt)}$${writeBase64(digest)}`
}

function writeBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/** Runs few at once, keeps some waiting, and refuses the others. */
function createBound(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= RUNNING_MAX) {
      if (waiting.length >= WAITING_MAX) throw passwordsTooMany()
      // The one that ends hands its place on, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

// The addresses that an erasure looks for. They are known as they were sent, or, in a repeat, only
// by their replacements.

import { createHmac } from 'node:crypto'
import { isEmailAddress } from '../../../values/email.ts'

export interface ErasedAddresses {
  /**
   * Patterns for LIKE: a text in lower case that contains one of the addresses matches one of them.
   * Null when any text with an at sign may contain one.
   */
  readonly likes: readonly string[] | null
  /** False when no address of this domain (in lower case) is to be erased. */
  readonly hasDomain: (domain: string) => boolean
  /** The replacement of this address (in lower case); null when it is not to be erased. */
  readonly findReplacement: (address: string) => string | null
  /** The same as plain values, for a thread that opens them again. */
  readonly wanted: WantedAddresses
}

export type WantedAddresses =
  | { readonly kind: 'known'; readonly replacements: ReadonlyMap<string, string> }
  | {
      readonly kind: 'repeated'
      readonly subjects: readonly string[]
      readonly tenantId: string
      readonly secret: Uint8Array
    }

export function openAddresses(wanted: WantedAddresses): ErasedAddresses {
  if (wanted.kind === 'known') return knowAddresses(wanted.replacements)
  return repeatErasedAddresses(wanted.subjects, wanted.tenantId, wanted.secret)
}

export interface ErasureSubjects {
  /** The replacement of each address, sorted. */
  readonly subjects: readonly string[]
  readonly addresses: ErasedAddresses
}

// With more patterns, a search for the at sign costs the database less.
const LIKES_MAX = 8

/** Null when a text is no e-mail address. `secret` is the key of this instance. */
export function readErasedAddresses(
  texts: readonly string[],
  tenantId: string,
  secret: Buffer,
): ErasureSubjects | null {
  const known = texts.map((text) => text.trim().toLowerCase())
  if (known.length === 0 || !known.every(isEmailAddress)) return null
  const replacements = new Map(
    known.map((address) => [address, nameReplacement(address, tenantId, secret)]),
  )
  return {
    subjects: [...replacements.values()].toSorted(),
    addresses: knowAddresses(replacements),
  }
}

function knowAddresses(replacements: ReadonlyMap<string, string>): ErasedAddresses {
  const addresses = [...replacements.keys()]
  const domains = new Set(addresses.map((address) => address.slice(address.lastIndexOf('@') + 1)))
  return {
    likes: addresses.length > LIKES_MAX ? null : addresses.map(writeLike),
    hasDomain: (domain) => domains.has(domain),
    findReplacement: (address) => replacements.get(address) ?? null,
    wanted: { kind: 'known', replacements },
  }
}

// A slice of a table contains thousands of addresses, most of them many times.
const CACHED_MAX = 50_000

/** From the replacements: each address that is found is replaced, and compared with these. */
export function repeatErasedAddresses(
  subjects: readonly string[],
  tenantId: string,
  secret: Uint8Array,
): ErasedAddresses {
  const wanted = new Set(subjects)
  const cached = new Map<string, string | null>()
  return {
    likes: null,
    // Only the whole address has a replacement to compare with.
    hasDomain: () => true,
    wanted: { kind: 'repeated', subjects, tenantId, secret },
    findReplacement(address) {
      const before = cached.get(address)
      if (before !== undefined) return before
      const name = isEmailAddress(address) ? nameReplacement(address, tenantId, secret) : ''
      const replacement = wanted.has(name) ? name : null
      if (cached.size >= CACHED_MAX) cached.clear()
      cached.set(address, replacement)
      return replacement
    },
  }
}

function nameReplacement(address: string, tenantId: string, secret: Uint8Array): string {
  const name = createHmac('sha256', secret)
    .update(JSON.stringify(['erasure', tenantId, address]))
    .digest('hex')
    .slice(0, 24)
  // RFC 2606: no mailbox can exist below .invalid.
  return `erased-${name}@erased.invalid`
}

/** A name that is always the same for these parts, and differs for others. */
export function nameErasure(kind: 'batch' | 'repeat', parts: readonly string[]): string {
  const digest = createHmac('sha256', kind).update(JSON.stringify(parts.toSorted())).digest('hex')
  return `${kind}-${digest.slice(0, 32)}`
}

/** Identifies the key of an instance without revealing it. */
export function nameErasureKey(secret: Buffer): string {
  return createHmac('sha256', secret).update('key of erasures').digest('hex').slice(0, 16)
}

// `%` stands for the at sign, because texts may write it as %40.
function writeLike(address: string): string {
  const at = address.lastIndexOf('@')
  return `%${escapeLike(address.slice(0, at))}%${escapeLike(address.slice(at + 1))}%`
}

export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}

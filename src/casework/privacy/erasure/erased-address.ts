// Addresses that are to be found and replaced wherever they stand: known as they were sent, or by
// what stands in their place only.

import { createHmac } from 'node:crypto'
import { isEmailAddress } from '../../../values/email.ts'

export interface ErasedAddresses {
  /**
   * Patterns for LIKE: a text in lower case with one of the addresses matches one of them. Null:
   * any text with an at sign may have one.
   */
  readonly likes: readonly string[] | null
  /**
   * What stands in place of this address, which is in lower case; null for an address that is not
   * to be erased.
   */
  readonly findReplacement: (address: string) => string | null
}

export interface ErasureSubjects {
  /** What stands in place of each address, in order. */
  readonly subjects: readonly string[]
  readonly addresses: ErasedAddresses
}

// With more of them, looking for an at sign costs the database less.
const LIKES_MAX = 8

/** Null when one of the texts is no address. `secret` is the key of this instance. */
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
    addresses: {
      likes: replacements.size > LIKES_MAX ? null : [...replacements.keys()].map(writeLike),
      findReplacement: (address) => replacements.get(address) ?? null,
    },
  }
}

// A slice of a table has thousands of addresses, most of them many times.
const REMEMBERED_MAX = 50_000

/** By what stands in their place: every address that is met is named, and compared with these. */
export function repeatErasedAddresses(
  subjects: readonly string[],
  tenantId: string,
  secret: Buffer,
): ErasedAddresses {
  const wanted = new Set(subjects)
  const remembered = new Map<string, string | null>()
  return {
    likes: null,
    findReplacement(address) {
      const before = remembered.get(address)
      if (before !== undefined) return before
      const name = isEmailAddress(address) ? nameReplacement(address, tenantId, secret) : ''
      const replacement = wanted.has(name) ? name : null
      if (remembered.size >= REMEMBERED_MAX) remembered.clear()
      remembered.set(address, replacement)
      return replacement
    },
  }
}

function nameReplacement(address: string, tenantId: string, secret: Buffer): string {
  const name = createHmac('sha256', secret)
    .update(JSON.stringify(['erasure', tenantId, address]))
    .digest('hex')
    .slice(0, 24)
  // RFC 2606: nobody ever has an address there.
  return `erased-${name}@erased.invalid`
}

/** One word for these subjects, the same each time and of no other ones. */
export function nameErasure(kind: 'batch' | 'repeat', parts: readonly string[]): string {
  const digest = createHmac('sha256', kind).update(JSON.stringify(parts.toSorted())).digest('hex')
  return `${kind}-${digest.slice(0, 32)}`
}

/** Tells the key of an instance from others, and tells nothing of it. */
export function nameErasureKey(secret: Buffer): string {
  return createHmac('sha256', secret).update('key of erasures').digest('hex').slice(0, 16)
}

// With `%` for the at sign, which may be written as %40 as well.
function writeLike(address: string): string {
  const at = address.lastIndexOf('@')
  return `%${escapeLike(address.slice(0, at))}%${escapeLike(address.slice(at + 1))}%`
}

export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}

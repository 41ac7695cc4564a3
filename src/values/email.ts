// E-mail addresses: the `local@domain` of RFC 5321 in its unquoted form, without comments and
// display name.

import { parseDomain, registrableDomain } from './domain.ts'

// RFC 5321 section 4.5.3.1: 64 octets before the at sign, 254 in a path without its angle brackets
// (erratum 1690 of RFC 3696).
const LENGTH_MAX = 254
const LOCAL_LENGTH_MAX = 64

// Atoms of RFC 5322 section 3.2.3 with dots between them.
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const HOST_NAME =
  /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/**
 * True for an address that can be stored and shown as it is. Quoted local parts, address literals
 * and Unicode are refused. A domain of one label is taken, because reports come from inside
 * networks too.
 */
export function isEmailAddress(text: string): boolean {
  const at = findAtSign(text, LOCAL_PART)
  return at > 0 && HOST_NAME.test(text.slice(at + 1))
}

/**
 * An address on the public Internet, with its domain in the canonical form of domain.ts and the
 * local part untouched; null when the text is none.
 */
export function parseEmailAddress(text: string): string | null {
  const at = findAtSign(text, LOCAL_PART)
  const domain = at > 0 ? parseDomain(text.slice(at + 1)) : null
  return domain === null ? null : `${text.slice(0, at)}@${domain}`
}

/** What stands behind the at sign, in lower case; the whole text where it has none. */
export function emailDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/**
 * In lower case and without the tag of a plus sign (RFC 5233): the mailbox that mail to it reaches.
 */
export function emailWithoutTag(address: string): string {
  const text = address.toLowerCase()
  const at = text.lastIndexOf('@')
  if (at <= 0) return text
  // A local part that is all tag stays, and so does what stands before an earlier at sign.
  const tag = text.indexOf('+', Math.max(1, text.lastIndexOf('@', at - 1) + 1))
  return tag === -1 || tag > at ? text : text.slice(0, tag) + text.slice(at)
}

/** The registrable domain of an address, else its domain. */
export function emailSite(address: string): string {
  const domain = emailDomain(address)
  return registrableDomain(domain) ?? domain
}

const LOOSE_LOCAL_PART = /^[^\s@<>",;]+$/
const LOOSE_HOST_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/

/**
 * True for every `isEmailAddress`, and for a local part in Unicode (RFC 6531) or with dots in any
 * place, as some providers still have them: the contact of a token, which a person writes to.
 */
export function isLooseEmailAddress(text: string): boolean {
  const at = findAtSign(text, LOOSE_LOCAL_PART)
  return at > 0 && LOOSE_HOST_NAME.test(text.slice(at + 1))
}

/** Where the domain of an address with a sound local part is parted from it; -1 for any other. */
function findAtSign(text: string, localPart: RegExp): number {
  if (text.length > LENGTH_MAX) return -1
  const at = text.lastIndexOf('@')
  if (at < 1 || at > LOCAL_LENGTH_MAX) return -1
  return localPart.test(text.slice(0, at)) ? at : -1
}

/**
 * Finds addresses in running text, the domain as group 1. A match may still be no address: a
 * Message-ID looks the same.
 */
export const EMAIL_IN_TEXT = /(?<![\w.+-])[\w.+=-]{1,64}@([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})/g

/** What makes two addresses one account: two may not differ by case alone. */
export function foldEmail(address: string): string {
  return address.trim().toLowerCase()
}

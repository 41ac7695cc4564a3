// The plain form of an e-mail address, local part and domain, as contacts are given; no comments,
// quotes or display names.

import { parseDomain } from './domain.ts'

// RFC 5321 section 4.5.3.1: 64 octets before the "@", 254 in all (erratum 1690 of RFC 3696).
const ADDRESS_MAX = 254
// Atoms of RFC 5322 section 3.2.3 with dots between them.
const LOCAL_PART =
  /^(?=.{1,64}$)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/**
 * The address with its domain in canonical form, the local part untouched; null when the text is no
 * plain address.
 */
export function parseEmailAddress(text: string): string | null {
  if (text.length > ADDRESS_MAX) return null
  const at = text.lastIndexOf('@')
  if (at < 1 || !LOCAL_PART.test(text.slice(0, at))) return null
  const domain = parseDomain(text.slice(at + 1))
  return domain === null ? null : `${text.slice(0, at)}@${domain}`
}

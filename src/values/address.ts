// IP addresses of both families, in one canonical form. The text of each family is read and written
// by ipv4.ts and ipv6.ts.

import { formatIpv4, parseIpv4 } from './ipv4.ts'
import { formatIpv6, type Ipv6Words, mappedIpv4, parseIpv6 } from './ipv6.ts'

export interface Ipv4Item {
  readonly kind: 'ipv4'
  /** Canonical text. */
  readonly text: string
  /** Unsigned 32-bit. */
  readonly value: number
}

export interface Ipv6Item {
  readonly kind: 'ipv6'
  /** Canonical text (RFC 5952). */
  readonly text: string
  readonly words: Ipv6Words
}

export type AddressItem = Ipv4Item | Ipv6Item

const COLON = 58

/**
 * The address that a text names; null when it names none. An IPv4-mapped address is the IPv4
 * address that it carries: one host, one key. A zone ("%eth0") and white space are refused.
 */
export function parseAddress(text: string): AddressItem | null {
  const value = parseIpv4(text)
  // The four decimal numbers have one spelling only, so the text sent is already canonical.
  if (value >= 0) return { kind: 'ipv4', text, value }
  if (!hasColonEarly(text)) return null
  const words = parseIpv6(text)
  if (words === null) return null
  const mapped = mappedIpv4(words)
  return mapped >= 0 ? ipv4Item(mapped) : ipv6Item(words)
}

// Every IPv6 text has a colon among its first five characters; a domain has none anywhere.
function hasColonEarly(text: string): boolean {
  const end = Math.min(text.length, 5)
  for (let at = 0; at < end; at += 1) if (text.charCodeAt(at) === COLON) return true
  return false
}

const ZONE = /^%[0-9A-Za-z.:-]+$/

/**
 * The address that a socket connects to: an IPv4-mapped address stays IPv6, and a zone (RFC 4007)
 * is dropped. Null for the texts for which `isIP` of node:net is 0, because Node looks those up as
 * names.
 */
export function parseSocketAddress(text: string): AddressItem | null {
  const value = parseIpv4(text)
  if (value >= 0) return { kind: 'ipv4', text, value }
  const zoneAt = text.indexOf('%')
  if (zoneAt >= 0 && !ZONE.test(text.slice(zoneAt))) return null
  const words = parseIpv6(zoneAt < 0 ? text : text.slice(0, zoneAt))
  return words === null ? null : ipv6Item(words)
}

/** The address of an unsigned 32-bit value. */
export function ipv4Item(value: number): Ipv4Item {
  return { kind: 'ipv4', text: formatIpv4(value), value }
}

/** The address of four words; one that carries IPv4 stays IPv6. */
export function ipv6Item(words: Ipv6Words): Ipv6Item {
  return { kind: 'ipv6', text: formatIpv6(words), words }
}

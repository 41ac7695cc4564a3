// IP addresses of both families, in one canonical form. IPv4 addresses are unsigned 32-bit numbers,
// read and written by hand because a quick check reads a thousand in one call; IPv6 is in ipv6.ts.

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

export const IPV4_BITS = 32

const ZERO = 48

const DOT = 46

const LONGEST_TEXT = 15

/**
 * The unsigned 32-bit value of a dotted decimal address, or -1 when the text is anything else.
 * Exactly four parts of 0..255 without leading zeros: octal, hexadecimal and short forms are
 * refused, since parsers disagree about the meaning of such forms.
 */
export function parseIpv4(text: string): number {
  const length = text.length
  if (length < 7 || length > LONGEST_TEXT) return -1
  let value = 0
  let part = -1
  let dots = 0
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      if (part < 0 || dots === 3) return -1
      value = value * 256 + part
      part = -1
      dots += 1
      continue
    }
    const digit = code - ZERO
    if (digit < 0 || digit > 9 || part === 0) return -1
    part = part < 0 ? digit : part * 10 + digit
    if (part > 255) return -1
  }
  return dots === 3 && part >= 0 ? value * 256 + part : -1
}

export function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`
}

/**
 * The network mask of a prefix length as an unsigned 32-bit number: 24 gives 0xffffff00, 0 gives 0.
 */
export function ipv4Mask(prefixLength: number): number {
  // A shift by 32 is a shift by 0 in this language, so the empty mask is its own case.
  return prefixLength === 0 ? 0 : (0xffff_ffff << (IPV4_BITS - prefixLength)) >>> 0
}

/** The canonical address, or null when `text` is none. */
export function parseIpAddress(text: string): string | null {
  return parseAddress(text)?.text ?? null
}

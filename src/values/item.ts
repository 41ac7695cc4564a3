// An item is what may be asked about: an IP address or a domain, in one canonical form (interface
// 2.2, design 4.1).

import { parseDomain } from './domain.ts'
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

export interface DomainItem {
  readonly kind: 'domain'
  /** Canonical text: lower-case A-labels without a trailing dot. */
  readonly text: string
}

export type Item = Ipv4Item | Ipv6Item | DomainItem

const COLON = 58

/**
 * The item a text names, or null when it names none. `text` of the result is the canonical form,
 * which may differ from what was sent; an answer repeats what was sent. White space is not trimmed:
 * a reader of files does that before.
 */
export function parseItem(text: string): Item | null {
  const value = parseIpv4(text)
  // The four decimal numbers have one spelling only, so the text sent is already canonical.
  if (value >= 0) return { kind: 'ipv4', text, value }
  if (hasColonEarly(text)) {
    const words = parseIpv6(text)
    return words === null ? null : ipv6OrMapped(words)
  }
  const domain = parseDomain(text)
  return domain === null ? null : { kind: 'domain', text: domain }
}

// Every IPv6 text has a colon among its first five characters; a domain has none anywhere.
function hasColonEarly(text: string): boolean {
  const end = Math.min(text.length, 5)
  for (let at = 0; at < end; at += 1) if (text.charCodeAt(at) === COLON) return true
  return false
}

/** An IPv4-mapped address is the IPv4 address it carries: one host, one key. */
function ipv6OrMapped(words: Ipv6Words): Ipv4Item | Ipv6Item {
  const mapped = mappedIpv4(words)
  return mapped >= 0 ? ipv4Item(mapped) : { kind: 'ipv6', text: formatIpv6(words), words }
}

export function ipv4Item(value: number): Ipv4Item {
  return { kind: 'ipv4', text: formatIpv4(value), value }
}

/** `words` must not be an IPv4-mapped address. */
export function ipv6Item(words: Ipv6Words): Ipv6Item {
  return { kind: 'ipv6', text: formatIpv6(words), words }
}

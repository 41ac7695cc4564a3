// Which addresses a request of ours may go to: global unicast only, by number and never by spelling
// (IANA special-purpose address registries, RFC 6890). `intel` asks another question, whether an
// item can be a party on the Internet; this one is stricter.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type AddressVerdict =
  | { readonly kind: 'public' }
  /** `range` says why: a range name of ipaddr.js, or `platform`, `not_allocated`, `unreadable`. */
  | { readonly kind: 'special'; readonly range: string }

// Ordinary addresses by the registries that are something else to the machine asking.
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set([
  '168.63.129.16', // Azure's host agent: it hands certificates and settings to the virtual machine.
])

// What an operator means by "in my own network", as against documentation, multicast, link-local
// (metadata services) and the like.
const LOCAL_RANGES: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'carrierGradeNat',
  'uniqueLocal',
])

// Those with the IPv4 address in their last 32 bits.
const CARRYING_RANGES: ReadonlySet<string> = new Set(['ipv4Mapped', 'rfc6145', 'rfc6052'])

/**
 * Judges one address in the text form of `net.isIP`; anything else, short and octal forms included,
 * is `unreadable`.
 */
export function judgeAddress(text: string): AddressVerdict {
  // ipaddr.js also reads 0177.1 and the like, which connect() would read another way or look up as
  // a name.
  if (isIP(text) === 0) return { kind: 'special', range: 'unreadable' }
  const address = ipaddr.parse(text)
  const range = address.range()
  if (range !== 'unicast') return { kind: 'special', range }
  if (address instanceof ipaddr.IPv6) {
    // RFC 4291 section 2.4 and the IANA allocation: global unicast is given out of 2000::/3 only.
    // ipaddr.js calls everything that is not registered unicast, such as ::127.0.0.1, which some
    // systems take for IPv4.
    const isAllocated = ((address.parts[0] ?? 0) & 0xe000) === 0x2000
    return isAllocated ? { kind: 'public' } : { kind: 'special', range: 'not_allocated' }
  }
  if (PLATFORM_ADDRESSES.has(address.toString())) return { kind: 'special', range: 'platform' }
  return { kind: 'public' }
}

export function isLocalAddress(text: string): boolean {
  const verdict = judgeAddress(text)
  return verdict.kind === 'special' && LOCAL_RANGES.has(verdict.range)
}

/**
 * One spelling for each address, for comparing; null when the text is no address. A zone (`%eth0`)
 * is dropped.
 */
export function normalizeAddress(text: string): string | null {
  if (isIP(text) === 0) return null
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv6) return new ipaddr.IPv6(address.parts).toRFC5952String()
  return address.toString()
}

/**
 * The IPv4 address that an IPv6 address carries and that a gateway or the system itself would go
 * to; null when it carries none: mapped and compatible (RFC 4291 section 2.5.5), translated (RFC
 * 2765), NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380).
 */
export function findCarriedIpv4(text: string): string | null {
  if (isIP(text) !== 6) return null
  const address = ipaddr.IPv6.parse(text)
  const words = address.parts
  const [high, low] = [words[6] ?? 0, words[7] ?? 0]
  const range = address.range()
  if (range === '6to4') return formatIpv4(words[1] ?? 0, words[2] ?? 0)
  // Teredo keeps the client's address inverted.
  if (range === 'teredo') return formatIpv4(~high & 0xffff, ~low & 0xffff)
  const isCompatible = words.slice(0, 6).every((word) => word === 0)
  return isCompatible || CARRYING_RANGES.has(range) ? formatIpv4(high, low) : null
}

function formatIpv4(high: number, low: number): string {
  return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`
}

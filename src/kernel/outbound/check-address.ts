// Which addresses an outbound request may go to: global unicast only, by number and never by
// spelling. A stricter question than `isBogon` of intel, which asks whether an item can be a party
// on the Internet.

import { type AddressItem, formatIpv4, parseSocketAddress } from '../../values/address.ts'
import { type Range, rangeHolds, requireRange } from '../../values/range.ts'

export type AddressClass =
  | { readonly kind: 'public' }
  /** `range` says why: a name of the tables below, `not_allocated`, or `unreadable`. */
  | { readonly kind: 'special'; readonly range: string }

// The IANA special-purpose address registries (RFC 6890) and multicast. A block may lie in another
// one: the first that holds the address names it.
const SPECIAL_IPV4 = listRanges({
  unspecified: ['0.0.0.0/8'],
  broadcast: ['255.255.255.255/32'],
  multicast: ['224.0.0.0/4'], // RFC 5771
  linkLocal: ['169.254.0.0/16'], // RFC 3927
  loopback: ['127.0.0.0/8'], // RFC 1122
  carrierGradeNat: ['100.64.0.0/10'], // RFC 6598
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'], // RFC 1918
  as112: ['192.31.196.0/24', '192.175.48.0/24'], // RFC 7535, RFC 7534
  amt: ['192.52.193.0/24'], // RFC 7450
  reserved: [
    '192.0.0.0/24', // IETF protocol assignments, RFC 6890
    '192.0.2.0/24', // Documentation, RFC 5737
    '192.88.99.0/24', // The withdrawn 6to4 relay, RFC 7526
    '198.18.0.0/15', // Benchmarking, RFC 2544
    '198.51.100.0/24', // Documentation, RFC 5737
    '203.0.113.0/24', // Documentation, RFC 5737
    '240.0.0.0/4', // RFC 1112
  ],
  // Azure's host agent: it hands certificates and settings to the virtual machine. The registries
  // call it an ordinary address.
  platform: ['168.63.129.16/32'],
})

// RFC 4291 section 2.4 and the IANA allocation: global unicast is given out of this block only. The
// rest includes ::127.0.0.1, which some systems take for IPv4.
const GLOBAL_UNICAST_IPV6 = requireRange('2000::/3')

const SPECIAL_IPV6 = listRanges({
  unspecified: ['::/128'],
  loopback: ['::1/128'],
  linkLocal: ['fe80::/10'],
  multicast: ['ff00::/8'],
  uniqueLocal: ['fc00::/7'], // RFC 4193
  ipv4Mapped: ['::ffff:0:0/96'],
  translated: ['::ffff:0:0:0/96'], // RFC 2765
  nat64: ['64:ff9b::/96', '64:ff9b:1::/48'], // RFC 6052, RFC 8215
  '6to4': ['2002::/16'], // RFC 3056
  teredo: ['2001::/32'], // RFC 4380
  as112: ['2620:4f:8000::/48'], // RFC 7534
  reserved: [
    '2001::/23', // IETF protocol assignments, RFC 2928
    '2001:db8::/32', // Documentation, RFC 3849
    '3fff::/20', // Documentation, RFC 9637
  ],
})

// An operator's own network, as against documentation, multicast, link-local (metadata services)
// and the like.
const LOCAL_RANGES: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'carrierGradeNat',
  'uniqueLocal',
])

// The ranges with an IPv4 address in their last 32 bits.
const CARRYING_RANGES: ReadonlySet<string> = new Set(['ipv4Mapped', 'translated', 'nat64'])

/**
 * Classifies one address in the text form of `net.isIP`. Every other text, short and octal forms
 * included, is `unreadable`, because `connect` would look it up as a name.
 */
export function classifyAddress(text: string): AddressClass {
  const address = parseSocketAddress(text)
  if (address === null) return { kind: 'special', range: 'unreadable' }
  const range = findSpecialRange(address)
  return range === null ? { kind: 'public' } : { kind: 'special', range }
}

/** True for an address of the operator's own network. */
export function isLocalAddress(text: string): boolean {
  const found = classifyAddress(text)
  return found.kind === 'special' && LOCAL_RANGES.has(found.range)
}

/**
 * One spelling for each address, for comparing; null when the text is no address. A zone (`%eth0`)
 * is dropped.
 */
export function normalizeAddress(text: string): string | null {
  return parseSocketAddress(text)?.text ?? null
}

/**
 * The IPv4 address that an IPv6 address carries and that a gateway or the system itself would go
 * to; null when it carries none: mapped and compatible (RFC 4291 section 2.5.5), translated (RFC
 * 2765), NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380).
 */
export function findCarriedIpv4(text: string): string | null {
  const address = parseSocketAddress(text)
  if (address?.kind !== 'ipv6') return null
  const [first, second, third, last] = address.words
  const range = findSpecialRange(address)
  if (range === '6to4') return formatIpv4(((first & 0xffff) << 16) | (second >>> 16))
  // Teredo keeps the client's address inverted.
  if (range === 'teredo') return formatIpv4(~last)
  const isCompatible = first === 0 && second === 0 && third === 0
  return isCompatible || (range !== null && CARRYING_RANGES.has(range)) ? formatIpv4(last) : null
}

/** Null for an ordinary public address. */
function findSpecialRange(address: AddressItem): string | null {
  const ranges = address.kind === 'ipv4' ? SPECIAL_IPV4 : SPECIAL_IPV6
  const found = ranges.find(({ range }) => rangeHolds(range, address))
  if (found !== undefined) return found.name
  if (address.kind === 'ipv4' || rangeHolds(GLOBAL_UNICAST_IPV6, address)) return null
  return 'not_allocated'
}

interface SpecialRange {
  readonly name: string
  readonly range: Range
}

function listRanges(table: Readonly<Record<string, readonly string[]>>): readonly SpecialRange[] {
  return Object.entries(table).flatMap(([name, blocks]) =>
    blocks.map((block) => ({ name, range: requireRange(block) })),
  )
}

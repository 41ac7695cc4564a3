// Finds bogons: items that cannot be a party on the public Internet. They come from the IANA
// special-purpose address registries (RFC 6890, RFC 8190), multicast, and the registry of
// special-use domain names (RFC 6761).

import { type Ipv6Words, ipv4Mask, ipv6WordMask } from '../../values/address.ts'
import type { Item } from '../../values/item.ts'
import { requireRange } from '../../values/range.ts'

/** A block in CIDR form, and its purpose. */
type SpecialBlock = readonly [block: string, meaning: string]

// "Globally reachable: false" in the IPv4 registry; the two exceptions inside 192.0.0.0/24 are
// below. 192.88.99.0/24 (the withdrawn 6to4 relay) has no value in that column and is left out,
// like the AS112 blocks, which are reachable.
export const IPV4_SPECIAL_BLOCKS: readonly SpecialBlock[] = [
  ['0.0.0.0/8', 'This network, RFC 791'],
  ['10.0.0.0/8', 'Private use, RFC 1918'],
  ['100.64.0.0/10', 'Shared address space, RFC 6598'],
  ['127.0.0.0/8', 'Loopback, RFC 1122'],
  ['169.254.0.0/16', 'Link local, RFC 3927'],
  ['172.16.0.0/12', 'Private use, RFC 1918'],
  ['192.0.0.0/24', 'IETF protocol assignments, RFC 6890'],
  ['192.0.2.0/24', 'Documentation, RFC 5737'],
  ['192.168.0.0/16', 'Private use, RFC 1918'],
  ['198.18.0.0/15', 'Benchmarking, RFC 2544'],
  ['198.51.100.0/24', 'Documentation, RFC 5737'],
  ['203.0.113.0/24', 'Documentation, RFC 5737'],
  ['224.0.0.0/4', 'Multicast, RFC 5771'],
  ['240.0.0.0/4', 'Reserved, with the limited broadcast address, RFC 1112 and RFC 919'],
]
const IPV4_BOGONS = blocksV4(IPV4_SPECIAL_BLOCKS.map(([block]) => block))

// 1 for each first byte that a block above touches. Most addresses then need one read, which counts
// in a quick check of a thousand items.
const IPV4_BOGON_FIRST_BYTES = firstBytes(IPV4_BOGONS)

const IPV4_REACHABLE = blocksV4([
  '192.0.0.9/32', // Port control protocol anycast, RFC 7723
  '192.0.0.10/32', // TURN anycast, RFC 8155
])

// Only 2000::/3 is allocated as global unicast. The translation prefix below is the one reachable
// block outside it.
const IPV6_GLOBAL = blocksV6(['2000::/3'])

export const IPV6_SPECIAL_BLOCKS: readonly SpecialBlock[] = [
  ['2001::/23', 'IETF protocol assignments, RFC 2928'],
  ['2001:db8::/32', 'Documentation, RFC 3849'],
  ['3fff::/20', 'Documentation, RFC 9637'],
]
const IPV6_BOGONS = blocksV6(IPV6_SPECIAL_BLOCKS.map(([block]) => block))

const IPV6_REACHABLE = blocksV6([
  '2001:1::1/128', // Port control protocol anycast, RFC 7723
  '2001:1::2/128', // TURN anycast, RFC 8155
  '2001:1::3/128', // Service registration anycast, RFC 9665
  '2001:3::/32', // AMT, RFC 7450
  '2001:4:112::/48', // AS112, RFC 7535
  '2001:20::/28', // ORCHIDv2, RFC 7343
  '2001:30::/28', // Drone remote identification, RFC 9374
])

// These blocks contain the IPv4 address of the party and are as reachable as that address. The
// registry gives "N/A" for the two tunnels. RFC 6052 section 3.1 forbids the translation prefix for
// addresses that are not global.
const NAT64 = blocksV6(['64:ff9b::/96'])
const TEREDO = blocksV6(['2001::/32'])
const SIX_TO_FOUR = blocksV6(['2002::/16'])

const SPECIAL_USE_DOMAINS: ReadonlySet<string> = new Set([
  'alt', // RFC 9476
  'example', // RFC 6761
  'example.com',
  'example.net',
  'example.org',
  'internal', // Reserved for private use by ICANN in 2024; not in the IETF registry, but it will never be in the public root.
  'invalid', // RFC 6761
  'local', // RFC 6762
  'localhost', // RFC 6761
  'onion', // RFC 7686
  'test', // RFC 6761
  '6tisch.arpa', // RFC 9031
  'eap.arpa', // RFC 9965
  'eap-noob.arpa', // RFC 9140
  'home.arpa', // RFC 8375
  'ipv4only.arpa', // RFC 8880
  'resolver.arpa', // RFC 9462
  'service.arpa', // RFC 9665
  // Reverse zones of private addresses: RFC 6761; of link-local ones: RFC 6762; of the NAT64
  // discovery addresses: RFC 8880.
  '10.in-addr.arpa',
  ...Array.from({ length: 16 }, (_, at) => `${at + 16}.172.in-addr.arpa`),
  '168.192.in-addr.arpa',
  '254.169.in-addr.arpa',
  '8.e.f.ip6.arpa',
  '9.e.f.ip6.arpa',
  'a.e.f.ip6.arpa',
  'b.e.f.ip6.arpa',
  '170.0.0.192.in-addr.arpa',
  '171.0.0.192.in-addr.arpa',
])

/**
 * True for an address that is not globally reachable and for a name at or below a special-use
 * domain.
 */
export function isBogon(item: Item): boolean {
  switch (item.kind) {
    case 'ipv4':
      return isBogonIpv4(item.value)
    case 'ipv6':
      return isBogonIpv6(item.words)
    case 'domain':
      return isSpecialUse(item.text)
  }
}

// For the unsigned 32-bit value of an address.
function isBogonIpv4(value: number): boolean {
  if (IPV4_BOGON_FIRST_BYTES[value >>> 24] === 0) return false
  return holdsV4(IPV4_BOGONS, value) && !holdsV4(IPV4_REACHABLE, value)
}

function isBogonIpv6(words: Ipv6Words): boolean {
  if (holdsV6(NAT64, words)) return isBogonIpv4(words[3])
  if (!holdsV6(IPV6_GLOBAL, words)) return true
  // 6to4 has the router's address after its first 16 bits, Teredo the inverted client's address at
  // its end (RFC 3056, RFC 4380).
  if (holdsV6(SIX_TO_FOUR, words)) {
    return isBogonIpv4((((words[0] & 0xffff) << 16) | (words[1] >>> 16)) >>> 0)
  }
  if (holdsV6(TEREDO, words)) return isBogonIpv4(~words[3] >>> 0)
  return holdsV6(IPV6_BOGONS, words) && !holdsV6(IPV6_REACHABLE, words)
}

function isSpecialUse(domain: string): boolean {
  return findSpecialUseDomain(domain) !== null
}

/** The special-use domain that the canonical name is, or lies below. */
export function findSpecialUseDomain(domain: string): string | null {
  // The longest entry has six labels, so the last six labels are enough.
  let start = domain.length
  for (let labels = 0; labels < 6 && start > 0; labels += 1) {
    start = domain.lastIndexOf('.', start - 2) + 1
    const name = domain.slice(start)
    if (SPECIAL_USE_DOMAINS.has(name)) return name
  }
  return null
}

// Flat arrays: first and mask of each block, side by side.
function blocksV4(ranges: readonly string[]): Uint32Array {
  const blocks = ranges.map(requireRange).filter((range) => range.kind === 'ipv4-range')
  return Uint32Array.from(
    blocks.flatMap(({ first, prefixLength }) => [first, ipv4Mask(prefixLength)]),
  )
}

function holdsV4(blocks: Uint32Array, value: number): boolean {
  for (let at = 0; at < blocks.length; at += 2) {
    if ((value & (blocks[at + 1] ?? 0)) >>> 0 === blocks[at]) return true
  }
  return false
}

function firstBytes(blocks: Uint32Array): Uint8Array {
  const touched = new Uint8Array(256)
  for (let at = 0; at < blocks.length; at += 2) {
    const first = blocks[at] ?? 0
    const last = (first | ~(blocks[at + 1] ?? 0)) >>> 0
    touched.fill(1, first >>> 24, (last >>> 24) + 1)
  }
  return touched
}

interface Ipv6Block {
  readonly first: Ipv6Words
  readonly masks: Ipv6Words
}

function blocksV6(ranges: readonly string[]): readonly Ipv6Block[] {
  const blocks = ranges.map(requireRange).filter((range) => range.kind === 'ipv6-range')
  return blocks.map(({ first, prefixLength }) => {
    const mask = (word: number): number => ipv6WordMask(prefixLength, word)
    return { first, masks: [mask(0), mask(1), mask(2), mask(3)] }
  })
}

function holdsV6(blocks: readonly Ipv6Block[], words: Ipv6Words): boolean {
  return blocks.some(
    ({ first, masks }) =>
      (words[0] & masks[0]) >>> 0 === first[0] &&
      (words[1] & masks[1]) >>> 0 === first[1] &&
      (words[2] & masks[2]) >>> 0 === first[2] &&
      (words[3] & masks[3]) >>> 0 === first[3],
  )
}

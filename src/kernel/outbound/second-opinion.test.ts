// The question of check-address.ts and check-url.ts answered a second time in another way,
// arithmetic on numbers over tables typed from the IANA registries (special-purpose addresses, IPv6
// global unicast, multicast) and without a parser, and both compared.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseAllowList } from './allow-list.ts'
import { classifyAddress } from './check-address.ts'
import { checkUrl } from './check-url.ts'

type Block = readonly [first: bigint, length: number]

const SPECIAL_IPV4: readonly Block[] = [
  [0x00000000n, 8], // 0.0.0.0, this network
  [0x0a000000n, 8], // 10.0.0.0, private
  [0x64400000n, 10], // 100.64.0.0, shared
  [0x7f000000n, 8], // 127.0.0.0, loopback
  [0xa83f8110n, 32], // 168.63.129.16, Azure's host
  [0xa9fe0000n, 16], // 169.254.0.0, link local
  [0xac100000n, 12], // 172.16.0.0, private
  [0xc0000000n, 24], // 192.0.0.0, protocol assignments
  [0xc0000200n, 24], // 192.0.2.0, documentation
  [0xc01fc400n, 24], // 192.31.196.0, AS112
  [0xc034c100n, 24], // 192.52.193.0, AMT
  [0xc0586300n, 24], // 192.88.99.0, withdrawn 6to4 relay
  [0xc0a80000n, 16], // 192.168.0.0, private
  [0xc0af3000n, 24], // 192.175.48.0, AS112
  [0xc6120000n, 15], // 198.18.0.0, benchmarking
  [0xc6336400n, 24], // 198.51.100.0, documentation
  [0xcb007100n, 24], // 203.0.113.0, documentation
  [0xe0000000n, 3], // 224.0.0.0, multicast and reserved up to the end
]

// Within 2000::/3; everything outside it is special by itself. Given as the first 64 bits.
const SPECIAL_IPV6: readonly Block[] = [
  [0x2001000000000000n, 23], // 2001::, protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID and the rest
  [0x20010db800000000n, 32], // 2001:db8::, documentation
  [0x2002000000000000n, 16], // 2002::, 6to4
  [0x2620004f80000000n, 48], // 2620:4f:8000::, AS112
  [0x3fff000000000000n, 20], // 3fff::, documentation
]

function isPublicIpv4(value: bigint): boolean {
  return !SPECIAL_IPV4.some(
    ([first, length]) => value >> BigInt(32 - length) === first >> BigInt(32 - length),
  )
}

function isPublicIpv6(value: bigint): boolean {
  const high = value >> 64n
  if (high >> 61n !== 1n) return false
  return !SPECIAL_IPV6.some(
    ([first, length]) => high >> BigInt(64 - length) === first >> BigInt(64 - length),
  )
}

function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.')
}

/** All eight groups, nothing shortened. */
function formatIpv6(value: bigint): string {
  return [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n]
    .map((shift) => ((value >> shift) & 0xffffn).toString(16))
    .join(':')
}

// Spellings of one IPv4 address that the WHATWG parser must bring back to the same number.
const SPELLINGS: readonly ((value: bigint) => string)[] = [
  formatIpv4,
  (value) => `${formatIpv4(value)}.`,
  String,
  (value) => `0x${value.toString(16)}`,
  (value) => `0${value.toString(8)}`,
  (value) =>
    readBytes(value)
      .map((byte) => `0x${byte.toString(16)}`)
      .join('.'),
  (value) =>
    readBytes(value)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  (value) => `${value >> 24n}.${value & 0xffffffn}`,
  (value) => `${value >> 24n}.${(value >> 16n) & 0xffn}.${value & 0xffffn}`,
  (value) => formatIpv4(value).replaceAll('.', '%2e'),
  (value) => formatIpv4(value).replaceAll('.', '\u3002'),
  (value) =>
    formatIpv4(value).replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
]

const FRAMES: readonly ((host: string) => string)[] = [
  (host) => `https://${host}/`,
  (host) => `https:\\\\${host}/path?query`,
  (host) => `https:${host}`,
  (host) => `HTTPS://${host}:8443/#@good.example`,
  (host) => `https://${host}\\@good.example/`,
  (host) => `  https://${host}  `,
]

const RULES = { allowHttp: true, allow: parseAllowList([]) }

// Where a guard errs: the ends of the ranges, the addresses of metadata services, and IPv4 carried
// inside IPv6.
const EDGES_IPV4: readonly bigint[] = SPECIAL_IPV4.flatMap(([first, length]) => [
  first,
  first + (1n << BigInt(32 - length)),
])
const EDGES_IPV6: readonly bigint[] = [
  ...SPECIAL_IPV6.flatMap(([first, length]) => [
    first << 64n,
    (first + (1n << BigInt(64 - length))) << 64n,
  ]),
  0n,
  1n,
  0x2000n << 112n,
  0x4000n << 112n,
  0xfc00n << 112n,
  0xfe80n << 112n,
  0xff00n << 112n,
  ...EDGES_IPV4.flatMap((value) => [
    value,
    (0xffffn << 32n) | value,
    (0xffff0000n << 32n) | value,
    (0x64ff9bn << 96n) | value,
    (0x2002n << 112n) | (value << 80n),
  ]),
]

function addresses(bits: number, edges: readonly bigint[]): fc.Arbitrary<bigint> {
  const nearEdge = fc
    .tuple(fc.constantFrom(...edges), fc.integer({ min: -2, max: 2 }), fc.nat(bits / 2))
    .map(([edge, step, shift]) => BigInt.asUintN(bits, edge + (BigInt(step) << BigInt(shift))))
  return fc.oneof(fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }), nearEdge)
}

function createTally(): {
  readonly note: (isPublic: boolean) => void
  readonly assertBoth: () => void
} {
  const seen = { public: 0, special: 0 }
  return {
    note: (isPublic) => {
      seen[isPublic ? 'public' : 'special'] += 1
    },
    // A comparison that saw one side only would hold for a guard that always says the same.
    assertBoth: () => assert.ok(seen.public > 500 && seen.special > 500, JSON.stringify(seen)),
  }
}

test('both opinions agree about 8,000 random addresses', () => {
  const tally = createTally()
  const compare = (text: string, isPublic: boolean): void => {
    tally.note(isPublic)
    assert.equal(classifyAddress(text).kind === 'public', isPublic, text)
  }
  fc.assert(
    fc.property(addresses(32, EDGES_IPV4), addresses(128, EDGES_IPV6), (four, six) => {
      compare(formatIpv4(four), isPublicIpv4(four))
      compare(formatIpv6(six), isPublicIpv6(six))
    }),
    { numRuns: 4_000 },
  )
  tally.assertBoth()
})

test('both opinions agree about 8,000 random URLs in many spellings', () => {
  const tally = createTally()
  const compare = (text: string, isPublic: boolean): void => {
    tally.note(isPublic)
    const verdict = checkUrl(text, RULES)
    const expected = isPublic ? 'fit' : 'address'
    assert.equal(verdict.kind === 'fit' ? 'fit' : verdict.reason, expected, text)
  }
  fc.assert(
    fc.property(
      addresses(32, EDGES_IPV4),
      addresses(128, EDGES_IPV6),
      fc.constantFrom(...SPELLINGS),
      fc.constantFrom(...FRAMES),
      (four, six, spell, frame) => {
        compare(frame(spell(four)), isPublicIpv4(four))
        compare(frame(`[${formatIpv6(six)}]`), isPublicIpv6(six))
      },
    ),
    { numRuns: 4_000 },
  )
  tally.assertBoth()
})

function readBytes(value: bigint): bigint[] {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn)
}

// Proves that the parsers of addresses, ranges and spans agree with each other and with Node.

import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseAddress, parseSocketAddress } from './address.ts'
import { parseAddressSpan } from './address-span.ts'
import { parseItem } from './item.ts'
import { parseSubject, rangeHolds } from './range.ts'

const PIECES = `0 1 01 00 255 256 1.2.3.4 ffff 12345 2001:db8: ::ffff: : :: . % %eth0 eth0 g x - /`
const scraps = fc
  .array(fc.constantFrom(...PIECES.split(' ')), { maxLength: 9 })
  .map((pieces) => pieces.join(''))
const zoned = fc
  .tuple(fc.ipV6(), fc.string({ unit: 'binary', maxLength: 3 }))
  .map(([address, zone]) => `${address}%${zone}`)
const texts = fc.oneof(fc.ipV4(), fc.ipV6(), zoned, scraps, fc.string())

test('a socket address is exactly what Node connects to without a look-up', () => {
  let seen = 0
  fc.assert(
    fc.property(texts, (text) => {
      const address = parseSocketAddress(text)
      const version = address === null ? 0 : Number(address.kind.slice(-1))
      assert.equal(version, isIP(text), text)
      seen += Math.sign(version)
    }),
    { numRuns: 5_000 },
  )
  assert.ok(seen > 1_000, `only ${seen} addresses were seen`)
})

test('addresses, items, subjects and spans of one address agree', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const address = parseAddress(text)
      const item = parseItem(text)
      assert.deepEqual(address, item?.kind === 'domain' ? null : item)
      if (address === null) return
      assert.deepEqual(parseSubject(text), { kind: 'subject', subject: address })
      const span = parseAddressSpan(text)
      assert.ok(typeof span !== 'string')
      assert.equal(span.ranges.length, 1)
      assert.ok(span.ranges.every((range) => rangeHolds(range, address)))
    }),
    { numRuns: 5_000 },
  )
})

test('a range means the same to intel and to owners', () => {
  const lengths = fc.oneof(fc.nat(130).map(String), fc.constantFrom('', '08', '-1', 'x', '8/8'))
  const addresses = fc.oneof(
    texts,
    fc.constantFrom('192.0.2.0', '0.0.0.0', '::', '2001:db8::', '::ffff:192.0.2.0'),
  )
  let seen = 0
  fc.assert(
    fc.property(addresses, lengths, (address, length) => {
      const text = `${address}/${length}`
      const parsed = parseSubject(text)
      const span = parseAddressSpan(text)
      assert.equal(typeof span === 'string', parsed.kind === 'refused', text)
      if (typeof span === 'string' || parsed.kind === 'refused') return
      assert.deepEqual(parseSubject(span.text), parsed)
      seen += 1
    }),
    { numRuns: 5_000 },
  )
  assert.ok(seen > 200, `only ${seen} ranges were seen`)
})

test('only a socket address has a zone, and keeps an IPv4-mapped address in IPv6', () => {
  assert.equal(parseAddress('fe80::1%eth0'), null)
  assert.equal(parseSocketAddress('fe80::1%eth0')?.text, 'fe80::1')
  assert.equal(parseAddress('::ffff:192.0.2.1')?.text, '192.0.2.1')
  assert.equal(parseSocketAddress('::ffff:192.0.2.1')?.text, '::ffff:c000:201')
})

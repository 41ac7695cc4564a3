import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { formatIpv4, parseAddress } from './address.ts'
import { parseAddressSpan, spanRanges } from './address-span.ts'
import { rangeHolds, subjectOfRange } from './range.ts'

function read(text: string) {
  const range = parseAddressSpan(text)
  assert.ok(typeof range !== 'string', text)
  return range
}

function refuse(text: string): string {
  const reason = parseAddressSpan(text)
  return typeof reason === 'string' ? reason : assert.fail(text)
}

test('a block, an address and a range of whole blocks are told in one canonical form', () => {
  assert.equal(read('192.0.2.0/24').text, '192.0.2.0/24')
  assert.equal(read('192.0.2.7').text, '192.0.2.7/32')
  assert.equal(read('192.0.2.0 - 192.0.2.255').text, '192.0.2.0/24')
  assert.equal(read('192.0.2.0-192.0.2.2').text, '192.0.2.0-192.0.2.2')
  assert.equal(read('2001:DB8:0::/32').text, '2001:db8::/32')
  assert.equal(read('2001:db8::1').text, '2001:db8::1/128')
  assert.equal(read('::ffff:192.0.2.0/120').text, '192.0.2.0/24')
  assert.equal(read('0.0.0.0/0').text, '0.0.0.0/0')
  assert.equal(read('::/0').ranges.length, 1)
})

test('a range is split into the fewest aligned blocks, and knows how narrow it is as a whole', () => {
  const range = read('192.0.2.1-192.0.2.6')
  assert.deepEqual(
    range.ranges.map(({ text }) => text),
    ['192.0.2.1/32', '192.0.2.2/31', '192.0.2.4/31', '192.0.2.6/32'],
  )
  assert.equal(range.prefixLength, 29)
  assert.equal(read('192.0.2.0/26').prefixLength, 26)
  assert.equal(read('192.0.2.1').prefixLength, 32)
  assert.equal(read('192.0.2.0-192.0.2.254').prefixLength, 24)
  // The worst ranges of both families.
  assert.equal(read('0.0.0.1-255.255.255.254').ranges.length, 62)
  const last = 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe'
  assert.equal(read(`::1-${last}`).ranges.length, 254)
})

test('refused with a reason: host bits, mixed families, backward ranges and what is no range', () => {
  assert.match(refuse('192.0.2.1/24'), /send 192\.0\.2\.0\/24/)
  assert.match(refuse('192.0.2.1-2001:db8::1'), /one family/)
  assert.match(refuse('192.0.2.9-192.0.2.1'), /not end before/)
  for (const text of [
    '',
    '-',
    'example.com',
    '192.0.2.0/33',
    '192.0.2.0/-1',
    '192.0.2.0/024',
    '192.0.2.0-192.0.2.1-192.0.2.2',
    '2001:db8::/129',
    '::ffff:192.0.2.0/80',
  ]) {
    assert.equal(typeof parseAddressSpan(text), 'string', text)
  }
})

test('the blocks of any range hold each of its addresses once and no other', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(byte, byte, (one, other) => {
      const [first, last] = [Math.min(one, other), Math.max(one, other)]
      const { ranges } = read(`198.51.100.${first}-198.51.100.${last}`)
      const held = ranges.flatMap(({ text, prefixLength }) => {
        const start = Number(text.split('.')[3]?.split('/')[0])
        assert.equal(start % 2 ** (32 - prefixLength), 0)
        return Array.from({ length: 2 ** (32 - prefixLength) }, (_, index) => start + index)
      })
      assert.deepEqual(
        held,
        Array.from({ length: last - first + 1 }, (_, index) => first + index),
      )
    }),
  )
})

function spanOf(first: string, last: string): readonly string[] | null {
  const from = parseAddress(first)
  const to = parseAddress(last)
  assert.ok(from !== null && to !== null)
  return spanRanges(from, to)?.map((range) => subjectOfRange(range).text) ?? null
}

test('a span of two addresses becomes ranges that cover exactly it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffff_ff00 }), fc.nat(255), (first, more) => {
      const from = parseAddress(formatIpv4(first))
      const to = parseAddress(formatIpv4(first + more))
      assert.ok(from !== null && to !== null)
      const ranges = spanRanges(from, to) ?? []
      for (let value = Math.max(0, first - 2); value <= first + more + 2; value += 1) {
        const item = parseAddress(formatIpv4(value))
        assert.ok(item !== null)
        const holders = ranges.filter((range) => rangeHolds(range, item))
        assert.equal(holders.length, value >= first && value <= first + more ? 1 : 0)
      }
    }),
  )
})

test('a span may be of IPv6, and is refused the wrong way round or across kinds', () => {
  assert.deepEqual(spanOf('2001:db8::', '2001:db8:0:1:ffff:ffff:ffff:ffff'), ['2001:db8::/63'])
  assert.deepEqual(spanOf('2001:db8::1', '2001:db8::2'), ['2001:db8::1', '2001:db8::2'])
  assert.deepEqual(spanOf('0.0.0.0', '255.255.255.255'), ['0.0.0.0/0'])
  assert.equal(spanOf('192.0.2.9', '192.0.2.1'), null)
  assert.equal(spanOf('192.0.2.9', '2001:db8::1'), null)
})

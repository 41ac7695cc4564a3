import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseIpRange } from './ip-range.ts'

function read(text: string) {
  const range = parseIpRange(text)
  assert.ok(typeof range !== 'string', text)
  return range
}

function refuse(text: string): string {
  const reason = parseIpRange(text)
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
  assert.equal(read('::/0').blocks.length, 1)
})

test('a range is split into the fewest aligned blocks, and knows how narrow it is as a whole', () => {
  const range = read('192.0.2.1-192.0.2.6')
  assert.deepEqual(
    range.blocks.map((block) => block.network),
    ['192.0.2.1/32', '192.0.2.2/31', '192.0.2.4/31', '192.0.2.6/32'],
  )
  assert.equal(range.rangeLength, 29)
  assert.equal(read('192.0.2.0/26').rangeLength, 26)
  assert.equal(read('192.0.2.1').rangeLength, 32)
  assert.equal(read('192.0.2.0-192.0.2.254').rangeLength, 24)
  // The worst ranges of both families.
  assert.equal(read('0.0.0.1-255.255.255.254').blocks.length, 62)
  const last = 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe'
  assert.equal(read(`::1-${last}`).blocks.length, 254)
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
    assert.equal(typeof parseIpRange(text), 'string', text)
  }
})

test('the blocks of any range hold each of its addresses once and no other', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(byte, byte, (one, other) => {
      const [first, last] = [Math.min(one, other), Math.max(one, other)]
      const { blocks } = read(`198.51.100.${first}-198.51.100.${last}`)
      const held = blocks.flatMap(({ network, prefixLength }) => {
        const start = Number(network.split('.')[3]?.split('/')[0])
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

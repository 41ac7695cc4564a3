import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAddress } from '../../values/address.ts'
import { requireRange } from '../../values/range.ts'
import { OwnNetworks } from './own-networks.ts'

describe('OwnNetworks', () => {
  const own = new OwnNetworks([
    '198.51.100.0/24',
    '198.51.100.128/25',
    '203.0.113.9',
    '0.0.0.0/8',
    '255.255.255.255',
    '2001:db8:5::/48',
    '2001:db8::1',
    'host.example',
  ])
  const isOwn = (text: string): boolean => own.isOwnAddress(parseAddress(text) ?? assert.fail(text))

  it('holds the addresses of its ranges, first and last, and no neighbour', () => {
    for (const text of [
      '198.51.100.0',
      '198.51.100.255',
      '203.0.113.9',
      '0.0.0.0',
      '255.255.255.255',
      '2001:db8:5::',
      '2001:db8:5:ffff:ffff:ffff:ffff:ffff',
      '2001:db8::1',
    ]) {
      assert.equal(isOwn(text), true, text)
    }
    for (const text of [
      '198.51.99.255',
      '198.51.101.0',
      '203.0.113.8',
      '203.0.113.10',
      '1.0.0.0',
      '255.255.255.254',
      '2001:db8:6::',
      '2001:db8:4:ffff:ffff:ffff:ffff:ffff',
      '2001:db8::2',
    ]) {
      assert.equal(isOwn(text), false, text)
    }
  })

  it('holds a range only as a whole', () => {
    for (const [text, expected] of [
      ['198.51.100.64/26', true],
      ['198.51.100.0/24', true],
      ['198.51.100.0/23', false],
      ['2001:db8:5:8000::/49', true],
      ['2001:db8:4::/47', false],
    ] as const) {
      assert.equal(own.holdsRange(requireRange(text)), expected, text)
    }
  })

  it('holds nothing when it is empty', () => {
    const none = new OwnNetworks([])
    assert.equal(none.isEmpty, true)
    assert.equal(none.isOwnAddress(parseAddress('192.0.2.1') ?? assert.fail()), false)
  })
})

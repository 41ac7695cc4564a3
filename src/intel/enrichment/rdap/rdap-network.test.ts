import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { compareIpv6, type Ipv6Words, ipv4Item, ipv6Item } from '../../../values/address.ts'
import { rangeHolds } from '../../../values/range.ts'
import { parseRdapNetwork } from './rdap-network.ts'

const LAST_IPV4 = 0xffff_ffff

function toNumber(words: Ipv6Words): bigint {
  return words.reduce((sum, word) => (sum << 32n) + BigInt(word), 0n)
}

describe('the block that an RDAP answer is kept for', () => {
  it('holds the address asked about and lies in the IPv4 network, whatever its ends', () => {
    const value = fc.integer({ min: 0, max: LAST_IPV4 })
    const distance = fc.integer({ min: 0, max: 0x2_0000 })
    fc.assert(
      fc.property(value, distance, distance, (asked, before, after) => {
        const first = Math.max(0, asked - before)
        const last = Math.min(LAST_IPV4, asked + after)
        const text = JSON.stringify({
          startAddress: ipv4Item(first).text,
          endAddress: ipv4Item(last).text,
        })
        const block = parseRdapNetwork(text, ipv4Item(asked))?.block
        assert.ok(block?.kind === 'ipv4-range')
        assert.equal(rangeHolds(block, ipv4Item(asked)), true)
        assert.equal(block.first >= first, true)
        assert.equal(block.first + 2 ** (32 - block.prefixLength) - 1 <= last, true)
      }),
    )
  })

  it('holds the address asked about and lies in the IPv6 network, whatever its ends', () => {
    const word = fc.integer({ min: 0, max: 0xffff_ffff })
    const words = fc.tuple(word, word, word).map(([b, c, d]): Ipv6Words => [0x2600_0001, b, c, d])
    fc.assert(
      fc.property(fc.tuple(words, words, words), (three) => {
        // Of three addresses with one beginning the middle one is asked about.
        const [first, asked, last] = three.toSorted(compareIpv6)
        assert.ok(first !== undefined && asked !== undefined && last !== undefined)
        const text = JSON.stringify({
          startAddress: ipv6Item(first).text,
          endAddress: ipv6Item(last).text,
        })
        const block = parseRdapNetwork(text, ipv6Item(asked))?.block
        assert.ok(block?.kind === 'ipv6-range')
        assert.equal(rangeHolds(block, ipv6Item(asked)), true)
        const firstOfBlock = toNumber(block.first)
        const lastOfBlock = firstOfBlock + (1n << BigInt(128 - block.prefixLength)) - 1n
        assert.equal(firstOfBlock >= toNumber(first), true)
        assert.equal(lastOfBlock <= toNumber(last), true)
      }),
    )
  })

  it('gives no network for an address outside of it, and for what has no ends', () => {
    const outside = JSON.stringify({ startAddress: '192.0.2.0', endAddress: '192.0.2.255' })
    assert.equal(parseRdapNetwork(outside, ipv4Item(0xc0_00_03_00)), null)
    assert.equal(parseRdapNetwork('{"startAddress": "192.0.2.0"}', ipv4Item(0xc0_00_02_00)), null)
  })
})

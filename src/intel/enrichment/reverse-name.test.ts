import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { AddressItem } from '../../values/address.ts'
import { parseItem } from '../../values/item.ts'
import { reverseLabels, reverseName } from './reverse-name.ts'

function address(text: string): AddressItem {
  const item = parseItem(text)
  if (item === null || item.kind === 'domain') throw new Error(`${text} is no address`)
  return item
}

it('names an IPv4 address by its parts, the last first', () => {
  assert.equal(reverseName(address('192.0.2.1')), '1.2.0.192.in-addr.arpa')
})

it('names an IPv6 address by its 32 nibbles, the last first (RFC 3596 section 2.5)', () => {
  assert.equal(
    reverseName(address('4321:0:1:2:3:4:567:89ab')),
    'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa',
  )
})

it('gives an IPv4-mapped address the name of the IPv4 address', () => {
  assert.equal(reverseLabels(address('::ffff:192.0.2.1')), '1.2.0.192')
})

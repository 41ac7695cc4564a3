// Which addresses are public, one by one: both ends of every special range, their neighbours, and
// texts that are no address.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  classifyAddress,
  findCarriedIpv4,
  isLocalAddress,
  normalizeAddress,
} from './check-address.ts'

const SPECIAL = list(`
  0.0.0.0 0.255.255.255 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255
  127.0.0.1 127.255.255.254 169.254.0.1 169.254.169.254 172.16.0.1
  172.31.255.255 192.0.0.1 192.0.0.9 192.0.0.192 192.0.2.1 192.31.196.1
  192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1 198.18.0.1
  198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255
  240.0.0.1 255.255.255.255 100.100.100.200 168.63.129.16
  :: ::1 ::2 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:7f00:1
  64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::7f00:1 100::1 100:0:0:1::1
  2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:1::1 2001:2::1 2001:3::1
  2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:1ff::1 2001:db8::1
  2002:7f00:1:: 2002:808:808::1 2620:4f:8000::1 3fff::1 3fff:fff::1
  4000::1 5f00::1 8000::1 e000::1 fc00::1 fd00:ec2::254 fe00::1
  fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1 ffff::1 1::1
`)

// The neighbours of the ranges above. They are only classified; nothing connects to them.
const PUBLIC = list(`
  1.0.0.0 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255
  128.0.0.1 169.253.0.1 169.255.0.1 168.63.129.15 168.63.129.17
  172.15.255.255 172.32.0.1 191.255.255.255 192.0.1.1 192.0.3.1
  192.88.98.1 192.88.100.1 192.167.0.1 192.169.0.1 198.17.0.1 198.20.0.1
  198.51.99.1 198.51.101.1 203.0.112.1 203.0.114.1 223.255.255.255
  2600::1 2001:200::1 2001:db7::1 2001:db9::1 2003::1 3ffe::1 3fff:1000::1
`)

const UNREADABLE: readonly string[] = [
  '',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.0.0.1.',
  ' 127.0.0.1',
  '[::1]',
  'localhost',
  '::1::',
  '1.2.3.4.5',
  '256.1.1.1',
  '１.1.1.1',
  '8.8.8.8/32',
]

describe('classifyAddress', () => {
  test(`special for ${SPECIAL.length} addresses that are not global unicast`, () => {
    for (const address of SPECIAL) assert.equal(classifyAddress(address).kind, 'special', address)
  })

  test('public for the neighbours of every special range', () => {
    for (const address of PUBLIC) assert.equal(classifyAddress(address).kind, 'public', address)
  })

  test('special for every text that is no address in its plain form', () => {
    for (const text of UNREADABLE) {
      assert.deepEqual(classifyAddress(text), { kind: 'special', range: 'unreadable' }, text)
    }
  })
})

describe('findCarriedIpv4', () => {
  const carried: readonly (readonly [string, string | null])[] = [
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::127.0.0.1', '127.0.0.1'],
    ['::ffff:0:127.0.0.1', '127.0.0.1'],
    ['64:ff9b::7f00:1', '127.0.0.1'],
    ['64:ff9b:1::a9fe:a9fe', '169.254.169.254'],
    ['2002:7f00:1::', '127.0.0.1'],
    // Teredo's own example of RFC 4380 section 4, with a documentation address of the client.
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '192.0.2.45'],
    ['2600::7f00:1', null],
    ['fe80::1', null],
    ['127.0.0.1', null],
    ['nonsense', null],
  ]
  for (const [address, expected] of carried) {
    test(`${String(expected)} in ${address}`, () => {
      assert.equal(findCarriedIpv4(address), expected)
    })
  }
})

test('only private, loopback, shared and unique local addresses are local', () => {
  for (const address of ['10.0.0.1', '127.0.0.1', '100.64.0.1', '::1', 'fd00::1']) {
    assert.equal(isLocalAddress(address), true, address)
  }
  for (const address of ['169.254.169.254', 'fe80::1', '0.0.0.0', '224.0.0.1', '2600::1', 'x']) {
    assert.equal(isLocalAddress(address), false, address)
  }
})

test('one spelling for each address', () => {
  assert.equal(normalizeAddress('0:0:0:0:0:0:0:1'), normalizeAddress('::1'))
  assert.equal(normalizeAddress('2001:DB8::00A'), normalizeAddress('2001:db8:0:0:0:0:0:a'))
  assert.equal(normalizeAddress('fe80::1%eth0'), normalizeAddress('fe80::1'))
  assert.equal(normalizeAddress('127.1'), null)
})

function list(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

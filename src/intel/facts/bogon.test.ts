import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseItem } from '../../values/item.ts'
import { isBogon } from './bogon.ts'

function bogon(text: string): boolean {
  const item = parseItem(text)
  assert.ok(item !== null, text)
  return isBogon(item)
}

// [before the block or null, first, last, after the block or null]
type Edges = readonly [string | null, string, string, string | null]

function assertEdges(edges: readonly Edges[]): void {
  for (const [before, first, last, after] of edges) {
    assert.equal(bogon(first), true, first)
    assert.equal(bogon(last), true, last)
    if (before !== null) assert.equal(bogon(before), false, before)
    if (after !== null) assert.equal(bogon(after), false, after)
  }
}

test('IPv4: every special-purpose block is a bogon from its first to its last address', () => {
  assertEdges([
    [null, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
    ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
    ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['191.255.255.255', '192.0.0.0', '192.0.0.8', '192.0.0.9'],
    ['192.0.0.10', '192.0.0.11', '192.0.0.255', '192.0.1.0'],
    ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
    ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
    ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
    ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
    ['223.255.255.255', '224.0.0.0', '239.255.255.255', null],
    [null, '240.0.0.0', '255.255.255.255', null],
  ])
})

test('IPv6: everything outside 2000::/3 is a bogon, and the special blocks inside', () => {
  assertEdges([
    [null, '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
    [
      '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      '3fff::',
      '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
      '3fff:1000::',
    ],
    [
      '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      '4000::',
      'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      null,
    ],
    [
      '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
      '2001:db8::',
      '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
      '2001:db9::',
    ],
    [null, '2001:1::', '2001:1::', '2001:1::1'],
    ['2001:1::3', '2001:1::4', '2001:2:ffff:ffff:ffff:ffff:ffff:ffff', '2001:3::'],
    [
      '2001:3:ffff:ffff:ffff:ffff:ffff:ffff',
      '2001:4::',
      '2001:4:111:ffff:ffff:ffff:ffff:ffff',
      '2001:4:112::',
    ],
    [
      '2001:4:112:ffff:ffff:ffff:ffff:ffff',
      '2001:4:113::',
      '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff',
      '2001:20::',
    ],
    [
      '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff',
      '2001:40::',
      '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
      '2001:200::',
    ],
  ])
  for (const text of [
    '::1',
    '64:ff9b:1::1',
    '100::1',
    '5f00::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'ff02::1',
  ]) {
    assert.equal(bogon(text), true, text)
  }
})

test('an IPv6 address that carries an IPv4 address is as reachable as that', () => {
  for (const [text, expected] of [
    ['2002:0a00:0001::1', true],
    ['2002:0808:0808::1', false],
    ['64:ff9b::10.0.0.1', true],
    ['64:ff9b::8.8.8.8', false],
    // Teredo ends in the inverted address of the client.
    ['2001:0:5ef5:79fd:0:0:f5ff:fffe', true],
    ['2001:0:5ef5:79fd:0:0:f7f7:f7f7', false],
    ['::ffff:10.0.0.1', true],
    ['::ffff:8.8.8.8', false],
  ] as const) {
    assert.equal(bogon(text), expected, text)
  }
})

test('names at or below a special-use domain are bogons', () => {
  for (const text of [
    'example.com',
    'www.example.com',
    'example.net',
    'example.org',
    'host.example',
    'host.test',
    'a.b.c.d.e.f.g.invalid',
    'printer.local',
    'app.localhost',
    'abc.onion',
    'x.alt',
    'db.internal',
    'router.home.arpa',
    'ipv4only.arpa',
    '1.0.0.10.in-addr.arpa',
    '1.0.16.172.in-addr.arpa',
    '1.0.31.172.in-addr.arpa',
    '1.1.168.192.in-addr.arpa',
    '170.0.0.192.in-addr.arpa',
    '0.8.e.f.ip6.arpa',
    '0.b.e.f.ip6.arpa',
  ]) {
    assert.equal(bogon(text), true, text)
  }
})

test('names that only contain or end like a special-use domain are none', () => {
  for (const text of [
    'myexample.com',
    'example.com.de',
    'contest.de',
    'test.de',
    'local.de',
    'in-addr.arpa',
    '1.0.15.172.in-addr.arpa',
    '1.0.32.172.in-addr.arpa',
    '172.0.0.192.in-addr.arpa',
    '0.c.e.f.ip6.arpa',
  ]) {
    assert.equal(bogon(text), false, text)
  }
})

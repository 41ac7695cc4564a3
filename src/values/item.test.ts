import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parentDomains, registrableDomain } from './domain.ts'
import { parseItem } from './item.ts'

function textOf(text: string): string | null {
  return parseItem(text)?.text ?? null
}

test('an IPv4 item is exactly four decimal numbers', () => {
  for (const [text, value] of [
    ['0.0.0.0', 0],
    ['192.0.2.1', 0xc0000201],
    ['255.255.255.255', 0xffffffff],
  ] as const) {
    assert.deepEqual(parseItem(text), { kind: 'ipv4', text, value })
  }
})

test('null for octal, hexadecimal, short, long and padded forms of IPv4', () => {
  for (const text of [
    '192.0.2',
    '192.0.2.1.5',
    '192.0.2.01',
    '00.0.2.1',
    '0300.0.2.1',
    '0xc0.0.2.1',
    '3221225985',
    '192.0.2.256',
    '192.0.2.1 ',
    ' 192.0.2.1',
    '192.0.2.',
    '.192.0.2.1',
    '192..2.1',
    '+1.0.2.1',
    '１９２.0.2.1',
    '192.0.2.1/32',
    '192.0.2.1:80',
  ]) {
    assert.equal(parseItem(text), null, text)
  }
})

test('an IPv6 item is written as RFC 5952 says', () => {
  for (const [text, canonical] of [
    ['::', '::'],
    ['::1', '::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ] as const) {
    const item = parseItem(text)
    assert.equal(item?.kind, 'ipv6', text)
    assert.equal(item.text, canonical)
  }
})

test('an IPv4-mapped address is the IPv4 address it carries', () => {
  for (const text of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1']) {
    assert.deepEqual(parseItem(text), { kind: 'ipv4', text: '192.0.2.1', value: 0xc0000201 })
  }
})

test('null for IPv6 with a zone, two gaps, too many groups or bad groups', () => {
  for (const text of [
    'fe80::1%eth0',
    '2001:db8::1::2',
    ':::',
    ':',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2:3:4:5:6:7:8',
    '12345::',
    '2001:db8::g',
    ':1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:',
    '::192.0.2.256',
    '192.0.2.1::',
    '::192.0.2.1:1',
    '[2001:db8::1]',
    '2001:db8::/32',
  ]) {
    assert.equal(parseItem(text), null, text)
  }
})

test('a domain becomes lower-case A-labels without the trailing dot', () => {
  for (const [text, canonical] of [
    ['example.com', 'example.com'],
    ['Example.COM.', 'example.com'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['host。example', 'host.example'],
    ['r3---sn-a.example', 'r3---sn-a.example'],
    ['1.2.0.192.in-addr.arpa', '1.2.0.192.in-addr.arpa'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ] as const) {
    assert.deepEqual(parseItem(text), { kind: 'domain', text: canonical }, text)
  }
})

test('null for what only looks like a domain', () => {
  for (const text of [
    '',
    '.',
    'localhost',
    'com',
    'example..com',
    '.example.com',
    'example.com..',
    '-a.example',
    'a-.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}example`,
    'exa mple.com',
    'ex%41mple.com',
    'example.com/path',
    'http://example.com',
    'user@example.com',
    'example.com:80',
    '*.example.com',
    '1.2.3.4.5',
    'example.0x7f',
    '１.２.３.４',
    'a\u0000.example',
    'a\ud800.example',
    'a'.repeat(5000),
  ]) {
    assert.equal(textOf(text), null, JSON.stringify(text))
  }
})

test('the longest name is 253 characters, with or without its dot', () => {
  const name = `${'a.'.repeat(123)}example`
  assert.equal(name.length, 253)
  assert.equal(textOf(`${name}.`), name)
  assert.equal(textOf(`a${name}`), null)
})

test('the canonical text of an item names the same item', () => {
  const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(text, (sent) => {
      const item = parseItem(sent)
      if (item !== null) assert.deepEqual(parseItem(item.text), item)
    }),
  )
})

test('every address and every domain of the generators is an item', () => {
  fc.assert(fc.property(fc.ipV4(), (text) => parseItem(text)?.kind === 'ipv4'))
  fc.assert(
    fc.property(fc.ipV6(), (text) => ['ipv6', 'ipv4'].includes(parseItem(text)?.kind ?? '')),
  )
  fc.assert(fc.property(fc.domain(), (text) => parseItem(text)?.kind === 'domain'))
})

test('the way up from a domain ends at the registrable name', () => {
  assert.deepEqual(parentDomains('a.b.example.com'), [
    'a.b.example.com',
    'b.example.com',
    'example.com',
  ])
  assert.deepEqual(parentDomains('example.co.uk'), ['example.co.uk'])
  assert.deepEqual(parentDomains('a.host.example'), ['a.host.example', 'host.example'])
})

test('a private suffix is nobody’s parent and stands for itself', () => {
  assert.deepEqual(parentDomains('www.someone.github.io'), [
    'www.someone.github.io',
    'someone.github.io',
  ])
  assert.deepEqual(parentDomains('github.io'), ['github.io'])
  assert.equal(registrableDomain('github.io'), null)
  assert.equal(registrableDomain('co.uk'), null)
})

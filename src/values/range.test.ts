import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseItem } from './item.ts'
import { ipv4Range, parseRange, parseSubject, rangeHolds } from './range.ts'

function subjectText(text: string, hostBits?: 'refuse' | 'clear'): string | null {
  const parsed = parseSubject(text, hostBits)
  return parsed.kind === 'subject' ? parsed.subject.text : null
}

test('a range is read into its canonical form', () => {
  for (const [text, canonical] of [
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
  ] as const) {
    assert.equal(subjectText(text), canonical)
  }
})

test('a range of one address is that address', () => {
  assert.deepEqual(parseSubject('192.0.2.1/32'), {
    kind: 'subject',
    subject: parseItem('192.0.2.1'),
  })
  assert.deepEqual(parseSubject('2001:db8::1/128'), {
    kind: 'subject',
    subject: parseItem('2001:db8::1'),
  })
})

test('bits after the prefix are refused with the range that was meant, or cleared for a list', () => {
  assert.deepEqual(parseRange('192.0.2.1/24'), {
    kind: 'refused',
    reason:
      'The address has bits set after the prefix: send 192.0.2.0/24 if the whole range is meant.',
  })
  assert.equal(parseRange('2001:db8::1/32').kind, 'refused')
  assert.equal(parseRange('::ffff:192.0.2.0/80').kind, 'refused')
  assert.equal(subjectText('192.0.2.1/24', 'clear'), '192.0.2.0/24')
  assert.equal(subjectText('2001:db8::1/32', 'clear'), '2001:db8::/32')
})

test('refused: what is no range', () => {
  for (const text of [
    '192.0.2.0/33',
    '2001:db8::/129',
    '192.0.2.0/',
    '192.0.2.0/+8',
    '192.0.2.0/08',
    '192.0.2.0/8.0',
    '192.0.2.0/255.255.255.0',
    '192.0.2/24',
    'example.com/24',
    '/24',
    '192.0.2.0/24/24',
  ]) {
    const parsed = parseSubject(text)
    assert.equal(parsed.kind, 'refused', text)
  }
})

test('a subject is also an address or a domain', () => {
  assert.equal(subjectText('192.0.2.1'), '192.0.2.1')
  assert.equal(subjectText('Example.COM.'), 'example.com')
  assert.equal(subjectText('no item'), null)
})

test('a range holds exactly the addresses that share its prefix', () => {
  const word = fc.integer({ min: 0, max: 0xffffffff })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 32 }), (first, value, length) => {
      const size = 2 ** (32 - length)
      const item = { kind: 'ipv4' as const, text: '', value }
      assert.equal(
        rangeHolds(ipv4Range(first, length), item),
        Math.floor(first / size) === Math.floor(value / size),
      )
    }),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseItem } from '../../values/item.ts'
import { explainBogon } from './bogon-reason.ts'

function reasonOf(text: string): string | null {
  return explainBogon(parseItem(text) ?? assert.fail(text))
}

test('what is no bogon has no reason', () => {
  for (const text of ['8.8.8.8', '2600::1', 'iana.org', '192.0.0.9']) {
    assert.equal(reasonOf(text), null, text)
  }
})

test('a bogon is explained by the block or name it lies in', () => {
  assert.match(reasonOf('192.0.2.1') ?? '', /192\.0\.2\.0\/24.*Documentation, RFC 5737/)
  assert.match(reasonOf('2001:db8::1') ?? '', /2001:db8::\/32.*RFC 3849/)
  assert.match(reasonOf('mail.example.com') ?? '', /example\.com.*special-use/)
  assert.match(reasonOf('2002:c000:0201::1') ?? '', /carries an IPv4 address/)
  // Teredo: the inverted 10.0.0.1 at its end.
  assert.match(reasonOf('2001::f5ff:fffe') ?? '', /carries an IPv4 address/)
  assert.match(reasonOf('fe80::1') ?? '', /outside 2000::\/3/)
})

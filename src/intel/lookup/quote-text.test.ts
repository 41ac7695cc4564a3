// Proves that a quoted text means what JSON.stringify makes of it, whatever is in it, and is ASCII.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { quoteText } from './quote-text.ts'

function assertQuoted(text: string): void {
  const quoted = quoteText(text)
  assert.match(quoted, /^[ -~\u007f]*$/)
  assert.equal(JSON.parse(quoted), JSON.parse(JSON.stringify(text)))
}

test('any text is quoted in ASCII and read back as it was, plain or not', () => {
  for (const text of [
    '',
    'example.org',
    'a"b',
    'a\\b',
    '\u0000',
    '\u007f',
    'ü',
    '\ud800',
    '\u2028',
  ]) {
    assertQuoted(text)
  }
  assert.equal(quoteText('example.org'), '"example.org"')
  assert.equal(quoteText('ü\u{1f600}'), String.raw`"\u00fc\ud83d\ude00"`)
  fc.assert(fc.property(fc.string({ unit: 'binary' }), assertQuoted))
})

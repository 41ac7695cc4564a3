// Proves that a text is quoted as JSON.stringify quotes it, whatever is in it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { quoteText } from './quote-text.ts'

test('any text is quoted as JSON.stringify does, plain or not', () => {
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
    assert.equal(quoteText(text), JSON.stringify(text))
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(quoteText(text), JSON.stringify(text))
    }),
  )
})

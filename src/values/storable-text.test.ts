// Proves which text is refused because PostgreSQL would not keep it as sent.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findUnstorableText, isStorableText } from './storable-text.ts'

test('U+0000 and lone surrogates are not storable, everything else is', () => {
  assert.equal(isStorableText('a\u0000'), false)
  assert.equal(isStorableText('\ud800'), false)
  assert.equal(isStorableText('\udc00\ud800'), false)
  assert.equal(isStorableText('😀 \u202e \u200b \uffff'), true)
})

test('the pointer names the wrong text, with its names escaped', () => {
  assert.equal(findUnstorableText({ a: [{ 'b/c~': '\u0000' }] }), '/a/0/b~1c~0')
  assert.equal(findUnstorableText('\u0000'), '/')
  assert.equal(findUnstorableText({ a: { '\u0000': 1 } }), '/a')
})

function nest(depth: number): unknown {
  let value: unknown = 'x'
  for (let i = 0; i < depth; i += 1) value = [value]
  return value
}

test('what nests deeper than 100 is refused, and the walk ends', () => {
  assert.equal(findUnstorableText(nest(100)), null)
  assert.notEqual(findUnstorableText(nest(101)), null)
  assert.notEqual(findUnstorableText(nest(100_000)), null)
})

test('a JSON value has a pointer exactly when one of its texts is not storable', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (value) => {
      const texts: string[] = []
      JSON.stringify(value, (key, member: unknown) => {
        texts.push(key)
        if (typeof member === 'string') texts.push(member)
        return member
      })
      assert.equal(findUnstorableText(value) === null, texts.every(isStorableText))
    }),
  )
})

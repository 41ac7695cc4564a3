// Proves the text form of tokens.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenText, hashToken, hasTokenShape } from './token-text.ts'

test('a token carries its kind and a checksum, and no two are alike', () => {
  const texts = Array.from({ length: 200 }, () => createTokenText('api'))
  assert.equal(new Set(texts).size, 200)
  for (const text of texts) {
    assert.match(text, /^cw_api_[0-9A-Za-z]{42}$/)
    assert(hasTokenShape(text))
  }
})

test('a token with one letter changed has no right checksum', () => {
  const text = createTokenText('admin')
  for (let i = 'cw_admin_'.length; i < text.length; i += 1) {
    const other = text[i] === 'x' ? 'y' : 'x'
    assert.equal(hasTokenShape(text.slice(0, i) + other + text.slice(i + 1)), false)
  }
})

test('what is stored is the SHA-256 of the text', () => {
  assert.equal(
    hashToken('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { CURSOR_LENGTH_MAX, createCursorSealer } from './cursor.ts'

const sealer = createCursorSealer(randomBytes(32))
const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 5 })

test('what was sealed is opened again under the same binding, by every holder of the key', () => {
  const secret = randomBytes(32)
  const one = createCursorSealer(secret)
  const other = createCursorSealer(Buffer.from(secret))
  fc.assert(
    fc.property(texts, texts, (binding, position) => {
      assert.deepEqual(other.open(binding, one.seal(binding, position)), position)
    }),
  )
})

test('null under any other binding', () => {
  fc.assert(
    fc.property(texts, texts, texts, (binding, other, position) => {
      fc.pre(JSON.stringify(binding) !== JSON.stringify(other))
      assert.equal(sealer.open(other, sealer.seal(binding, position)), null)
    }),
  )
})

test('null when any one character was altered, dropped or added', () => {
  const character = fc.constantFrom(
    ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .\n'.split(''),
  )
  fc.assert(
    fc.property(texts, fc.nat(), character, (position, at, other) => {
      const text = sealer.seal(['a'], position)
      const place = at % text.length
      const altered = text.slice(0, place) + other + text.slice(place + 1)
      if (altered !== text) assert.equal(sealer.open(['a'], altered), null)
      assert.equal(sealer.open(['a'], text.slice(0, place)), null)
      assert.equal(sealer.open(['a'], text + other), null)
    }),
  )
})

test('null for text from nowhere and for text beyond every length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(sealer.open([], text), null)
    }),
  )
  assert.equal(sealer.open([], 'A'.repeat(10_000)), null)
  const long = sealer.seal([], ['x'.repeat(CURSOR_LENGTH_MAX)])
  assert.equal(sealer.open([], long), null)
})

test('null for a signed content that is no position', () => {
  const secret = randomBytes(32)
  const content = Buffer.from('{"0":"x"}')
  const mac = createHmac('sha256', secret).update('|').update(content).digest().subarray(0, 16)
  const text = Buffer.concat([mac, content]).toString('base64url')
  assert.equal(createCursorSealer(secret).open([], text), null)
})

test('null under another key', () => {
  const text = sealer.seal(['a'], ['b'])
  assert.equal(createCursorSealer(randomBytes(32)).open(['a'], text), null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { detectFormat } from './detect-format.ts'

function kindOf(value: unknown): string {
  return detectFormat(Buffer.from(JSON.stringify(value))).kind
}

test('XARF v4 is known by its version, whatever else is wrong with it', () => {
  const detected = detectFormat(Buffer.from('\uFEFF {"xarf_version":"4.2.0","type":7}'))
  assert.deepEqual(detected, { kind: 'xarf_v4', value: { xarf_version: '4.2.0', type: 7 } })
  assert.equal(kindOf({ xarf_version: '4' }), 'xarf_v4')
})

test('XARF v4 without its version is known by its members', () => {
  assert.equal(kindOf({ source_identifier: 'x', category: 'y', type: 'z' }), 'xarf_v4')
  assert.equal(kindOf({ category: 'y', type: 'z' }), 'unknown')
})

test('other versions, other JSON and other text are unknown, and the reason says what it was', () => {
  for (const value of [{ xarf_version: '3.0.0' }, { Version: '3', Report: {} }, {}]) {
    assert.equal(kindOf(value), 'unknown')
  }
  for (const [text, reason] of [
    ['[]', /not an object/],
    ['"x"', /not an object/],
    ['', /not JSON/],
    ['From: a@example.com\r\n\r\nHello', /not JSON/],
  ] as const) {
    const detected = detectFormat(Buffer.from(text))
    assert.ok(detected.kind === 'unknown')
    assert.match(detected.reason, reason)
  }
  const latin1 = detectFormat(Buffer.from([0x22, 0xe9, 0x22]))
  assert.ok(latin1.kind === 'unknown')
  assert.match(latin1.reason, /not UTF-8/)
})

test('no bytes make the detection throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      assert.equal(detectFormat(bytes).kind, 'unknown')
    }),
  )
})

// Addresses in the texts of notices are found however they are written.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAddresses, removeAddresses } from './build-view.ts'

const WRITINGS = [
  'Ana@example.org',
  'ana%40example.org',
  'ana(at)example.org',
  'ana [at] example.org',
  'ana {AT} example.org',
]

test('an address is found and removed in each of its usual writings', () => {
  for (const one of WRITINGS) {
    assert.deepEqual(listAddresses(`by ${one}, today`), ['ana@example.org'])
    const hidden = new Set(['ana@example.org'])
    assert.equal(removeAddresses(`by ${one}, today`, hidden), 'by [removed], today')
  }
  assert.deepEqual(listAddresses('meet at example.org (at) noon'), [])
})

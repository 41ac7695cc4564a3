import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatProgress } from './progress.ts'

test('the line tells share, rows, rate and what is left', () => {
  assert.equal(
    formatProgress({ bytes: 1_000, bytesRead: 500, rows: 120_000, seconds: 2 }),
    '[############------------] 50 %  120,000 rows  60,000/s  2 s left',
  )
})

test('without a known size there is no bar and no rest', () => {
  assert.equal(
    formatProgress({ bytes: null, bytesRead: 500, rows: 10, seconds: 1 }),
    '10 rows  10/s',
  )
})

test('nothing read yet divides by nothing', () => {
  assert.equal(
    formatProgress({ bytes: 10, bytesRead: 0, rows: 0, seconds: 0 }),
    '[------------------------] 0 %  0 rows  0/s  0 s left',
  )
})

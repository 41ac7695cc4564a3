// Proves the counting per key and minute, by a clock that the test holds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimiter } from './rate-limiter.ts'

test('allows the limit a minute and key, then tells the seconds to wait', () => {
  let nowMs = 1_000_000
  const limiter = createRateLimiter(2, { nowMs: () => nowMs })
  assert.deepEqual([limiter.take('a'), limiter.take('a'), limiter.take('b')], [0, 0, 0])
  assert.equal(limiter.take('a'), 60)
  nowMs += 45_500
  assert.equal(limiter.take('a'), 15)
  nowMs += 14_500
  assert.equal(limiter.take('a'), 0)
})

test('a limit of 0 allows everything', () => {
  const limiter = createRateLimiter(0)
  assert.equal(limiter.isOn, false)
  for (let i = 0; i < 1_000; i += 1) assert.equal(limiter.take('a'), 0)
})

// The median of an even number of values lies between the two in the middle.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findMedian, readPercentile } from './statistics.ts'

describe('a median', () => {
  test('is the middle value, or the mean of the two in the middle', () => {
    assert.equal(findMedian([3, 1, 2]), 2)
    assert.equal(findMedian([4, 1, 3, 2]), 2.5)
    assert.equal(findMedian([5]), 5)
  })

  test('is no number where there are no values', () => {
    assert.ok(Number.isNaN(findMedian([])))
  })
})

describe('a percentile', () => {
  test('is the value below which the share lies', () => {
    const sorted = Array.from({ length: 100 }, (_, index) => index + 1)
    assert.deepEqual(
      [0, 0.5, 0.99, 1].map((share) => readPercentile(sorted, share)),
      [1, 51, 100, 100],
    )
    assert.ok(Number.isNaN(readPercentile([], 0.5)))
  })
})

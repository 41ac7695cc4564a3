import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { chooseMerge } from './choose-merge.ts'

test('a single layer, or none, is left alone while it is small', () => {
  assert.equal(chooseMerge([], 0), 0)
  assert.equal(chooseMerge([5], 0), 0)
  assert.equal(chooseMerge([20_000], 0), 0)
})

test('layers of like size become one, a much larger one below them stays', () => {
  assert.equal(chooseMerge([5, 8], 0), 2)
  assert.equal(chooseMerge([5, 8, 1_000], 0), 2)
  assert.equal(chooseMerge([5, 1_000], 0), 0)
})

test('an overlay that is a good part of the snapshot goes into it', () => {
  assert.equal(chooseMerge([20_001], 0), 2)
  assert.equal(chooseMerge([20_001], 1_000_000), 0)
  assert.equal(chooseMerge([300_000, 90_000], 1_000_000), 3)
})

test('under any pushes the overlay keeps few layers, and each subject is copied a few times only', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 400 }), (pushes) => {
      let layers: number[] = []
      let copied = 0
      for (const push of pushes) {
        layers = [push, ...layers]
        const count = chooseMerge(layers, 10_000_000)
        if (count === 0) continue
        const merged = layers.slice(0, count).reduce((sum, size) => sum + size, 0)
        copied += merged
        layers = [merged, ...layers.slice(count)]
      }
      const total = pushes.reduce((sum, push) => sum + push, 0)
      // Each layer is more than twice the one above it.
      assert.ok(2 ** (layers.length - 1) <= Math.max(total, 1))
      assert.ok(copied <= total * (2 + 2 * Math.log2(Math.max(total, 2))))
    }),
  )
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTimedCache } from './timed-cache.ts'

it('gives a value back until its time is over', () => {
  let nowMs = 1_000
  const cache = createTimedCache<string>({ nowMs: () => nowMs }, 10)
  cache.keep('a', 'kept', 500)
  nowMs = 1_499
  assert.equal(cache.find('a'), 'kept')
  nowMs = 1_500
  assert.equal(cache.find('a'), undefined)
  assert.equal(cache.size(), 0)
})

it('drops one that was not read lately when it is full, and never holds more', () => {
  const cache = createTimedCache<number>({ nowMs: () => 0 }, 2)
  cache.keep('a', 1, 10)
  cache.keep('b', 2, 10)
  assert.equal(cache.find('a'), 1)
  cache.keep('c', 3, 10)
  assert.equal(cache.find('b'), undefined)
  assert.equal(cache.find('a'), 1)
  assert.equal(cache.find('c'), 3)
  assert.equal(cache.size(), 2)
})

it('replaces a value without dropping another', () => {
  const cache = createTimedCache<number>({ nowMs: () => 0 }, 2)
  cache.keep('a', 1, 10)
  cache.keep('b', 2, 10)
  cache.keep('b', 3, 10)
  assert.equal(cache.find('a'), 1)
  assert.equal(cache.find('b'), 3)
})

it('drops one also when all were read', () => {
  const cache = createTimedCache<number>({ nowMs: () => 0 }, 2)
  cache.keep('a', 1, 10)
  cache.keep('b', 2, 10)
  cache.find('a')
  cache.find('b')
  cache.keep('c', 3, 10)
  assert.equal(cache.find('a'), undefined)
  assert.equal(cache.find('c'), 3)
  assert.equal(cache.size(), 2)
})

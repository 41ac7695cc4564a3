// Proves the order of a queue whose keys take turns.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnQueue } from './turn-queue.ts'

function drain(queue: TurnQueue<string>): string[] {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

test('one key alone is first in, first out', () => {
  const queue = new TurnQueue<string>()
  for (const item of ['1', '2', '3']) queue.push('a', item)
  assert.equal(queue.peek(), '1')
  assert.deepEqual(drain(queue), ['1', '2', '3'])
  assert.equal(queue.shift(), undefined)
})

test('a key with many items holds up another one by one item', () => {
  const queue = new TurnQueue<string>()
  for (let i = 0; i < 4; i += 1) queue.push('a', `a${i}`)
  queue.push('b', 'b0')
  queue.push('c', 'c0')
  queue.push('b', 'b1')
  assert.deepEqual(drain(queue), ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3'])
})

test('a key that comes back has its turn after those that wait', () => {
  const queue = new TurnQueue<string>()
  queue.push('a', 'a0')
  queue.push('b', 'b0')
  assert.equal(queue.shift(), 'a0')
  queue.push('a', 'a1')
  assert.deepEqual(drain(queue), ['b0', 'a1'])
})

test('items are counted, removed, and the newest of the longest is known', () => {
  const queue = new TurnQueue<string>()
  for (const item of ['a0', 'a1', 'a2']) queue.push('a', item)
  queue.push('b', 'b0')
  assert.deepEqual(queue.findNewestOfLongest(), { key: 'a', item: 'a2' })
  assert.equal(queue.remove('a', 'a1'), true)
  assert.equal(queue.remove('a', 'a1'), false)
  assert.equal(queue.remove('b', 'b0'), true)
  assert.deepEqual([queue.size, queue.countOf('a'), queue.countOf('b')], [2, 2, 0])
  assert.deepEqual(queue.clear(), ['a0', 'a2'])
  assert.deepEqual([queue.size, queue.findNewestOfLongest()], [0, null])
})

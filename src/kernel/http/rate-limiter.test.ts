// Proves the counting per key and minute, by a clock that the test holds, over threads, and in a
// table that is full.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createRateLimiter } from './rate-limiter.ts'
import { createRateBuffer, createRateTable } from './rate-table.ts'

test('allows the limit a minute and key, then tells the seconds to wait', () => {
  let nowMs = 1_000_000
  const limiter = createRateLimiter({ limit: 2, clock: { nowMs: () => nowMs } })
  assert.deepEqual([limiter.take('a'), limiter.take('a'), limiter.take('b')], [0, 0, 0])
  assert.equal(limiter.take('a'), 60)
  nowMs += 45_500
  assert.equal(limiter.take('a'), 15)
  assert.equal(limiter.take('c'), 0)
  nowMs += 14_500
  assert.equal(limiter.take('a'), 0)
  // The window of each key is its own.
  assert.deepEqual([limiter.take('c'), limiter.take('c')], [0, 46])
})

test('a clock that is set back begins a new window', () => {
  let nowMs = 1_000_000
  const limiter = createRateLimiter({ limit: 1, clock: { nowMs: () => nowMs } })
  assert.deepEqual([limiter.take('a'), limiter.take('a')], [0, 60])
  nowMs -= 3_600_000
  assert.deepEqual([limiter.take('a'), limiter.take('a')], [0, 60])
})

test('a thread that read the clock before another one opened the window counts in that window', () => {
  const buffer = createRateBuffer()
  const [one, other] = [createRateTable(buffer), createRateTable(buffer)]
  assert.equal(one.take('a', 2, 1_000_000), 0)
  assert.equal(other.take('a', 2, 999_990), 0)
  assert.equal(other.look('a', 999_990).counted, 2)
  assert.equal(one.take('a', 2, 1_000_001), 59_999)
})

test('a limit of 0 allows everything', () => {
  const limiter = createRateLimiter({ limit: 0 })
  assert.equal(limiter.isOn, false)
  for (let i = 0; i < 1_000; i += 1) assert.equal(limiter.take('a'), 0)
})

test('limiters over one table keep their keys apart by name', () => {
  const table = createRateTable()
  const one = createRateLimiter({ limit: 1, table, name: 'one' })
  const other = createRateLimiter({ limit: 1, table, name: 'other' })
  assert.deepEqual([one.take('a'), other.take('a')], [0, 0])
  assert(one.take('a') > 0)
})

test('a full table forgets its oldest keys, and never a young one', () => {
  const table = createRateTable(createRateBuffer(64))
  const slots = 64 * 16
  const take = (key: number, nowMs: number) => table.take(`key-${key}`, 1, nowMs)
  // Ten times as many keys as slots, one a millisecond: all within one window.
  const keys = slots * 10
  for (let key = 0; key < keys; key += 1) assert.equal(take(key, 1_000_000 + key), 0)
  const nowMs = 1_000_000 + keys
  // These came last; in no bucket are they more than its sixteen slots.
  for (let key = keys - 170; key < keys; key += 1) assert(take(key, nowMs) > 0)
  assert.equal(take(0, nowMs), 0)
})

test('threads that count at once allow the limit together, and not once more', async () => {
  const buffer = createRateBuffer()
  const threads = 4
  const script = `
    const { workerData, parentPort } = require('node:worker_threads')
    import(workerData.module).then(({ createRateTable }) => {
      const table = createRateTable(workerData.buffer)
      let allowed = 0
      for (let i = 0; i < 20_000; i += 1) {
        for (const key of ['a', 'b', 'c']) if (table.take(key, 10_000, 1_000_000) === 0) allowed += 1
      }
      parentPort.postMessage(allowed)
    })`
  const workerData = { buffer, module: new URL('./rate-table.ts', import.meta.url).href }
  const counts = await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(script, { eval: true, workerData })
      const [allowed] = await once(worker, 'message')
      await worker.terminate()
      return Number(allowed)
    }),
  )
  assert.equal(
    counts.reduce((sum, allowed) => sum + allowed, 0),
    30_000,
  )
})

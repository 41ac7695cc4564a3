// Who shares a run with whom, and that nobody is given one that was over before they came.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { singleFlight, withPause } from './single-flight.ts'

test('calls during a run share the next one, which sees what was there when they came', async () => {
  const ends: (() => void)[] = []
  const run = singleFlight(() => new Promise<void>((resolve) => ends.push(resolve)))
  const first = run()
  const later = [run(), run(), run()]
  assert.equal(ends.length, 1)
  ends[0]?.()
  await first
  await Promise.resolve()
  assert.equal(ends.length, 2)
  ends[1]?.()
  await Promise.all(later)
  assert.equal(ends.length, 2)
})

test('a run that fails fails for those who shared it and for nobody after', async () => {
  let runs = 0
  const run = singleFlight(async () => {
    runs += 1
    if (runs === 1) throw new Error('the first one')
  })
  const [first, second] = await Promise.allSettled([run(), run()])
  assert.equal(first.status, 'rejected')
  assert.equal(second.status, 'fulfilled')
})

test('calls within the pause share one start at its end', async () => {
  let runs = 0
  const run = withPause(
    20,
    async () => {
      runs += 1
    },
    () => 0,
  )
  await run()
  await Promise.all([run(), run(), run()])
  assert.equal(runs, 2)
})

test('a pause that ends while the clock is read leaves no finished run to wait for', async () => {
  let runs = 0
  // Each reading is later than the one before: the second call comes 1 µs before the end of the
  // pause, all after it beyond the end.
  const readings = [-1, 0, 19.999, 20.001, 60, 60]
  const run = withPause(
    20,
    async () => {
      runs += 1
    },
    () => readings.shift() ?? 100,
  )
  await run()
  await run()
  await run()
  assert.equal(runs, 3)
})

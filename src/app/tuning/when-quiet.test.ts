// What stops everything for a moment is done when nobody asks, once, and not at all when there is
// no such moment. How busy the thread is comes in, so that a loaded machine changes nothing here.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createUseMeter, whenQuiet } from './when-quiet.ts'

// The waiting itself does not keep a process.
let alive: NodeJS.Timeout
before(() => {
  alive = setInterval(() => undefined, 60_000)
})
after(() => clearInterval(alive))

/** Measures these values, one at each look, and the last one for ever. */
function measureInTurn(values: readonly number[]): { use: () => number; looks: () => number } {
  let looks = 0
  const use = (): number => {
    looks += 1
    return values[looks - 1] ?? values.at(-1) ?? 0
  }
  return { use, looks: () => looks }
}

test('waits while there is work, and acts at the first look without, once', async () => {
  const { use, looks } = measureInTurn([1, 0.5, 0.05, 0.049])
  const acts: number[] = []
  const quiet = whenQuiet(() => acts.push(looks()), { lookMs: 1, measureUse: use })
  assert.equal(await quiet.whenOver, true)
  assert.deepEqual(acts, [4])
})

test('gives up when it is never quiet', async () => {
  const { use, looks } = measureInTurn([1])
  let acts = 0
  const quiet = whenQuiet(() => (acts += 1), { lookMs: 1, looksMax: 3, measureUse: use })
  assert.equal(await quiet.whenOver, false)
  assert.deepEqual([acts, looks()], [0, 3])
})

test('does nothing once it was called off', async () => {
  let acts = 0
  const quiet = whenQuiet(() => (acts += 1), { lookMs: 1, measureUse: () => 0 })
  quiet.callOff()
  assert.equal(await quiet.whenOver, false)
  assert.equal(acts, 0)
})

test('a thread that never waits is at work all the time, and one that waits is not', async () => {
  const measureUse = createUseMeter()
  // The loop waits for nothing while there is an immediate.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(measureUse() > 0.99)
  await delay(20)
  assert.ok(measureUse() < 1)
})

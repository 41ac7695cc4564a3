// What stops everything for a moment is done when nobody asks, once, and not at all when there is
// no such moment.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { whenQuiet } from './when-quiet.ts'

// The waiting itself does not keep a process.
let alive: NodeJS.Timeout
before(() => {
  alive = setInterval(() => undefined, 60_000)
})
after(() => clearInterval(alive))

// The loop never waits between two looks.
function keepBusy(): () => void {
  let next = setImmediate(function again() {
    next = setImmediate(again)
  })
  return () => clearImmediate(next)
}

test('waits while there is work, and acts once it is over', async () => {
  const stopWork = keepBusy()
  let isBusy = true
  const acts: string[] = []
  const quiet = whenQuiet(() => acts.push(isBusy ? 'busy' : 'quiet'), {
    lookMs: 20,
    looksMax: 1_500,
  })
  // As often as the waiting looks.
  let looks = 0
  const looking = setInterval(() => {
    looks += 1
    if (looks < 5) return
    clearInterval(looking)
    isBusy = false
    stopWork()
  }, 20)
  assert.equal(await quiet.whenOver, true)
  assert.deepEqual(acts, ['quiet'])
})

test('gives up when it is never quiet', async () => {
  const stopWork = keepBusy()
  let acts = 0
  const quiet = whenQuiet(() => (acts += 1), { lookMs: 10, looksMax: 3 })
  assert.equal(await quiet.whenOver, false)
  stopWork()
  assert.equal(acts, 0)
})

test('does nothing once it was called off', async () => {
  let acts = 0
  const quiet = whenQuiet(() => (acts += 1), { lookMs: 10 })
  quiet.callOff()
  assert.equal(await quiet.whenOver, false)
  assert.equal(acts, 0)
})

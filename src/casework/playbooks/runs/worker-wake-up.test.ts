import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createWorkerWakeUp } from './worker-wake-up.ts'

test('a wake-up reaches the listeners of its own thread at once, until they are removed', () => {
  const wakeUp = createWorkerWakeUp()
  let count = 0
  const stop = wakeUp.listen(() => {
    count += 1
  })
  wakeUp.wake()
  assert.equal(count, 1)
  stop()
  wakeUp.wake()
  assert.equal(count, 1)
  wakeUp.close()
})

test('a wake-up of another thread reaches the listeners of this one', async () => {
  const wakeUp = createWorkerWakeUp()
  const received = Promise.withResolvers<void>()
  wakeUp.listen(received.resolve)
  const path = JSON.stringify(`${import.meta.dirname}/worker-wake-up.ts`)
  const thread = new Worker(
    `import(${path}).then(({ createWorkerWakeUp }) => {
       const wakeUp = createWorkerWakeUp()
       wakeUp.wake()
       wakeUp.close()
     })`,
    { eval: true },
  )
  await Promise.all([received.promise, once(thread, 'exit')])
  wakeUp.close()
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createDueHint } from './due-hint.ts'

test('a hint reaches the listeners of its own thread at once, until they are taken away', () => {
  const hint = createDueHint()
  let told = 0
  const stop = hint.listen(() => {
    told += 1
  })
  hint.raise()
  assert.equal(told, 1)
  stop()
  hint.raise()
  assert.equal(told, 1)
  hint.close()
})

test('a hint that another thread raises is heard in this one', async () => {
  const hint = createDueHint()
  const heard = Promise.withResolvers<void>()
  hint.listen(heard.resolve)
  const path = JSON.stringify(`${import.meta.dirname}/due-hint.ts`)
  const thread = new Worker(
    `import(${path}).then(({ createDueHint }) => {
       const hint = createDueHint()
       hint.raise()
       hint.close()
     })`,
    { eval: true },
  )
  await Promise.all([heard.promise, once(thread, 'exit')])
  hint.close()
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants, getPriority } from 'node:os'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { yieldProcessor } from './yield-processor.ts'

// The number 0 means the calling thread, there and here.
const SCRIPT = `
  const { getPriority } = require('node:os')
  const { parentPort, workerData } = require('node:worker_threads')
  import(workerData).then(({ yieldProcessor }) => {
    yieldProcessor()
    parentPort.postMessage(getPriority())
  })
`

test('a worker thread goes behind, and its process keeps its priority', async (t) => {
  const before = getPriority()
  const url = new URL('./yield-processor.ts', import.meta.url).href
  const worker = new Worker(SCRIPT, { eval: true, workerData: url })
  t.after(() => worker.terminate())
  const [priority] = await once(worker, 'message')
  const isLinux = process.platform === 'linux'
  const behind = Math.max(before, constants.priority.PRIORITY_BELOW_NORMAL)
  assert.equal(priority, isLinux ? behind : before)
  assert.equal(getPriority(), before)
})

test('a main thread, which may be serving, is left as it is', () => {
  const before = getPriority()
  yieldProcessor()
  assert.equal(getPriority(), before)
})

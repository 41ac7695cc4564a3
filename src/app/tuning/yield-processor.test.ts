import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants, getPriority } from 'node:os'
import { test } from 'node:test'
import { LOW_PRIORITY } from './yield-processor.ts'

// The number 0 means the calling thread, there and here.
const SCRIPT = `
  import { getPriority } from 'node:os'
  import { parentPort } from 'node:worker_threads'
  parentPort.postMessage(getPriority())
`

test('a worker thread in the background goes behind from its first step, and its process keeps its priority', async (t) => {
  const before = getPriority()
  const worker = LOW_PRIORITY.startWorker(
    new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`),
    {},
  )
  t.after(() => worker.terminate())
  const [priority] = await once(worker, 'message')
  const isLinux = process.platform === 'linux'
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  const behind = Math.min(before + PRIORITY_BELOW_NORMAL, PRIORITY_LOW)
  assert.equal(priority, isLinux ? behind : before)
  assert.equal(getPriority(), before)
})

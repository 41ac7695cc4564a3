import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants, getPriority } from 'node:os'
import { type TestContext, test } from 'node:test'
import { startWorkerBehind } from '../../kernel/async/background.ts'
import { tuneThread } from './tune-thread.ts'

const SCRIPT = `
  import { getPriority } from 'node:os'
  import { parentPort } from 'node:worker_threads'
  parentPort.postMessage(getPriority())
`

async function readWorkerPriority(t: TestContext): Promise<number> {
  const script = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`)
  const worker = startWorkerBehind(script, {})
  t.after(() => worker.terminate())
  const [priority] = await once(worker, 'message')
  return priority
}

/** How often the thread asked for a tick in the meantime. */
function countTicks(t: TestContext, act: () => void): number {
  const ticks = t.mock.method(process, 'nextTick')
  act()
  const count = ticks.mock.callCount()
  ticks.mock.restore()
  return count
}

test('off leaves ticks and the priority of threads as they are, and on does not', async (t) => {
  assert.equal(
    countTicks(t, () => tuneThread({ tuning: 'off' })),
    0,
  )
  assert.equal(await readWorkerPriority(t), getPriority())
  assert.equal(
    countTicks(t, () => tuneThread({ tuning: 'on' })),
    1,
  )
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  const behind = Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW)
  assert.equal(await readWorkerPriority(t), process.platform === 'linux' ? behind : getPriority())
})

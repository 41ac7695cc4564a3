import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { constants } from 'node:os'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

// In a process of its own: others have opened the program, which tunes them once for all.
const SCRIPT = `
  import { once } from 'node:events'
  import { getPriority } from 'node:os'
  import { startWorkerBehind } from '${new URL('../../kernel/async/background.ts', import.meta.url).href}'
  import { tuneThread } from '${new URL('./tune-thread.ts', import.meta.url).href}'

  const worker = 'data:text/javascript,' + encodeURIComponent(
    'import { getPriority } from "node:os"; import { parentPort } from "node:worker_threads"; parentPort.postMessage(getPriority())',
  )
  async function tune(tuning) {
    const nextTick = process.nextTick
    let ticks = 0
    process.nextTick = (...all) => {
      ticks += 1
      return nextTick.apply(process, all)
    }
    tuneThread({ tuning })
    process.nextTick = nextTick
    const started = startWorkerBehind(new URL(worker), {})
    const [priority] = await once(started, 'message')
    await started.terminate()
    return { ticks, priority }
  }
  const off = await tune('off')
  const on = await tune('on')
  console.log(JSON.stringify({ own: getPriority(), off, on }))
  process.exit()
`

test('off leaves ticks and the priority of threads as they are, and on does not', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', SCRIPT])
  const { own, off, on } = JSON.parse(stdout)
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  const behind = Math.min(own + PRIORITY_BELOW_NORMAL, PRIORITY_LOW)
  assert.deepEqual(off, { ticks: 0, priority: own })
  assert.deepEqual(on, { ticks: 1, priority: process.platform === 'linux' ? behind : own })
})

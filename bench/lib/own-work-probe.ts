// Loaded into a server before it starts (`--import`): notes the longest stretch of work of the
// serving thread without a turn of its event loop, by the thread's own processor time. A late
// answer on a machine with neighbours says little; this says what we ourselves cause.

import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const TICK_MS = 1
const NOTE_MS = 250

const file = process.env['BENCH_OWN_WORK_FILE']
if (isMainThread && file !== undefined) watch(file)

function watch(notes: string): void {
  let last = process.threadCpuUsage()
  let longestMs = 0
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    longestMs = Math.max(longestMs, (user + system) / 1_000)
  }, TICK_MS).unref()
  setInterval(() => {
    appendFileSync(notes, `${Date.now()} ${longestMs.toFixed(2)}\n`)
    longestMs = 0
  }, NOTE_MS).unref()
}

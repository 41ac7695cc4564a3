// Loaded into a server before it starts (`--import`): notes the longest stretch of work of the
// serving thread without a turn of its event loop, by the processor time of the thread. The latency
// of an answer has the neighbours on the machine in it; this has the work of the server alone.

import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const TICK_MS = 1
const NOTE_MS = 250

const file = process.env['BENCH_OWN_WORK_FILE']
if (isMainThread && file !== undefined) watch(file)

/** Adds lines of the time (`Date.now()`) and the longest stretch before it, in milliseconds. */
function watch(notes: string): void {
  let lastMs = readThreadMs()
  let longestMs = 0
  setInterval(() => {
    const nowMs = readThreadMs()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
  }, TICK_MS).unref()
  setInterval(() => {
    appendFileSync(notes, `${Date.now()} ${longestMs.toFixed(2)}\n`)
    longestMs = 0
  }, NOTE_MS).unref()
}

function readThreadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

// Redis as a peer: a set of exact members, asked for a thousand at once over its own protocol.

import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../test/loopback.ts'
import { generateQuestions } from './intel-set.ts'
import { describePeer, isInstalled } from './peer.ts'
import { endProcess, pidOf, spawnPinned } from './process.ts'
import { readCpuSeconds } from './processor-time.ts'
import { type Figure, formatRate } from './report.ts'
import type { Stage } from './stage.ts'

const SEED = 20_261_121
const ROUND_MS = 3_000
const ITEMS_A_BATCH = 1_000
const BATCHES = 50
const ITEMS_AN_ADD = 10_000
const ANSWER_TIMEOUT_MS = 30_000
const START_LOOKS_MAX = 50
const START_PAUSE_MS = 200

/** Look-ups of `items`, which are IPv4 addresses. */
export async function benchRedis(
  stage: Stage,
  items: readonly string[],
  name: string,
): Promise<Figure> {
  if (!isInstalled('redis-server')) return describePeer(name, 'not installed')
  const port = await findFreePort()
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', stage.folder]
  const withoutFiles = ['--save', '', '--appendonly', 'no']
  const child = spawnPinned('redis-server', [...place, ...withoutFiles], { stdio: 'ignore' })
  try {
    const socket = await openWhenStarted(port)
    for (let start = 0; start < items.length; start += ITEMS_AN_ADD) {
      await ask(socket, ['SADD', 'bench', ...items.slice(start, start + ITEMS_AN_ADD)], 1)
    }
    const rate = await measureRate(socket, pidOf(child), items)
    socket.destroy()
    return describePeer(
      `${name}, SMISMEMBER of 1,000: exact members, no ranges, no context`,
      formatRate(rate, 'batches per CPU-second'),
    )
  } finally {
    await endProcess(child, 'SIGTERM')
  }
}

/** Batches per CPU-second. */
async function measureRate(socket: Socket, pid: number, items: readonly string[]): Promise<number> {
  const batches = Array.from({ length: BATCHES }, (_, index) =>
    generateQuestions(items, ITEMS_A_BATCH, SEED + index),
  )
  const before = readCpuSeconds(pid)
  const endsAt = performance.now() + ROUND_MS
  let count = 0
  while (performance.now() < endsAt) {
    const batch = batches[count % batches.length] ?? []
    // A line with the length of the list, and one for each item.
    await ask(socket, ['SMISMEMBER', 'bench', ...batch], 1 + ITEMS_A_BATCH)
    count += 1
  }
  return count / (readCpuSeconds(pid) - before)
}

async function openWhenStarted(port: number): Promise<Socket> {
  for (let look = 1; ; look += 1) {
    try {
      return await open(port)
    } catch (error) {
      if (look === START_LOOKS_MAX) throw error
    }
    await delay(START_PAUSE_MS)
  }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, timeout: ANSWER_TIMEOUT_MS })
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error('Redis does not answer')))
    socket.once('connect', () => resolve(socket))
  })
}

/** Sends one command and waits for an answer of `lines` lines. */
function ask(socket: Socket, words: readonly string[], lines: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = lines
    const read = (chunk: Buffer): void => {
      // An error is one line that begins with a minus.
      if (missing === lines && chunk[0] === 0x2d) fail(new Error(chunk.toString('utf8')))
      for (const byte of chunk) if (byte === 0x0a) missing -= 1
      if (missing <= 0) settle(resolve)
    }
    const fail = (error: Error): void => settle(() => reject(error))
    const settle = (act: () => void): void => {
      socket.off('data', read)
      socket.off('error', fail)
      act()
    }
    socket.on('data', read)
    socket.on('error', fail)
    const texts = words.map((word) => `$${word.length}\r\n${word}\r\n`)
    socket.write(`*${words.length}\r\n${texts.join('')}`)
  })
}

// rbldnsd as a peer: a zone with all addresses, asked for one at a time over DNS.

import { createSocket, type Socket } from 'node:dgram'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../test/loopback.ts'
import { generateQuestions } from './intel-set.ts'
import { describePeer, isInstalled } from './peer.ts'
import { endProcess, pidOf, spawnPinned } from './process.ts'
import { readCpuSeconds } from './processor-time.ts'
import { type Figure, formatRate } from './report.ts'
import type { Stage } from './stage.ts'

const SEED = 20_261_122
const QUESTIONS = 20_000
const ROUND_MS = 3_000
const UNDER_WAY = 32
// Where fewer are under way, some were lost.
const UNDER_WAY_MIN = 8
const REFILL_PAUSE_MS = 100
// It reads a million addresses in some seconds.
const START_LOOKS_MAX = 300
const START_PAUSE_MS = 200

/** Look-ups of `items`, which are IPv4 addresses. */
export async function benchRbldnsd(
  stage: Stage,
  items: readonly string[],
  name: string,
): Promise<Figure> {
  if (!isInstalled('rbldnsd')) return describePeer(name, 'not installed')
  const zone = join(stage.folder, 'bench.zone')
  writeFileSync(zone, `:127.0.0.2:listed\n${items.join('\n')}\n`)
  const port = await findFreePort()
  const place = ['-n', '-b', `127.0.0.1/${port}`]
  const child = spawnPinned('rbldnsd', [...place, `bl.example:ip4trie:${zone}`], {
    stdio: 'ignore',
  })
  const socket = createSocket('udp4')
  // Before the server listens, the system refuses what is sent to it.
  socket.on('error', () => undefined)
  try {
    const queries = buildQueries(items)
    await waitUntilAnswers(socket, port, queries)
    const before = readCpuSeconds(pidOf(child))
    const count = await countAnswers(socket, port, queries)
    return describePeer(
      `${name}, ip4trie, one A query each: listed or not, over DNS`,
      formatRate(count / (readCpuSeconds(pidOf(child)) - before), 'queries per CPU-second'),
    )
  } finally {
    socket.close()
    await endProcess(child, 'SIGTERM')
  }
}

function buildQueries(items: readonly string[]): readonly Buffer[] {
  return generateQuestions(items, QUESTIONS, SEED).map((item, index) =>
    buildDnsQuery(`${item.split('.').toReversed().join('.')}.bl.example`, index & 0xffff),
  )
}

function buildDnsQuery(domain: string, id: number): Buffer {
  const labels = domain
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  const header = Buffer.from([id >> 8, id & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, 1, 0, 1])])
}

async function waitUntilAnswers(
  socket: Socket,
  port: number,
  queries: readonly Buffer[],
): Promise<void> {
  let isAnswered = false
  socket.once('message', () => {
    isAnswered = true
  })
  for (let look = 0; look < START_LOOKS_MAX; look += 1) {
    socket.send(queries[0] ?? Buffer.alloc(0), port, '127.0.0.1')
    await delay(START_PAUSE_MS)
    if (isAnswered) return
  }
  throw new Error('rbldnsd does not answer')
}

/** Answers within the round; a lost query is made up for after a pause. */
async function countAnswers(
  socket: Socket,
  port: number,
  queries: readonly Buffer[],
): Promise<number> {
  let sent = 0
  let answered = 0
  const send = (): void => {
    socket.send(queries[sent % queries.length] ?? Buffer.alloc(0), port, '127.0.0.1')
    sent += 1
  }
  const receive = (): void => {
    answered += 1
    send()
  }
  socket.on('message', receive)
  for (let place = 0; place < UNDER_WAY; place += 1) send()
  const refill = setInterval(() => {
    if (sent - answered < UNDER_WAY_MIN) send()
  }, REFILL_PAUSE_MS)
  await delay(ROUND_MS)
  clearInterval(refill)
  socket.off('message', receive)
  return answered
}

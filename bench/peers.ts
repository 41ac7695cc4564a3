// Measures other products with the same look-ups over the same set: Redis (exact members only),
// rbldnsd (DNS), PostgreSQL with a GiST index, CrowdSec. A peer that is not installed is said to be
// so; Debian has them as redis-server, rbldnsd and crowdsec.

import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { benchCrowdsec } from './lib/crowdsec.ts'
import { generateIntelSet, generateQuestions } from './lib/intel-set.ts'
import { findFreePort, isInstalled, notInstalled, readCpuSeconds, stopChild } from './lib/peer.ts'
import { type Figure, formatRate, printFigures } from './lib/report.ts'
import type { Stage } from './lib/stage.ts'

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 1_080_000)
const SEED = 20_261_121
const ROUND_MS = 3_000

export async function benchPeers(stage: Stage): Promise<void> {
  const items = generateIntelSet(ENTRIES, SEED, Date.now()).items.filter((item) =>
    /^[\d.]+$/.test(item),
  )
  const figures: Figure[] = []
  for (const [name, bench] of [
    ['redis-server', benchRedis],
    ['rbldnsd', benchRbldnsd],
    ['PostgreSQL, inet with GiST', benchGist],
    ['CrowdSec', benchCrowdsec],
  ] as const) {
    figures.push(await bench(stage, items, name))
  }
  printFigures(`Peers, ${items.length.toLocaleString('en')} IPv4 addresses`, figures)
}

async function benchRedis(stage: Stage, items: readonly string[], name: string): Promise<Figure> {
  if (!isInstalled('redis-server')) return notInstalled(name)
  const port = await findFreePort()
  const child = spawn(
    'taskset',
    [
      '-c',
      '0',
      'redis-server',
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      stage.folder,
    ],
    { stdio: 'ignore' },
  )
  try {
    await delay(1_000)
    const client = await openRedis(port)
    for (let start = 0; start < items.length; start += 10_000) {
      await client.ask(['SADD', 'bench', ...items.slice(start, start + 10_000)], 1)
    }
    const batches = Array.from({ length: 50 }, (_, index) =>
      generateQuestions(items, 1_000, SEED + index),
    )
    const before = readCpuSeconds(child)
    const endsAt = performance.now() + ROUND_MS
    let count = 0
    while (performance.now() < endsAt) {
      await client.ask(['SMISMEMBER', 'bench', ...(batches[count % batches.length] ?? [])], 1_001)
      count += 1
    }
    const cpu = readCpuSeconds(child) - before
    client.close()
    return {
      name: `${name}, SMISMEMBER of 1,000: exact members, no ranges, no context`,
      ours: formatRate(count / cpu, 'batches per CPU-second'),
      calibration: '-',
      ratio: null,
    }
  } finally {
    await stopChild(child)
  }
}

interface RedisClient {
  /** Sends one command and waits for an answer of `lines` lines. */
  readonly ask: (words: readonly string[], lines: number) => Promise<void>
  readonly close: () => void
}

function openRedis(port: number): Promise<RedisClient> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    let missing = 0
    let answered: (() => void) | null = null
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) missing -= 1
      if (missing <= 0) answered?.()
    })
    socket.on('connect', () =>
      resolve({
        ask: (words, lines) =>
          new Promise((done) => {
            missing = lines
            answered = done
            socket.write(
              `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`,
            )
          }),
        close: () => socket.destroy(),
      }),
    )
  })
}

async function benchRbldnsd(stage: Stage, items: readonly string[], name: string): Promise<Figure> {
  if (!isInstalled('rbldnsd')) return notInstalled(name)
  const zone = join(stage.folder, 'bench.zone')
  writeFileSync(zone, `:127.0.0.2:listed\n${items.join('\n')}\n`)
  const port = await findFreePort()
  const child = spawn(
    'taskset',
    ['-c', '0', 'rbldnsd', '-n', '-b', `127.0.0.1/${port}`, `bl.example:ip4trie:${zone}`],
    { stdio: 'ignore' },
  )
  try {
    await delay(4_000)
    const queries = generateQuestions(items, 20_000, SEED + 1)
      .filter((item) => /^[\d.]+$/.test(item))
      .map((item, index) =>
        buildDnsQuery(`${item.split('.').toReversed().join('.')}.bl.example`, index & 0xffff),
      )
    const before = readCpuSeconds(child)
    const count = await askDns(port, queries)
    return {
      name: `${name}, ip4trie, one A query each: listed or not, over DNS`,
      ours: formatRate(count / (readCpuSeconds(child) - before), 'queries per CPU-second'),
      calibration: '-',
      ratio: null,
    }
  } finally {
    await stopChild(child)
  }
}

function buildDnsQuery(domain: string, id: number): Buffer {
  const labels = domain
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  const header = Buffer.from([id >> 8, id & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, 1, 0, 1])])
}

/**
 * Answers within the round, with 32 queries under way at once; a lost one is made up for after a
 * pause.
 */
function askDns(port: number, queries: readonly Buffer[]): Promise<number> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    let next = 0
    let answered = 0
    const send = (): void => {
      socket.send(queries[next % queries.length] ?? Buffer.alloc(0), port, '127.0.0.1')
      next += 1
    }
    socket.on('message', () => {
      answered += 1
      send()
    })
    for (let index = 0; index < 32; index += 1) send()
    const refill = setInterval(() => {
      if (next - answered < 8) send()
    }, 100)
    setTimeout(() => {
      clearInterval(refill)
      socket.close(() => resolve(answered))
    }, ROUND_MS)
  })
}

async function benchGist(stage: Stage, items: readonly string[], name: string): Promise<Figure> {
  const client = await stage.pool.connect()
  try {
    await client.query('create table bench_gist (range inet not null)')
    await pipeline(
      Readable.from([`${items.join('\n')}\n`]),
      client.query(copyFrom('copy bench_gist from stdin')),
    )
    await client.query('create index on bench_gist using gist (range inet_ops)')
    await client.query('analyze bench_gist')
    const questions = generateQuestions(items, 5_000, SEED + 1).filter((item) =>
      /^[\d.]+$/.test(item),
    )
    const endsAt = performance.now() + ROUND_MS
    const startedAt = performance.now()
    let count = 0
    while (performance.now() < endsAt) {
      await client.query({
        name: 'gist',
        text: 'select 1 from bench_gist where range >>= $1::inet limit 1',
        values: [questions[count % questions.length]],
      })
      count += 1
    }
    return {
      name: `${name}, one look-up a statement, one connection: listed or not, no context`,
      ours: formatRate((count / (performance.now() - startedAt)) * 1_000, 'look-ups/s'),
      calibration: '-',
      ratio: null,
    }
  } finally {
    client.release()
  }
}

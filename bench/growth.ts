// How the cost of a look-up and a check grows with the set, from 1,000 to 10 million entries: CPU
// per request over that of a bare server in the same minute, since a machine is never equally fast
// twice. Large sets are also measured without the pages of 2 MB that src/app/tuning asks for.
// Writes the chart of the documents when it has measured all of its sizes.

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SNAPSHOT_FILE } from '../src/intel/index/own-snapshot-file.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { drawGrowth } from './lib/draw-growth.ts'
import { generateIntelSet, type IntelRows } from './lib/intel-set.ts'
import { createCycle, runLoad } from './lib/load.ts'
import { buildChecks, buildLookups, ITEMS_A_CHECK, measureAnswerLength } from './lib/look-ups.ts'
import type { ServerProcess } from './lib/process.ts'
import { pushSet } from './lib/push-set.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCounts } from './lib/settings.ts'
import { openStage, type Stage } from './lib/stage.ts'
import { writeSet } from './lib/write-set.ts'

const ALL_SIZES = [1_000, 10_000, 100_000, 1_000_000, 3_000_000, 10_000_000]
const SIZES = readCounts('BENCH_GROWTH_SIZES', ALL_SIZES)
const SEED = 20_261_121
const ROUNDS = 12
const WARM_UP_ROUNDS = 2
const ROUND_MS = 700
const CONNECTIONS = 8
// A larger set is made in parts, so that the bench itself stays below the heap limit of Node.
// Addresses that two parts have in common, some 3 in 1,000 at 10 million, are there once.
const PART_SIZE = 1_000_000
// Larger sets are written as the file that a server starts from.
const PUSHED_MAX = 100_000
// The overlay is merged and the file made anew after some quiet seconds.
const SETTLE_MS = 10_000
const LOOKUPS = 20_000
const CHECKS = 50
// From this size on they matter.
const HUGE_PAGES_FROM = 1_000_000

export interface GrowthPoint {
  readonly size: number
  /** CPU of one request over that of the bare server in the same rounds. */
  readonly lookup: number
  readonly check: number
  readonly lookupMicros: number
  readonly checkMicros: number
  readonly residentMb: number
}

interface Measured {
  readonly point: GrowthPoint
  /** Without pages of 2 MB; null for a small set. */
  readonly smallPages: GrowthPoint | null
}

export async function benchGrowth(): Promise<void> {
  const measured: Measured[] = []
  for (const size of SIZES) {
    // Each size gets a database of its own, so that nothing of the one before is left in memory.
    const stage = await openStage()
    try {
      measured.push(await measureSize(stage, size))
    } finally {
      await stage.close()
    }
  }
  const points = measured.map(({ point }) => point)
  printFigures('Growth of cost with the set', describe(points))
  const pairs = measured.flatMap(({ point, smallPages }) =>
    smallPages === null ? [] : [comparePages(point, smallPages)],
  )
  if (pairs.length > 0) printFigures('Large sets in pages of 2 MB and of 4 kB', pairs)
  if (SIZES.join() === ALL_SIZES.join()) {
    writeFileSync(join(findPackageRoot(), 'bench/results/growth.svg'), drawGrowth(points))
    console.log('\nThe chart is in bench/results/growth.svg.')
  }
}

function describe(points: readonly GrowthPoint[]): Figure[] {
  const [first] = points
  if (first === undefined) return []
  return points.map((point) => ({
    name: `${point.size.toLocaleString('en')} entries, ${point.residentMb} MB resident`,
    ours: sayCosts(point),
    calibration: `cost over bare node:http: look-up ${point.lookup.toFixed(2)} (${(point.lookup / first.lookup).toFixed(2)} of the smallest set's), check ${point.check.toFixed(2)}`,
    ratio: point.check / first.check,
  }))
}

function sayCosts({ lookupMicros, checkMicros }: GrowthPoint): string {
  return `${lookupMicros.toFixed(1)} µs CPU a look-up, ${checkMicros.toFixed(0)} µs a check of 1,000`
}

function comparePages(point: GrowthPoint, smallPages: GrowthPoint): Figure {
  return {
    name: `${point.size.toLocaleString('en')} entries`,
    ours: `${sayCosts(point)}, ${point.residentMb} MB resident`,
    calibration: `in pages of 4 kB ${sayCosts(smallPages)}, ${smallPages.residentMb} MB resident; look-up ${(point.lookup / smallPages.lookup).toFixed(2)} of that`,
    ratio: point.check / smallPages.check,
  }
}

/** All servers take turns, so that a slower minute of the machine is one for each of them. */
async function measureSize(stage: Stage, size: number): Promise<Measured> {
  const items = await fill(stage, size)
  // A fresh start measures what a node holds, not what importing left behind.
  const server = await stage.startServer()
  const others = size < HUGE_PAGES_FROM ? [] : [await startInSmallPages(stage)]
  const servers = [server, ...others]
  const answerLength = await measureAnswerLength(server.port, items, SEED + 9)
  const bare = await stage.startBareServer(answerLength)
  try {
    for (const one of servers) await assertKnown(one, items)
    const lookups = await compareMicros(servers, bare, buildLookups(items, LOOKUPS, SEED + 1))
    const checks = await compareMicros(servers, bare, buildChecks(items, CHECKS, SEED + 2))
    const describePoint = (one: ServerProcess): GrowthPoint => ({
      size,
      lookup: costOf(lookups, one).ratio,
      check: costOf(checks, one).ratio,
      lookupMicros: costOf(lookups, one).micros,
      checkMicros: costOf(checks, one).micros,
      residentMb: Math.round(one.readResidentBytes() / 1e6),
    })
    const [smallPages = null] = others.map(describePoint)
    return { point: describePoint(server), smallPages }
  } finally {
    for (const one of [...servers, bare]) await one.stop()
  }
}

function costOf(costs: Costs, server: ServerProcess): Cost {
  const cost = costs.get(server)
  if (cost === undefined) throw new Error('a server was not measured')
  return cost
}

/** Beside the first server, with the same file. */
async function startInSmallPages(stage: Stage): Promise<ServerProcess> {
  const folder = join(stage.folder, 'server-small-pages')
  mkdirSync(folder)
  copyFileSync(join(stage.folder, 'server', SNAPSHOT_FILE), join(folder, SNAPSHOT_FILE))
  return await stage.startServer({
    CASEWORK_DATA_DIR: folder,
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=0',
  })
}

/** Throws when the server does not know the set: an empty set would be the fastest. */
async function assertKnown(server: ServerProcess, items: readonly string[]): Promise<void> {
  const asked = items.slice(0, ITEMS_A_CHECK)
  const answer = await fetch(`http://127.0.0.1:${server.port}/beta/quick-check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  })
  // Six of ten subjects of the generated set are listed.
  const listed = (await answer.text()).split('"ACTIVE"').length - 1
  if (listed < asked.length / 2) throw new Error(`only ${listed} of ${asked.length} are known`)
}

/** Brings a set of this size to the server. Gives items to ask for, as many as one part has. */
async function fill(stage: Stage, size: number): Promise<readonly string[]> {
  const loader = await stage.startServer()
  const asked: string[] = []
  if (size <= PUSHED_MAX) {
    for (const part of generateParts(size, asked)) {
      await pushSet({ port: loader.port, token: stage.token }, part)
    }
    await delay(SETTLE_MS)
    await loader.stop()
  } else {
    await loader.stop()
    await writeSet(stage, generateParts(size, asked))
  }
  return asked
}

/** The parts of a set, of each of which some items go to `asked`. */
function* generateParts(size: number, asked: string[]): Generator<IntelRows> {
  const nowMs = Date.now()
  const parts = Math.ceil(size / PART_SIZE)
  for (let part = 0; part < parts; part += 1) {
    const partSize = Math.min(PART_SIZE, size - part * PART_SIZE)
    const set = generateIntelSet(partSize, SEED + part * 1_000, nowMs)
    for (let at = part % parts; at < set.items.length; at += parts) asked.push(set.items[at] ?? '')
    yield set
  }
}

interface Cost {
  readonly micros: number
  /** Over the bare server. */
  readonly ratio: number
}

type Costs = ReadonlyMap<ServerProcess, Cost>

async function compareMicros(
  servers: readonly ServerProcess[],
  bare: ServerProcess,
  requests: readonly Buffer[],
): Promise<Costs> {
  const all = [...servers, bare]
  // The minimum of the rounds, because other load on the machine only adds time.
  const least = new Map(all.map((server) => [server, Number.POSITIVE_INFINITY]))
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    // The order changes, since a server runs on the cache that the one before it left.
    for (const server of round % 2 === 0 ? all : all.toReversed()) {
      const micros = await measureMicros(server, requests)
      if (round < WARM_UP_ROUNDS) continue
      least.set(server, Math.min(micros, least.get(server) ?? micros))
    }
  }
  const bareMicros = least.get(bare) ?? Number.NaN
  return new Map(
    [...least].map(([server, micros]) => [server, { micros, ratio: micros / bareMicros }]),
  )
}

/** Microseconds of CPU that a request costs the server. */
async function measureMicros(server: ServerProcess, requests: readonly Buffer[]): Promise<number> {
  const before = server.readCpuSeconds()
  const load = await runLoad({
    port: server.port,
    connections: CONNECTIONS,
    durationMs: ROUND_MS,
    next: createCycle(requests),
  })
  return ((server.readCpuSeconds() - before) / load.requests) * 1e6
}

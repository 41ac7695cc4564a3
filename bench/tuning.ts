// What each part of src/app/tuning gains: all of them against all but that one, in turns. The
// server that is not measured is stopped meanwhile. A part that gains less than 5 % is to be
// deleted.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ALLOCATOR, V8_FLAGS } from '../src/app/tuning/process-tuning.ts'
import { generateIntelSet } from './lib/intel-set.ts'
import { createCycle, runLoad } from './lib/load.ts'
import { buildLookups } from './lib/look-ups.ts'
import { probeOwnWork, readLongestWork } from './lib/own-work.ts'
import type { ServerProcess } from './lib/process.ts'
import { pushRows, pushSet } from './lib/push-set.ts'
import { runAtRate } from './lib/rate-load.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCount, readFilter } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { findMedian, readPercentile } from './lib/statistics.ts'

const ENTRIES = readCount('BENCH_ENTRIES', 150_000)
const LOOKUPS = 20_000
const SEED = 20_261_128
const LOOKUP_ROUNDS = 11
// Until the machine code of look-ups is made.
const WARM_UP_ROUNDS = 4
const LOOKUP_MS = 2_000
const LIST_ENTRIES = 50_000
const LIST_ROUNDS = 5
const LIST_AFTER_MS = 3_000
const RATE_PER_SECOND = 1_000
const MEMORY_ROUNDS = 3
// whenQuiet looks every 2 s.
const IDLE_MS = 9_000

const PARTS = ['helpers', 'allocator', 'tick', 'release', 'priority'] as const
type Part = (typeof PARTS)[number]
const isWanted = readFilter('BENCH_TUNING_ONLY')

/** A server with all parts, and one with all but the part that is measured. */
interface Pair {
  readonly on: ServerProcess
  readonly off: ServerProcess
}
type Which = keyof Pair
/** Values of both, in the order of the rounds. */
type Values = Readonly<Record<Which, number[]>>
const TURNS: readonly (readonly Which[])[] = [
  ['on', 'off'],
  ['off', 'on'],
]

export async function benchTuning(stage: Stage): Promise<void> {
  stage.keepDatabaseApart()
  const set = generateIntelSet(ENTRIES, SEED, Date.now())
  const first = await start(stage, PARTS, 'first')
  try {
    await pushSet({ port: first.port, token: stage.token }, set)
  } finally {
    await first.stop()
  }
  const bench: Bench = { stage, lookups: buildLookups(set.items, LOOKUPS, SEED + 3), lists: 0 }
  const run = async (part: Part, measure: Measure): Promise<void> => {
    if (!isWanted(part)) return
    const title = `Tuning, ${ENTRIES.toLocaleString('en')} entries: all parts against all but ${part}`
    printFigures(title, await measure(bench, part))
  }
  await run('release', compareIdleMemory)
  await run('allocator', compareImportMemory)
  await run('tick', compareLookups)
  await run('helpers', compareLists)
  await run('priority', compareLists)
}

interface Bench {
  readonly stage: Stage
  readonly lookups: readonly Buffer[]
  /** Lists pushed so far: each is a new one. */
  lists: number
}
type Measure = (bench: Bench, part: Part) => Promise<readonly Figure[]>

/** A server with these parts of the tuning and no other. */
async function start(stage: Stage, parts: readonly Part[], name: string): Promise<ServerProcess> {
  const imports = [new URL('./lib/tuning-parts.ts', import.meta.url)]
  const flags = parts.includes('helpers') ? V8_FLAGS : []
  return await stage.startServer(
    {
      CASEWORK_TUNING: 'off',
      CASEWORK_DATA_DIR: join(stage.folder, `server-${name}`),
      BENCH_TUNING_PARTS: parts.join(),
      ...probeOwnWork(workFile(stage, name), imports),
      ...(parts.includes('allocator') ? ALLOCATOR : {}),
    },
    flags,
  )
}

function workFile(stage: Stage, name: string): string {
  return join(stage.folder, `own-work-${name}`)
}

function without(part: Part): readonly Part[] {
  return PARTS.filter((other) => other !== part)
}

async function openPair(stage: Stage, part: Part): Promise<Pair> {
  const on = await start(stage, PARTS, 'on')
  const off = await start(stage, without(part), 'off')
  return { on, off }
}

/** Runs `act` with the other one stopped. */
async function alone<T>(
  pair: Pair,
  which: Which,
  act: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const other = pair[which === 'on' ? 'off' : 'on']
  other.setPaused(true)
  try {
    return await act(pair[which])
  } finally {
    other.setPaused(false)
  }
}

async function compareLookups({ stage, lookups }: Bench, part: Part): Promise<readonly Figure[]> {
  const pair = await openPair(stage, part)
  const rates: Values = { on: [], off: [] }
  const next = createCycle(lookups)
  try {
    for (let round = 0; round < WARM_UP_ROUNDS + LOOKUP_ROUNDS; round += 1) {
      for (const which of TURNS[round % 2] ?? []) {
        const rate = await alone(pair, which, (server) => measureRate(server, next))
        if (round >= WARM_UP_ROUNDS) rates[which].push(rate)
      }
    }
  } finally {
    await Promise.all([pair.on.stop(), pair.off.stop()])
  }
  return [compare(part, 'look-ups per CPU-second', rates)]
}

/** Requests per CPU-second. */
async function measureRate(server: ServerProcess, next: () => Buffer): Promise<number> {
  const before = server.readCpuSeconds()
  const load = await runLoad({ port: server.port, connections: 16, durationMs: LOOKUP_MS, next })
  return load.requests / (server.readCpuSeconds() - before)
}

/** What one list costs that goes live under look-ups at a fixed rate. */
interface ListCost {
  readonly p99Ms: number
  readonly worstMs: number
  /** The longest stretch of own work of the serving thread. */
  readonly stretchMs: number
  readonly cpuSeconds: number
}

async function compareLists(bench: Bench, part: Part): Promise<readonly Figure[]> {
  const pair = await openPair(bench.stage, part)
  const costs: Record<Which, ListCost[]> = { on: [], off: [] }
  try {
    // The first round warms both up.
    for (let round = 0; round <= LIST_ROUNDS; round += 1) {
      for (const which of TURNS[round % 2] ?? []) {
        const rows = makeList(bench)
        const cost = await alone(pair, which, (server) => measureList(bench, server, which, rows))
        if (round > 0) costs[which].push(cost)
        // The other one reads the list from the change log.
        await delay(LIST_AFTER_MS)
      }
    }
  } finally {
    await Promise.all([pair.on.stop(), pair.off.stop()])
  }
  return LIST_FIGURES.map(([name, of]) =>
    compare(part, `list goes live: ${name}`, { on: costs.on.map(of), off: costs.off.map(of) }),
  )
}

const LIST_FIGURES: readonly (readonly [name: string, of: (cost: ListCost) => number])[] = [
  ['p99 in ms', ({ p99Ms }) => p99Ms],
  ['worst look-up in ms', ({ worstMs }) => worstMs],
  ['longest stretch of own work in ms', ({ stretchMs }) => stretchMs],
  ['CPU-seconds', ({ cpuSeconds }) => cpuSeconds],
]

/** Lines of a new list. */
function makeList(bench: Bench): readonly string[] {
  bench.lists += 1
  const list = `new-${bench.lists}`
  const { items } = generateIntelSet(LIST_ENTRIES, SEED + 77 + bench.lists, Date.now())
  return items.map((item) => JSON.stringify({ item, list, source: 'bench-new' }))
}

async function measureList(
  { stage, lookups }: Bench,
  server: ServerProcess,
  which: Which,
  rows: readonly string[],
): Promise<ListCost> {
  const order = { port: server.port, requests: lookups, ratePerSecond: RATE_PER_SECOND }
  const startedMs = Date.now()
  const before = server.readCpuSeconds()
  const { latenciesMs } = await runAtRate(order, async () => {
    await pushRows({ port: server.port, token: stage.token }, 'listings', rows)
    await delay(LIST_AFTER_MS)
  })
  return {
    p99Ms: readPercentile(latenciesMs, 0.99),
    worstMs: latenciesMs.at(-1) ?? Number.NaN,
    stretchMs: readLongestWork(workFile(stage, which), startedMs, Date.now()),
    cpuSeconds: server.readCpuSeconds() - before,
  }
}

async function compareIdleMemory(bench: Bench, part: Part): Promise<readonly Figure[]> {
  return await compareMemory(bench, part, 'resident MB of an idle service')
}

async function compareImportMemory(bench: Bench, part: Part): Promise<readonly Figure[]> {
  const unit = `resident MB after an import of ${ENTRIES.toLocaleString('en')}`
  return await compareMemory(bench, part, unit, async ({ port }) => {
    bench.lists += 1
    const set = generateIntelSet(ENTRIES, SEED + 77 + bench.lists, Date.now())
    await pushSet({ port, token: bench.stage.token }, set)
  })
}

/** Once the server has done `act` and was left alone for a while. */
async function compareMemory(
  { stage }: Bench,
  part: Part,
  unit: string,
  act: (server: ServerProcess) => Promise<void> = async () => undefined,
): Promise<readonly Figure[]> {
  const memory: Values = { on: [], off: [] }
  for (let round = 0; round < MEMORY_ROUNDS; round += 1) {
    for (const which of TURNS[round % 2] ?? []) {
      const server = await start(stage, which === 'on' ? PARTS : without(part), which)
      await act(server)
      await delay(IDLE_MS)
      memory[which].push(server.readResidentBytes() / 1e6)
      await server.stop()
    }
  }
  return [compare(part, unit, memory)]
}

/** The ratio is the median of the ratios of the rounds. */
function compare(part: Part, unit: string, { on, off }: Values): Figure {
  const all = (values: readonly number[]): string => values.map((value) => format(value)).join(', ')
  return {
    name: `${part}: ${unit}`,
    ours: `${format(findMedian(on))} (${all(on)})`,
    calibration: `without it ${format(findMedian(off))} (${all(off)})`,
    ratio: findMedian(on.map((value, turn) => value / (off[turn] ?? Number.NaN))),
  }
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)
}

// What each part of src/app/tuning gains: all of them against all but that one, in turns. The one
// that is not measured is stopped meanwhile. A part that gains less than 5 % is to be deleted.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ALLOCATOR, V8_FLAGS } from '../src/app/tuning/process-tuning.ts'
import { generateIntelSet, generateQuestions } from './lib/intel-set.ts'
import { SERVER_CORE } from './lib/keep-apart.ts'
import { buildRequest, readPercentile, runLoad } from './lib/load.ts'
import type { ServerProcess } from './lib/process.ts'
import { pushRows, pushSet } from './lib/push-set.ts'
import { runAtRate } from './lib/rate-load.ts'
import { type Figure, findMedian, printFigures } from './lib/report.ts'
import type { Stage } from './lib/stage.ts'

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 150_000)
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
const ONLY = process.env['BENCH_TUNING_ONLY']?.split(',')

interface Pair {
  readonly on: ServerProcess
  readonly off: ServerProcess
}
type Which = keyof Pair
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
  const questions = generateQuestions(set.items, 20_000, SEED + 3).map((item) =>
    buildRequest('GET', `/beta/query/${encodeURIComponent(item)}`),
  )
  const bench: Bench = { stage, questions, lists: 0 }
  const run = async (part: Part, measure: Measure): Promise<void> => {
    if (ONLY !== undefined && !ONLY.includes(part)) return
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
  readonly questions: readonly Buffer[]
  lists: number
}
type Measure = (bench: Bench, part: Part) => Promise<readonly Figure[]>

/** A server with these parts of the tuning and no other. */
async function start(stage: Stage, parts: readonly Part[], name: string): Promise<ServerProcess> {
  const probes = [
    new URL('./lib/own-work-probe.ts', import.meta.url),
    new URL('./lib/tuning-parts.ts', import.meta.url),
  ]
  const imports = probes.map(({ pathname }) => `--import ${pathname}`)
  const flags = parts.includes('helpers') ? V8_FLAGS : []
  return await stage.startServer(
    SERVER_CORE,
    {
      CASEWORK_TUNING: 'off',
      CASEWORK_DATA_DIR: join(stage.folder, `server-${name}`),
      BENCH_OWN_WORK_FILE: workFile(stage, name),
      BENCH_TUNING_PARTS: parts.join(),
      NODE_OPTIONS: imports.join(' '),
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

async function compareLookups({ stage, questions }: Bench, part: Part): Promise<readonly Figure[]> {
  const pair = await openPair(stage, part)
  const rates = { on: [] as number[], off: [] as number[] }
  let index = 0
  const next = (): Buffer => {
    index = (index + 1) % questions.length
    return questions[index] ?? Buffer.alloc(0)
  }
  try {
    for (let round = 0; round < WARM_UP_ROUNDS + LOOKUP_ROUNDS; round += 1) {
      for (const which of TURNS[round % 2] ?? []) {
        const rate = await alone(pair, which, async (server) => {
          const before = server.readCpuSeconds()
          const load = await runLoad({
            port: server.port,
            connections: 16,
            durationMs: LOOKUP_MS,
            next,
          })
          return load.requests / (server.readCpuSeconds() - before)
        })
        if (round >= WARM_UP_ROUNDS) rates[which].push(rate)
      }
    }
  } finally {
    await Promise.all([pair.on.stop(), pair.off.stop()])
  }
  return [compare(part, 'look-ups per CPU-second', rates)]
}

/** Look-ups at a fixed rate while a new list goes live. */
async function compareLists(bench: Bench, part: Part): Promise<readonly Figure[]> {
  const { stage, questions } = bench
  const pair = await openPair(stage, part)
  const p99 = { on: [] as number[], off: [] as number[] }
  const worst = { on: [] as number[], off: [] as number[] }
  const cpu = { on: [] as number[], off: [] as number[] }
  const stretch = { on: [] as number[], off: [] as number[] }
  try {
    for (let round = 0; round <= LIST_ROUNDS; round += 1) {
      for (const which of TURNS[round % 2] ?? []) {
        bench.lists += 1
        const rows = generateIntelSet(LIST_ENTRIES, SEED + 77 + bench.lists, Date.now()).items.map(
          (item) => JSON.stringify({ item, list: `new-${bench.lists}`, source: 'bench-new' }),
        )
        await alone(pair, which, async (server) => {
          const order = { port: server.port, requests: questions, ratePerSecond: RATE_PER_SECOND }
          const startedMs = Date.now()
          const before = server.readCpuSeconds()
          const { latenciesMs } = await runAtRate(order, async () => {
            await pushRows({ port: server.port, token: stage.token }, 'listings', rows)
            await delay(LIST_AFTER_MS)
          })
          if (round === 0) return
          cpu[which].push(server.readCpuSeconds() - before)
          p99[which].push(readPercentile(latenciesMs, 0.99))
          worst[which].push(latenciesMs.at(-1) ?? Number.NaN)
          stretch[which].push(readStretch(workFile(stage, which), startedMs))
        })
        // The other one reads the list from the change log.
        await delay(LIST_AFTER_MS)
      }
    }
  } finally {
    await Promise.all([pair.on.stop(), pair.off.stop()])
  }
  return [
    compare(part, 'list goes live: p99 in ms', p99),
    compare(part, 'list goes live: worst look-up in ms', worst),
    compare(part, 'list goes live: longest stretch of own work in ms', stretch),
    compare(part, 'list goes live: CPU-seconds', cpu),
  ]
}

function readStretch(file: string, sinceMs: number): number {
  const notes = readFileSync(file, 'utf8').trimEnd().split('\n')
  const since = notes.map((line) => line.split(' ').map(Number)).filter(([at = 0]) => at > sinceMs)
  return Math.max(...since.map(([, ms = 0]) => ms))
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
  const memory = { on: [] as number[], off: [] as number[] }
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

function compare(
  part: Part,
  unit: string,
  { on, off }: Readonly<Record<Which, readonly number[]>>,
): Figure {
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

// The worst stall of look-ups while a new list goes live: 5,000 look-ups a second at a fixed rate,
// latency counted from when each was due, so that a stall cannot hide behind the requests that were
// not sent (coordinated omission).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generateIntelSet, generateQuestions } from './lib/intel-set.ts'
import { keepApart } from './lib/keep-apart.ts'
import { buildRequest, readPercentile } from './lib/load.ts'
import { pushRows, pushSet } from './lib/push-set.ts'
import { describeUnmeasured, type RateResult, runAtRate } from './lib/rate-load.ts'
import { findMedian, printFigures } from './lib/report.ts'
import type { Stage } from './lib/stage.ts'

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 1_080_000)
const NEW_ENTRIES = 100_000
const NEW_LISTS = 5
const AFTER_MS = 10_000
const RATE_PER_SECOND = 5_000
const SEED = 20_261_121
const SETTLE_MS = 15_000
// Until the machine code of look-ups is made: its compilers share the processor of the server, and
// what they cost comes once in a start.
const WARM_UP_MS = 15_000
const VISIBLE_ROUNDS = 40
const VISIBLE_RATE_PER_SECOND = 1_000
const ASKERS = 8
const VISIBLE_WAIT_MS = 30_000
const VISIBLE_PAUSE_MS = 5

export async function benchStall(stage: Stage): Promise<void> {
  stage.keepDatabaseApart()
  await keepApart(() => measure(stage))
}

async function measure(stage: Stage): Promise<void> {
  const set = generateIntelSet(ENTRIES, SEED, Date.now())
  const workFile = join(stage.folder, 'own-work')
  const probe = new URL('./lib/own-work-probe.ts', import.meta.url).pathname
  const questions = generateQuestions(set.items, 20_000, SEED + 3).map((item) =>
    buildRequest('GET', `/beta/query/${encodeURIComponent(item)}`),
  )
  const server = await stage.startServer(0, {
    BENCH_OWN_WORK_FILE: workFile,
    NODE_OPTIONS: `--import ${probe}`,
  })
  try {
    await pushSet({ port: server.port, token: stage.token }, set)
    await delay(SETTLE_MS)
    const order = { port: server.port, requests: questions, ratePerSecond: RATE_PER_SECOND }
    await runAtRate(order, () => delay(WARM_UP_MS))
    const rounds: Round[] = []
    for (let list = 0; list < NEW_LISTS; list += 1) {
      const fresh = generateIntelSet(NEW_ENTRIES, SEED + 77 + list, Date.now())
      const lines = fresh.items.map((item) =>
        JSON.stringify({ item, list: `new-${list}`, source: `bench-new-${list}` }),
      )
      const calmAtMs = Date.now()
      const calm = await runAtRate(order, () => delay(AFTER_MS))
      const busyAtMs = Date.now()
      const busy = await runAtRate(order, async () => {
        await pushRows({ port: server.port, token: stage.token }, 'listings', lines)
        // What goes on behind the answer (a rebuilt snapshot, its swap) belongs to the list going
        // live.
        await delay(AFTER_MS)
      })
      const work = readOwnWork(workFile)
      rounds.push({
        calm,
        busy,
        calmWorkMs: work(calmAtMs, busyAtMs),
        busyWorkMs: work(busyAtMs, Date.now()),
      })
    }
    printRounds(rounds)
  } finally {
    await server.stop()
  }
  await benchVisible(stage, questions)
}

interface Round {
  readonly calm: RateResult
  readonly busy: RateResult
  readonly calmWorkMs: number
  readonly busyWorkMs: number
}

function printRounds(rounds: readonly Round[]): void {
  const busy = rounds.map((round) => round.busy)
  const answered = busy.reduce(
    (sum, { latenciesMs, unmeasured }) => sum + latenciesMs.length + unmeasured,
    0,
  )
  const title = `Stall at ${RATE_PER_SECOND.toLocaleString('en')} look-ups/s, ${NEW_LISTS} lists of ${NEW_ENTRIES.toLocaleString('en')} new entries one after the other`
  printFigures(title, [
    {
      name: `while a list goes live, median list (${answered.toLocaleString('en')} look-ups${describeFailures(busy)})`,
      ours: describe(busy),
      calibration: `the same server without it: ${describe(rounds.map(({ calm }) => calm))}`,
      ratio: null,
    },
    {
      name: 'longest stretch of own work of the serving thread meanwhile, by its processor time',
      ours: `${findMedian(rounds.map(({ busyWorkMs }) => busyWorkMs)).toFixed(1)} ms`,
      calibration: `without the new list: ${findMedian(rounds.map(({ calmWorkMs }) => calmWorkMs)).toFixed(1)} ms`,
      ratio: null,
    },
  ])
}

/** The longest stretch between two moments, as the probe noted it. */
function readOwnWork(file: string): (fromMs: number, toMs: number) => number {
  const notes = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
  return (fromMs, toMs) =>
    notes.reduce(
      (longest, [atMs = 0, stretchMs = 0]) =>
        atMs > fromMs && atMs <= toMs ? Math.max(longest, stretchMs) : longest,
      0,
    )
}

/** How long after its answer a push is seen on every thread, under look-ups. */
async function benchVisible(stage: Stage, questions: readonly Buffer[]): Promise<void> {
  const server = await stage.startServer(0, { CASEWORK_THREADS: '2' })
  const waits: number[] = []
  try {
    const order = { port: server.port, requests: questions, ratePerSecond: VISIBLE_RATE_PER_SECOND }
    await runAtRate(order, async () => {
      for (let round = 0; round < VISIBLE_ROUNDS; round += 1) {
        const item = `198.51.100.${round}`
        const row = JSON.stringify({ item, list: 'visible', source: 'bench-visible' })
        await pushRows({ port: server.port, token: stage.token }, 'listings', [row])
        waits.push(await waitUntilListed(server.port, item))
      }
    })
  } finally {
    await server.stop()
  }
  const sorted = waits.toSorted((a, b) => a - b)
  printFigures(
    `Visible on both threads under ${VISIBLE_RATE_PER_SECOND.toLocaleString('en')} look-ups/s`,
    [
      {
        name: `from the answer of a push until each of ${ASKERS} connections sees it, ${VISIBLE_ROUNDS} pushes`,
        ours: `median ${readPercentile(sorted, 0.5).toFixed(0)} ms, worst ${(sorted.at(-1) ?? 0).toFixed(0)} ms`,
        calibration: '-',
        ratio: null,
      },
    ],
  )
}

/**
 * Milliseconds until fresh connections, which the kernel spreads over the threads, all see the item
 * listed; the bound when they do not.
 */
async function waitUntilListed(port: number, item: string): Promise<number> {
  const startedAt = performance.now()
  const seen = Array.from({ length: ASKERS }, async () => {
    while (performance.now() - startedAt < VISIBLE_WAIT_MS) {
      if (await isListed(port, item)) return performance.now() - startedAt
      // Asking without a pause would take the processors that the server needs to show it.
      await delay(VISIBLE_PAUSE_MS)
    }
    return VISIBLE_WAIT_MS
  })
  return Math.max(...(await Promise.all(seen)))
}

/** False also when nobody answered: on a machine under load a connection may break. */
async function isListed(port: number, item: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/beta/query/${item}`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(VISIBLE_WAIT_MS),
    })
    return (await answer.text()).includes('"ACTIVE"')
  } catch {
    return false
  }
}

function describeFailures(results: readonly RateResult[]): string {
  const kinds = results.flatMap(({ failures }) =>
    Object.entries(failures).map(([what, count]) => `${count} × ${what}`),
  )
  return kinds.length === 0 ? ', all answered 200' : `, and ${kinds.join(', ')}`
}

function describe(results: readonly RateResult[]): string {
  const read = (share: number): string =>
    findMedian(results.map(({ latenciesMs }) => readPercentile(latenciesMs, share))).toFixed(1)
  const worst = results.map(({ latenciesMs }) => latenciesMs.at(-1) ?? 0)
  return `p50 ${read(0.5)} ms, p99 ${read(0.99)} ms, worst ${findMedian(worst).toFixed(1)} ms (each ${worst.map((ms) => ms.toFixed(1)).join(', ')}; ${describeUnmeasured(results)})`
}

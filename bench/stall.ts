// The worst stall of look-ups while a new list goes live: 5,000 look-ups a second at a fixed rate,
// latency counted from when each was due, so that a stall cannot hide behind the requests that were
// not sent (coordinated omission).

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generateIntelSet } from './lib/intel-set.ts'
import { keepApart } from './lib/keep-apart.ts'
import { buildLookups, waitUntilListed } from './lib/look-ups.ts'
import { probeOwnWork, readLongestWork } from './lib/own-work.ts'
import { pushRows, pushSet } from './lib/push-set.ts'
import { describeUnmeasured, type RateOrder, type RateResult, runAtRate } from './lib/rate-load.ts'
import { printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { findMedian, readPercentile, sortNumbers, sum } from './lib/statistics.ts'

const ENTRIES = readCount('BENCH_ENTRIES', 1_080_000)
const NEW_ENTRIES = 100_000
const NEW_LISTS = 5
// A list is live some seconds behind the answer of its push.
const AFTER_MS = 10_000
const RATE_PER_SECOND = 5_000
const SEED = 20_261_121
const LOOKUPS = 20_000
const SETTLE_MS = 15_000
// Until the machine code of look-ups is made: its compilers share the processor of the server, and
// what they cost comes once in a start.
const WARM_UP_MS = 15_000
const VISIBLE_ROUNDS = 40
const VISIBLE_RATE_PER_SECOND = 1_000
const ASKERS = 8
const VISIBLE_PAUSE_MS = 5

export async function benchStall(stage: Stage): Promise<void> {
  stage.keepDatabaseApart()
  await keepApart(() => measure(stage))
}

async function measure(stage: Stage): Promise<void> {
  const set = generateIntelSet(ENTRIES, SEED, Date.now())
  const workFile = join(stage.folder, 'own-work')
  const questions = buildLookups(set.items, LOOKUPS, SEED + 3)
  const server = await stage.startServer(probeOwnWork(workFile))
  try {
    await pushSet({ port: server.port, token: stage.token }, set)
    await delay(SETTLE_MS)
    const order = { port: server.port, requests: questions, ratePerSecond: RATE_PER_SECOND }
    await runAtRate(order, () => delay(WARM_UP_MS))
    const rounds: Round[] = []
    for (let list = 0; list < NEW_LISTS; list += 1) {
      rounds.push(await measureList(stage, order, workFile, list))
    }
    printRounds(rounds)
  } finally {
    await server.stop()
  }
  await benchVisible(stage, questions)
}

interface Round {
  /** Without a new list. */
  readonly calm: RateResult
  /** While one goes live. */
  readonly busy: RateResult
  /** The longest stretch of own work of the serving thread. */
  readonly calmWorkMs: number
  readonly busyWorkMs: number
}

async function measureList(
  stage: Stage,
  order: RateOrder,
  workFile: string,
  list: number,
): Promise<Round> {
  const fresh = generateIntelSet(NEW_ENTRIES, SEED + 77 + list, Date.now())
  const lines = fresh.items.map((item) =>
    JSON.stringify({ item, list: `new-${list}`, source: `bench-new-${list}` }),
  )
  const calmAtMs = Date.now()
  const calm = await runAtRate(order, () => delay(AFTER_MS))
  const busyAtMs = Date.now()
  const busy = await runAtRate(order, async () => {
    await pushRows({ port: order.port, token: stage.token }, 'listings', lines)
    // What goes on behind the answer (a rebuilt snapshot, its swap) belongs to the list going live.
    await delay(AFTER_MS)
  })
  return {
    calm,
    busy,
    calmWorkMs: readLongestWork(workFile, calmAtMs, busyAtMs),
    busyWorkMs: readLongestWork(workFile, busyAtMs, Date.now()),
  }
}

function printRounds(rounds: readonly Round[]): void {
  const busy = rounds.map((round) => round.busy)
  const calm = rounds.map((round) => round.calm)
  const answered = sum(busy.map(({ latenciesMs, unmeasured }) => latenciesMs.length + unmeasured))
  const busyWorkMs = findMedian(rounds.map((round) => round.busyWorkMs))
  const calmWorkMs = findMedian(rounds.map((round) => round.calmWorkMs))
  const title = `Stall at ${RATE_PER_SECOND.toLocaleString('en')} look-ups/s, ${NEW_LISTS} lists of ${NEW_ENTRIES.toLocaleString('en')} new entries one after the other`
  printFigures(title, [
    {
      name: `worst answer while a list goes live, median list (${answered.toLocaleString('en')} look-ups${describeFailures(busy)})`,
      ours: describe(busy),
      calibration: `the same server without it: ${describe(calm)}`,
      ratio: findWorst(busy) / findWorst(calm),
    },
    {
      name: 'longest stretch of own work of the serving thread meanwhile, by its processor time',
      ours: `${busyWorkMs.toFixed(1)} ms`,
      calibration: `without the new list: ${calmWorkMs.toFixed(1)} ms`,
      ratio: busyWorkMs / calmWorkMs,
    },
  ])
}

/** How long after its answer a push is seen on every thread, under look-ups. */
async function benchVisible(stage: Stage, questions: readonly Buffer[]): Promise<void> {
  const server = await stage.startServer({ CASEWORK_THREADS: '2' })
  const waits: number[] = []
  try {
    const order = { port: server.port, requests: questions, ratePerSecond: VISIBLE_RATE_PER_SECOND }
    await runAtRate(order, async () => {
      for (let round = 0; round < VISIBLE_ROUNDS; round += 1) {
        const item = `198.51.100.${round}`
        const row = JSON.stringify({ item, list: 'visible', source: 'bench-visible' })
        await pushRows({ port: server.port, token: stage.token }, 'listings', [row])
        waits.push(await waitUntilListedOnAll(server.port, item))
      }
    })
  } finally {
    await server.stop()
  }
  const sorted = sortNumbers(waits)
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
 * listed.
 */
async function waitUntilListedOnAll(port: number, item: string): Promise<number> {
  const wait = { pauseMs: VISIBLE_PAUSE_MS, hasFreshConnections: true }
  const waits = Array.from({ length: ASKERS }, () => waitUntilListed(port, item, wait))
  return Math.max(...(await Promise.all(waits)))
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
  const each = listWorst(results).map((ms) => ms.toFixed(1))
  return `p50 ${read(0.5)} ms, p99 ${read(0.99)} ms, worst ${findWorst(results).toFixed(1)} ms (each ${each.join(', ')}; ${describeUnmeasured(results)})`
}

/** The median of the worst answers. */
function findWorst(results: readonly RateResult[]): number {
  return findMedian(listWorst(results))
}

function listWorst(results: readonly RateResult[]): readonly number[] {
  return results.map(({ latenciesMs }) => latenciesMs.at(-1) ?? Number.NaN)
}

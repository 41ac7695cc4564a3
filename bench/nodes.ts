// What further nodes cost: a look-up by three nodes beside one by a single node of the same
// database, in processor time and in turns; and how long after its answer a push to one node is
// seen by the others, which ask the database (design section 11).

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generateIntelSet } from './lib/intel-set.ts'
import { createCycle, runLoad } from './lib/load.ts'
import { buildLookups, measureAnswerLength, waitUntilListed } from './lib/look-ups.ts'
import type { ServerProcess } from './lib/process.ts'
import { pushRows, pushSet } from './lib/push-set.ts'
import { printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { findMedian, readPercentile, sortNumbers, sum } from './lib/statistics.ts'

const ENTRIES = readCount('BENCH_ENTRIES', 100_000)
const PUSHES = readCount('BENCH_PUSHES', 300)
const SEED = 20_261_127
const LOOKUPS = 20_000
const ROUNDS = 16
const WARM_UP_ROUNDS = 3
const ROUND_MS = 900
// Three for each of three nodes.
const CONNECTIONS = 9
const SETTLE_MS = 10_000
const IDLE_MS = 10_000
// All parts together end within three minutes, on a busy machine too.
const PUSHES_MS = 60_000
const ASK_PAUSE_MS = 2

export async function benchNodes(stage: Stage): Promise<void> {
  stage.keepDatabaseApart()
  const set = generateIntelSet(ENTRIES, SEED, Date.now())
  // The first one makes the tables.
  const alone = await startNode(stage, 'alone')
  const names = ['first', 'second', 'third']
  const three = await Promise.all(names.map((name) => startNode(stage, name)))
  try {
    await pushSet({ port: alone.port, token: stage.token }, set)
    await delay(SETTLE_MS)
    const idleMs = await measureIdle(three)
    const answerLength = await measureAnswerLength(alone.port, set.items, SEED + 9)
    const bare = await stage.startBareServer(answerLength)
    await compareLookups({ alone, three, bare, idleMs }, buildLookups(set.items, LOOKUPS, SEED + 1))
    await bare.stop()
    await measureSeen(stage, three)
  } finally {
    await Promise.all([alone, ...three].map((server) => server.stop()))
  }
}

function startNode(stage: Stage, name: string): Promise<ServerProcess> {
  return stage.startServer({ CASEWORK_DATA_DIR: join(stage.folder, name) })
}

interface Nodes {
  readonly alone: ServerProcess
  readonly three: readonly ServerProcess[]
  readonly bare: ServerProcess
  /** Milliseconds of processor time that a node without requests takes in a second. */
  readonly idleMs: number
}

/** As `Nodes.idleMs`. */
async function measureIdle(nodes: readonly ServerProcess[]): Promise<number> {
  const readCpu = (): number => sum(nodes.map((node) => node.readCpuSeconds()))
  const [before, startedMs] = [readCpu(), performance.now()]
  await delay(IDLE_MS)
  const seconds = (performance.now() - startedMs) / 1_000
  return ((readCpu() - before) * 1_000) / seconds / nodes.length
}

async function compareLookups(
  { alone, three, bare, idleMs }: Nodes,
  requests: readonly Buffer[],
): Promise<void> {
  const rounds: Record<'one' | 'three' | 'asked' | 'bare', Round>[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const measured = {
      one: await measureRound([alone], requests),
      three: await measureRound(three, requests),
      asked: await measureRound(three, requests, { asked: round % three.length }),
      bare: await measureRound([bare], requests),
    }
    if (round >= WARM_UP_ROUNDS) rounds.push(measured)
  }
  const read = (which: keyof (typeof rounds)[number]): number =>
    findMedian(rounds.map((round) => round[which].micros))
  // The share of a look-up in what the nodes do without requests grows as look-ups get fewer.
  const withoutIdle = ({ micros, requests: count, seconds }: Round, nodes: number): number =>
    micros - (idleMs * 1_000 * nodes * seconds) / count
  printFigures(`Look-ups by three nodes, ${ENTRIES.toLocaleString('en')} entries, one processor`, [
    {
      name: 'processor time of a look-up, three nodes with a third of the connections each',
      ours: `${read('three').toFixed(1)} µs`,
      calibration: `one node of the same database in turns: ${read('one').toFixed(1)} µs; bare node:http ${read('bare').toFixed(1)} µs`,
      ratio: findMedian(rounds.map((round) => round.three.micros / round.one.micros)),
    },
    {
      // As on three machines: no two of them take turns on one processor and its cache.
      name: 'one of the three is asked by all connections, the processor time of all three counts',
      ours: `${read('asked').toFixed(1)} µs`,
      calibration: `one node: ${read('one').toFixed(1)} µs`,
      ratio: findMedian(rounds.map((round) => round.asked.micros / round.one.micros)),
    },
    {
      name: 'the same without what an idle node takes',
      ours: `${findMedian(rounds.map(({ three: round }) => withoutIdle(round, three.length))).toFixed(1)} µs; an idle node takes ${idleMs.toFixed(1)} ms a second`,
      calibration: `one node: ${findMedian(rounds.map(({ one }) => withoutIdle(one, 1))).toFixed(1)} µs; ${findMedian(rounds.map(({ one }) => one.requests / one.seconds)).toFixed(0)} look-ups a second`,
      ratio: findMedian(
        rounds.map((round) => withoutIdle(round.three, three.length) / withoutIdle(round.one, 1)),
      ),
    },
  ])
}

interface Round {
  /** Processor time of all the servers for one request, whichever of them answers. */
  readonly micros: number
  readonly requests: number
  readonly seconds: number
}

/** `asked` is the only one of the servers that gets requests, else all of them share these. */
async function measureRound(
  servers: readonly ServerProcess[],
  requests: readonly Buffer[],
  { asked }: { readonly asked?: number } = {},
): Promise<Round> {
  const busy = asked === undefined ? servers : servers.slice(asked, asked + 1)
  const next = createCycle(requests)
  const readCpu = (): number => sum(servers.map((server) => server.readCpuSeconds()))
  const [before, startedMs] = [readCpu(), performance.now()]
  const loads = await Promise.all(
    busy.map(({ port }) =>
      runLoad({
        port,
        connections: CONNECTIONS / busy.length,
        durationMs: ROUND_MS,
        next,
      }),
    ),
  )
  const count = sum(loads.map((load) => load.requests))
  const micros = ((readCpu() - before) / count) * 1e6
  return { micros, requests: count, seconds: (performance.now() - startedMs) / 1_000 }
}

/** From the answer of a push until the node that took it, and both others, say what it said. */
async function measureSeen(stage: Stage, [first, ...others]: readonly ServerProcess[]) {
  if (first === undefined) return
  const own: number[] = []
  const theirs: number[] = []
  const endMs = performance.now() + PUSHES_MS
  for (let push = 0; push < PUSHES && performance.now() < endMs; push += 1) {
    const item = `198.51.${100 + Math.floor(push / 250)}.${push % 250}`
    const row = JSON.stringify({ item, list: 'seen-by-all', source: 'bench-nodes' })
    await pushRows({ port: first.port, token: stage.token }, 'listings', [row])
    const answeredAt = performance.now()
    const [mine = 0, ...waits] = await Promise.all(
      [first, ...others].map(({ port }) =>
        waitUntilListed(port, item, { sinceMs: answeredAt, pauseMs: ASK_PAUSE_MS }),
      ),
    )
    own.push(mine)
    theirs.push(...waits)
    // The others poll at a steady pace: each push shall come at another moment between two polls.
    await delay((push * 37) % 250)
  }
  printFigures(`A push to one of three nodes, ${own.length} times`, [
    {
      name: 'from its answer until each of the two others has it',
      ours: describeWaits(theirs),
      calibration: `the node that took it: ${describeWaits(own)}`,
      ratio: null,
    },
  ])
}

function describeWaits(waits: readonly number[]): string {
  const sorted = sortNumbers(waits)
  const at = (share: number): string => readPercentile(sorted, share).toFixed(0)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${(sorted.at(-1) ?? 0).toFixed(0)} ms`
}

// Look-ups and quick checks over HTTP with 1.08 M entries, and the import of those entries, each
// beside its calibration.

import { setTimeout as delay } from 'node:timers/promises'
import { copyIntoBareTable } from './lib/calibrations.ts'
import { generateIntelSet, type IntelRows } from './lib/intel-set.ts'
import { createCycle, type LoadResult, runLoad } from './lib/load.ts'
import { buildChecks, buildLookups, measureAnswerLength } from './lib/look-ups.ts'
import type { ServerProcess } from './lib/process.ts'
import { pushRows, pushSet } from './lib/push-set.ts'
import { describeUnmeasured, runAtRate } from './lib/rate-load.ts'
import { type Figure, formatRate, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { findMedian, readPercentile } from './lib/statistics.ts'

const ENTRIES = readCount('BENCH_ENTRIES', 1_080_000)
// Imported right before a restart, each of the two times; the set has these too from then on.
const LATE_ENTRIES = 200_000
const SEED = 20_261_121
const LOOKUPS = 20_000
const CHECKS = 100
// Odd, so that the median is one of the values. Other load on the machine disturbs a few of them.
const ROUNDS = 7
const ROUND_MS = 3_000
const HALF_LOAD_MS = 10_000
const SETTLE_MS = 15_000

export async function benchIntel(stage: Stage): Promise<void> {
  const set = generateIntelSet(ENTRIES, SEED, Date.now())
  const figures: Figure[] = []
  const importer = await stage.startServer()
  try {
    figures.push(
      await benchImport(stage, importer, set),
      describeMemory('after the import', importer),
    )
    await delay(SETTLE_MS)
    figures.push(describeMemory(`${SETTLE_MS / 1_000} s after the import`, importer))
  } finally {
    await importer.stop()
  }
  figures.push(...(await benchRestarts(stage)))
  const { server, readySeconds } = await startTimed(stage)
  figures.push(describeAlone('ready after restart', `${readySeconds.toFixed(2)} s`))
  try {
    figures.push(
      ...(await benchAnswers(stage, server, set.items)),
      describeMemory('after restart and load', server),
    )
  } finally {
    await server.stop()
  }
  printFigures(`Intel, ${ENTRIES.toLocaleString('en')} entries`, figures)
}

/**
 * How long a start takes that follows an import at once: after a stop, and after the process was
 * killed.
 */
async function benchRestarts(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [at, how] of (['stop', 'kill'] as const).entries()) {
    const server = await stage.startServer()
    const late = generateIntelSet(LATE_ENTRIES, SEED + 31 + at, Date.now())
    await pushRows({ port: server.port, token: stage.token }, 'listings', late.listings)
    await pushRows({ port: server.port, token: stage.token }, 'sightings', late.sightings)
    const endedAt = performance.now()
    await server[how]()
    const endSeconds = (performance.now() - endedAt) / 1_000
    const next = await startTimed(stage)
    await next.server.stop()
    const rows = late.listings.length + late.sightings.length
    figures.push(
      describeAlone(
        `ready after a ${how} right behind an import of ${rows.toLocaleString('en')} rows`,
        `${next.readySeconds.toFixed(2)} s${how === 'stop' ? `, the stop ${endSeconds.toFixed(2)} s` : ''}`,
      ),
    )
  }
  return figures
}

async function startTimed(
  stage: Stage,
): Promise<{ readonly server: ServerProcess; readonly readySeconds: number }> {
  const startedAt = performance.now()
  const server = await stage.startServer()
  return { server, readySeconds: (performance.now() - startedAt) / 1_000 }
}

/** A figure that has no calibration. */
function describeAlone(name: string, ours: string): Figure {
  return { name, ours, calibration: '-', ratio: null }
}

function describeMemory(when: string, server: ServerProcess): Figure {
  const ours = `${Math.round(server.readResidentBytes() / 1e6)} MB`
  return describeAlone(`resident memory of the server ${when}`, ours)
}

async function benchAnswers(
  stage: Stage,
  server: ServerProcess,
  items: readonly string[],
): Promise<Figure[]> {
  const bare = await stage.startBareServer(await measureAnswerLength(server.port, items, SEED + 9))
  try {
    const lookups = createCycle(buildLookups(items, LOOKUPS, SEED + 1))
    const checks = buildChecks(items, CHECKS, SEED + 2)
    const pair = { ours: server, bare }
    return [
      await compare(pair, 'GET /beta/query/{item}', lookups, 'look-ups per CPU-second'),
      await compare(
        pair,
        'POST /beta/quick-check, 1,000 items',
        createCycle(checks),
        'checks per CPU-second',
      ),
      await compareAtHalfLoad(pair, checks),
    ]
  } finally {
    await bare.stop()
  }
}

interface Pair {
  readonly ours: ServerProcess
  readonly bare: ServerProcess
}

async function compare(
  { ours, bare }: Pair,
  name: string,
  next: () => Buffer,
  unit: string,
): Promise<Figure> {
  const rates: { ours: number[]; bare: number[]; p99: number[] } = { ours: [], bare: [], p99: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const mine = await measureRate(ours, next)
    const theirs = await measureRate(bare, next)
    // The first round is a warm-up of both.
    if (round === 0) continue
    rates.ours.push(mine.perCpuSecond)
    rates.bare.push(theirs.perCpuSecond)
    rates.p99.push(readPercentile(mine.load.latenciesMs, 0.99))
  }
  return {
    name: `${name} (p99 at saturation ${findMedian(rates.p99).toFixed(1)} ms)`,
    ours: formatRate(findMedian(rates.ours), unit),
    calibration: `bare node:http ${formatRate(findMedian(rates.bare), '')}`,
    ratio: findMedian(rates.ours) / findMedian(rates.bare),
  }
}

// What a caller waits for when the server has as much to do again as it does: design section 8
// wants at most 15 ms for 99 of 100.
async function compareAtHalfLoad({ ours, bare }: Pair, checks: readonly Buffer[]): Promise<Figure> {
  const { load } = await measureRate(ours, createCycle(checks))
  const fullRate = (load.requests / load.elapsedMs) * 1_000
  const ratePerSecond = Math.round(fullRate / 2)
  return {
    name: `the same at half load, ${ratePerSecond} checks a second`,
    ours: await measureLatencies(ours, checks, ratePerSecond),
    calibration: `bare node:http at the same rate ${await measureLatencies(bare, checks, ratePerSecond)}`,
    ratio: null,
  }
}

async function measureLatencies(
  { port }: ServerProcess,
  requests: readonly Buffer[],
  ratePerSecond: number,
): Promise<string> {
  const result = await runAtRate({ port, requests, ratePerSecond }, () => delay(HALF_LOAD_MS))
  const { latenciesMs } = result
  const read = (share: number): string => readPercentile(latenciesMs, share).toFixed(1)
  return `p50 ${read(0.5)} ms, p99 ${read(0.99)} ms (${latenciesMs.length.toLocaleString('en')} answers; ${describeUnmeasured([result])})`
}

async function measureRate(
  server: ServerProcess,
  next: () => Buffer,
): Promise<{ readonly perCpuSecond: number; readonly load: LoadResult }> {
  const before = server.readCpuSeconds()
  const load = await runLoad({ port: server.port, connections: 16, durationMs: ROUND_MS, next })
  return { perCpuSecond: load.requests / (server.readCpuSeconds() - before), load }
}

async function benchImport(stage: Stage, server: ServerProcess, set: IntelRows): Promise<Figure> {
  const rows = [...set.listings, ...set.taggings, ...set.sightings]
  const seconds = await pushSet({ port: server.port, token: stage.token }, set)
  const bareSeconds = await copyIntoBareTable(stage.pool, rows)
  return {
    name: `import of ${rows.length.toLocaleString('en')} rows over HTTP, durable and indexed`,
    ours: formatRate(rows.length / seconds, 'rows/s'),
    calibration: `COPY of the same bytes into a bare table ${formatRate(rows.length / bareSeconds, 'rows/s')}`,
    ratio: bareSeconds / seconds,
  }
}

// Look-ups and quick checks over HTTP with 1.08 M entries, and the import of those entries, each
// beside its calibration.

import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { findPackageRoot } from '../src/values/resources.ts'
import { generateIntelSet, generateQuestions } from './lib/intel-set.ts'
import { SERVER_CORE } from './lib/keep-apart.ts'
import { buildRequest, type LoadResult, readPercentile, runLoad } from './lib/load.ts'
import { type ServerProcess, startServerProcess } from './lib/process.ts'
import { pushRows, pushSet } from './lib/push-set.ts'
import { describeUnmeasured, runAtRate } from './lib/rate-load.ts'
import { type Figure, findMedian, formatRate, printFigures } from './lib/report.ts'
import type { Stage } from './lib/stage.ts'

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 1_080_000)
const SEED = 20_261_121
// Odd, so that the median is one of the values. Other load on the machine disturbs a few of them.
const ROUNDS = 7
const ROUND_MS = 3_000
const HALF_LOAD_MS = 10_000
const CHECK_ITEMS = 1_000
const SETTLE_MS = 15_000

export async function benchIntel(stage: Stage): Promise<void> {
  const set = generateIntelSet(ENTRIES, SEED, Date.now())
  const figures: Figure[] = []
  const importer = await stage.startServer(SERVER_CORE)
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
  const startedAt = performance.now()
  const server = await stage.startServer(SERVER_CORE)
  const readySeconds = (performance.now() - startedAt) / 1_000
  figures.push({
    name: 'ready after restart',
    ours: `${readySeconds.toFixed(2)} s`,
    calibration: '-',
    ratio: null,
  })
  try {
    figures.push(
      ...(await benchAnswers(server, set.items)),
      describeMemory('after restart and load', server),
    )
  } finally {
    await server.stop()
  }
  printFigures(`Intel, ${ENTRIES.toLocaleString('en')} entries`, figures)
}

// Every start after these has the same set plus this many entries.
const LATE_ENTRIES = 200_000

/**
 * How long a start takes that follows an import at once: after a stop, and after the process was
 * killed.
 */
async function benchRestarts(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [at, how] of (['stop', 'kill'] as const).entries()) {
    const server = await stage.startServer(SERVER_CORE)
    const late = generateIntelSet(LATE_ENTRIES, SEED + 31 + at, Date.now())
    await pushRows({ port: server.port, token: stage.token }, 'listings', late.listings)
    await pushRows({ port: server.port, token: stage.token }, 'sightings', late.sightings)
    const endedAt = performance.now()
    await server[how]()
    const endSeconds = (performance.now() - endedAt) / 1_000
    const startedAt = performance.now()
    const next = await stage.startServer(SERVER_CORE)
    const readySeconds = (performance.now() - startedAt) / 1_000
    await next.stop()
    const rows = late.listings.length + late.sightings.length
    figures.push({
      name: `ready after a ${how} right behind an import of ${rows.toLocaleString('en')} rows`,
      ours: `${readySeconds.toFixed(2)} s${how === 'stop' ? `, the stop ${endSeconds.toFixed(2)} s` : ''}`,
      calibration: '-',
      ratio: null,
    })
  }
  return figures
}

function describeMemory(when: string, server: ServerProcess): Figure {
  const ours = `${Math.round(server.readResidentBytes() / 1e6)} MB`
  return { name: `resident memory of the server ${when}`, ours, calibration: '-', ratio: null }
}

async function benchAnswers(server: ServerProcess, items: readonly string[]): Promise<Figure[]> {
  const { lookups, checks } = buildQuestions(items)
  const bare = await startServerProcess(
    [
      join(findPackageRoot(), 'bench/bare-server.ts'),
      String(await measureAnswerLength(server.port, items)),
    ],
    SERVER_CORE,
  )
  try {
    return [
      await compare(
        'GET /beta/query/{item}',
        server,
        bare,
        createCycle(lookups),
        'look-ups per CPU-second',
      ),
      await compare(
        'POST /beta/quick-check, 1,000 items',
        server,
        bare,
        createCycle(checks),
        'checks per CPU-second',
      ),
      await compareAtHalfLoad(server, bare, checks),
    ]
  } finally {
    await bare.stop()
  }
}

function buildQuestions(items: readonly string[]): {
  lookups: readonly Buffer[]
  checks: readonly Buffer[]
} {
  const lookups = generateQuestions(items, 20_000, SEED + 1).map((item) =>
    buildRequest('GET', `/beta/query/${encodeURIComponent(item)}`),
  )
  const checks = Array.from({ length: 100 }, (_, index) =>
    buildRequest(
      'POST',
      '/beta/quick-check',
      { 'content-type': 'application/json' },
      JSON.stringify(generateQuestions(items, CHECK_ITEMS, SEED + 2 + index)),
    ),
  )
  return { lookups, checks }
}

function createCycle(requests: readonly Buffer[]): () => Buffer {
  let index = 0
  return () => {
    index = (index + 1) % requests.length
    return requests[index] ?? Buffer.alloc(0)
  }
}

/** How long our answers to look-ups are on average, so that the bare server sends as much. */
async function measureAnswerLength(port: number, items: readonly string[]): Promise<number> {
  const questions = generateQuestions(items, 200, SEED + 9)
  let total = 0
  for (const item of questions) {
    const answer = await fetch(`http://127.0.0.1:${port}/beta/query/${encodeURIComponent(item)}`)
    total += (await answer.text()).length
  }
  return Math.round(total / questions.length)
}

async function compare(
  name: string,
  ours: ServerProcess,
  bare: ServerProcess,
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
async function compareAtHalfLoad(
  ours: ServerProcess,
  bare: ServerProcess,
  checks: readonly Buffer[],
): Promise<Figure> {
  const { load } = await measureRate(ours, createCycle(checks))
  const ratePerSecond = Math.round((load.requests / load.elapsedMs) * 500)
  const measureLatencies = async (server: ServerProcess): Promise<string> => {
    const result = await runAtRate({ port: server.port, requests: checks, ratePerSecond }, () =>
      delay(HALF_LOAD_MS),
    )
    const sorted = result.latenciesMs
    return `p50 ${readPercentile(sorted, 0.5).toFixed(1)} ms, p99 ${readPercentile(sorted, 0.99).toFixed(1)} ms (${sorted.length.toLocaleString('en')} answers; ${describeUnmeasured([result])})`
  }
  return {
    name: `the same at half load, ${ratePerSecond} checks a second`,
    ours: await measureLatencies(ours),
    calibration: `bare node:http at the same rate ${await measureLatencies(bare)}`,
    ratio: null,
  }
}

async function measureRate(
  server: ServerProcess,
  next: () => Buffer,
): Promise<{ perCpuSecond: number; load: LoadResult }> {
  const before = server.readCpuSeconds()
  const load = await runLoad({ port: server.port, connections: 16, durationMs: ROUND_MS, next })
  const wrong = Object.keys(load.statuses).filter((status) => status !== '200')
  if (wrong.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(load.statuses)}`)
  return { perCpuSecond: load.requests / (server.readCpuSeconds() - before), load }
}

async function benchImport(
  stage: Stage,
  server: ServerProcess,
  set: ReturnType<typeof generateIntelSet>,
): Promise<Figure> {
  const rowCount = set.listings.length + set.taggings.length + set.sightings.length
  const seconds = await pushSet({ port: server.port, token: stage.token }, set)
  const bareSeconds = await copyIntoBareTable(stage, [
    ...set.listings,
    ...set.taggings,
    ...set.sightings,
  ])
  return {
    name: `import of ${rowCount.toLocaleString('en')} rows over HTTP, durable and indexed`,
    ours: formatRate(rowCount / seconds, 'rows/s'),
    calibration: `COPY of the same bytes into a bare table ${formatRate(rowCount / bareSeconds, 'rows/s')}`,
    ratio: bareSeconds / seconds,
  }
}

/** Seconds that COPY takes for `rows` into a table of one text column without an index. */
export async function copyIntoBareTable(stage: Stage, rows: readonly string[]): Promise<number> {
  const client = await stage.pool.connect()
  try {
    await client.query('create table if not exists bench_bare (line text); truncate bench_bare')
    const startedAt = performance.now()
    await pipeline(
      Readable.from(chunkRows(rows)),
      client.query(copyFrom('copy bench_bare from stdin')),
    )
    return (performance.now() - startedAt) / 1_000
  } finally {
    await client.query('drop table if exists bench_bare')
    client.release()
  }
}

function* chunkRows(rows: readonly string[]): Generator<string> {
  for (let start = 0; start < rows.length; start += 1_000) {
    yield `${rows
      .slice(start, start + 1_000)
      .join('\n')
      .replaceAll('\\', '\\\\')}\n`
  }
}

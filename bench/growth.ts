// How the cost of a look-up and a check grows with the set: CPU per request from 1,000 entries on. Writes the chart of the documents.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPackageRoot } from '../src/kernel/resources.ts'
import { generateIntelSet, generateQuestions } from './lib/intel-set.ts'
import { buildRequest, runLoad } from './lib/load.ts'
import type { ServerProcess } from './lib/process.ts'
import { pushSet } from './lib/push-set.ts'
import { findMedian, printFigures } from './lib/report.ts'
import { openStage, type Stage } from './lib/stage.ts'

const SIZES = (process.env['BENCH_GROWTH_SIZES'] ?? '1000,10000,100000,1000000')
  .split(',')
  .map(Number)
const SEED = 20_261_121
const ROUNDS = 3
const ROUND_MS = 2_000

interface Point {
  readonly size: number
  readonly lookupMicros: number
  readonly checkMicros: number
  readonly residentMb: number
}

export async function benchGrowth(_stage: Stage): Promise<void> {
  const points: Point[] = []
  for (const size of SIZES) {
    // Each size gets a database of its own, so that nothing of the one before is left in memory.
    const stage = await openStage()
    try {
      points.push(await measure(stage, size))
    } finally {
      await stage.close()
    }
  }
  const first = points[0]
  printFigures(
    'Growth of cost with the set',
    points.map((point) => ({
      name: `${point.size.toLocaleString('en')} entries`,
      ours: `${point.lookupMicros.toFixed(1)} µs CPU a look-up, ${point.checkMicros.toFixed(0)} µs a check of 1,000, ${point.residentMb} MB resident`,
      calibration: 'the smallest set (ratio of checks)',
      ratio: first === undefined ? null : point.checkMicros / first.checkMicros,
    })),
  )
  const file = join(findPackageRoot(), 'docs/internals/growth.svg')
  writeFileSync(file, drawChart(points))
  console.log(`\nThe chart is in docs/internals/growth.svg.`)
}

async function measure(stage: Stage, size: number): Promise<Point> {
  const set = generateIntelSet(size, SEED, Date.now())
  const loader = await stage.startServer(0)
  await pushSet({ port: loader.port, token: stage.token }, set)
  await loader.stop()
  // A fresh start measures what a node holds, not what importing left behind.
  const server = await stage.startServer(0)
  try {
    const lookups = generateQuestions(set.items, 10_000, SEED + 1).map((item) =>
      buildRequest('GET', `/beta/query/${encodeURIComponent(item)}`),
    )
    const checks = Array.from({ length: 50 }, (_, index) =>
      buildRequest(
        'POST',
        '/beta/quick-check',
        { 'content-type': 'application/json' },
        JSON.stringify(generateQuestions(set.items, 1_000, SEED + 2 + index)),
      ),
    )
    return {
      size,
      lookupMicros: await measureMicros(server, lookups),
      checkMicros: await measureMicros(server, checks),
      residentMb: Math.round(server.readResidentBytes() / 1e6),
    }
  } finally {
    await server.stop()
  }
}

async function measureMicros(server: ServerProcess, requests: readonly Buffer[]): Promise<number> {
  const rounds: number[] = []
  let index = 0
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = server.readCpuSeconds()
    const load = await runLoad({
      port: server.port,
      connections: 8,
      durationMs: ROUND_MS,
      next: () => {
        index = (index + 1) % requests.length
        return requests[index] ?? Buffer.alloc(0)
      },
    })
    // The first round warms up.
    if (round > 0) rounds.push(((server.readCpuSeconds() - before) / load.requests) * 1e6)
  }
  return findMedian(rounds)
}

const WIDTH = 640
const HEIGHT = 320
const MARGIN = 56

function text(left: number, base: number, words: string, anchor = 'middle'): string {
  return `<text x="${left.toFixed(1)}" y="${base.toFixed(1)}" text-anchor="${anchor}">${words}</text>`
}

/** A line chart as SVG: sizes on a logarithmic axis, cost relative to the smallest set. */
function drawChart(points: readonly Point[]): string {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return ''
  const series = [
    {
      name: 'look-up',
      colour: '#1c7ed6',
      values: points.map((point) => point.lookupMicros / first.lookupMicros),
    },
    {
      name: 'check of 1,000',
      colour: '#e8590c',
      values: points.map((point) => point.checkMicros / first.checkMicros),
    },
  ]
  const top = Math.max(2, ...series.flatMap(({ values }) => values))
  const x = (size: number): number =>
    MARGIN +
    ((Math.log10(size) - Math.log10(first.size)) / Math.log10(last.size / first.size || 10)) *
      (WIDTH - 2 * MARGIN)
  const y = (value: number): number => HEIGHT - MARGIN - (value / top) * (HEIGHT - 2 * MARGIN)
  const lines = series.map(({ name, colour, values }, order) => {
    const path = values
      .map((value, index) => `${x(points[index]?.size ?? 1).toFixed(1)},${y(value).toFixed(1)}`)
      .join(' ')
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${path}"/><text x="${MARGIN + 8}" y="${MARGIN + 16 * order}" fill="${colour}">${name}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<title>Cost of a request by size of the set, relative to the smallest</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<line x1="${MARGIN}" y1="${y(0)}" x2="${WIDTH - MARGIN}" y2="${y(0)}" stroke="#868e96"/>
<line x1="${MARGIN}" y1="${y(1)}" x2="${WIDTH - MARGIN}" y2="${y(1)}" stroke="#dee2e6"/>
${text(MARGIN - 8, y(1) + 4, '1×', 'end')}${text(MARGIN - 8, y(0) + 4, '0', 'end')}${text(MARGIN - 8, y(top) + 4, `${top.toFixed(1)}×`, 'end')}
${points.map(({ size }) => text(x(size), HEIGHT - MARGIN + 18, size.toLocaleString('en'))).join('')}
${text(WIDTH / 2, HEIGHT - 12, 'entries')}
${lines.join('\n')}
</svg>
`
}

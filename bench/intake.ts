// Reading reports: mails a second of one core through the readers, and what hostile mails cost: the stall of the thread that serves while
// each is read in the pool, the time until it is read or given up, and the memory of the process beyond what it had before.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Registry } from 'prom-client'
import { readReportBytes } from '../src/casework/intake/read-bytes.ts'
import type { ReportContext } from '../src/casework/intake/report.ts'
import { createReadingMetrics } from '../src/casework/intake/worker/reading-metrics.ts'
import { openReadingPool, type ReadingPool } from '../src/casework/intake/worker/reading-pool.ts'
import { silentLog } from '../src/kernel/log.ts'
import { HOSTILE_MAILS, type HostileMail } from '../test/fixtures/hostile-mail.ts'
import { listReportCases } from '../test/report-cases.ts'
import { printFigures } from './lib/report.ts'

const SECONDS = 5
const WARM_UP_ROUNDS = 5
const MEBIBYTE = 2 ** 20

export async function benchIntake(): Promise<void> {
  printFigures('Reports through the readers, one core', [measureReaders()])
  const pool = openReadingPool({
    size: 1,
    log: silentLog,
    metrics: createReadingMetrics(new Registry()),
  })
  try {
    const costs: Cost[] = []
    // One after the other, so that each is seen alone.
    // oxlint-disable-next-line eslint/no-await-in-loop
    for (const hostile of HOSTILE_MAILS) costs.push(await measureHostile(pool, hostile))
    printFigures('Hostile mails, each in the pool', costs.map(describe))
    const worst = Math.max(...costs.map(({ stallMs }) => stallMs))
    console.log(`Worst stall of the serving thread over all of them: ${worst.toFixed(1)} ms`)
  } finally {
    await pool.close()
  }
}

function measureReaders(): Parameters<typeof printFigures>[1][number] {
  const cases = listReportCases()
  const readAll = (): void => {
    for (const { bytes, context } of cases) void readReportBytes(bytes, context)
  }
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) readAll()
  const startedAt = performance.now()
  let rounds = 0
  while (performance.now() - startedAt < SECONDS * 1_000) {
    readAll()
    rounds += 1
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const bytes = cases.reduce((sum, each) => sum + each.bytes.length, 0) / cases.length
  return {
    name: `the ${cases.length} reports of test/testdata, ${(bytes / 1_000).toFixed(1)} kB on average`,
    ours: `${Math.round((rounds * cases.length) / seconds).toLocaleString('en')} mails/s`,
    calibration: 'floor 200 mails/s',
    ratio: null,
  }
}

interface Cost {
  readonly name: string
  readonly megabytes: number
  readonly ms: number
  readonly stallMs: number
  readonly memoryMb: number
  readonly end: string
}

async function measureHostile(pool: ReadingPool, { name, make }: HostileMail): Promise<Cost> {
  const context: ReportContext = {
    receivedAtMs: Date.parse('2026-03-02T12:00:00Z'),
    mediaType: 'message/rfc822',
    fallbackReporter: null,
  }
  const bytes = make()
  const before = process.memoryUsage().rss
  let peak = before
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  // The making of the bytes is not to be seen in it.
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  delay.enable()
  const startedAt = performance.now()
  const result = await pool.read(bytes, context)
  const ms = performance.now() - startedAt
  await new Promise((resolve) => {
    setTimeout(resolve, 20)
  })
  delay.disable()
  clearInterval(sampler)
  const reason = 'reason' in result ? result.reason : `read as ${result.format}`
  return {
    name,
    megabytes: bytes.length / MEBIBYTE,
    ms,
    stallMs: delay.max / 1e6,
    memoryMb: (peak - before) / MEBIBYTE,
    end: reason,
  }
}

function describe(cost: Cost): Parameters<typeof printFigures>[1][number] {
  const { name, megabytes, ms, stallMs, memoryMb, end } = cost
  return {
    name: `${name} (${megabytes.toFixed(1)} MB)`,
    ours: `${ms.toFixed(0)} ms, stall ${stallMs.toFixed(1)} ms, ${memoryMb.toFixed(0)} MB`,
    calibration: end,
    ratio: null,
  }
}

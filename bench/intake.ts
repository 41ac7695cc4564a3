// Reading reports: mails a second of one core through the readers, and what hostile mails cost: the
// stall of the thread that serves while each is read in the pool, the time until it is read or
// given up, and the memory of the process beyond what it had before.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { createReadingMetrics } from '../src/casework/reports/reading/reading-metrics.ts'
import { openReadingPool, type ReadingPool } from '../src/casework/reports/reading/reading-pool.ts'
import { silentLog } from '../src/kernel/log.ts'
import { readReportBytes } from '../src/reader/read-report.ts'
import type { ReportContext } from '../src/reader/reading.ts'
import { HOSTILE_MAILS, type HostileMail } from '../test/fixtures/hostile-mail.ts'
import { listReportCases } from '../test/report-cases.ts'
import { LOG_KINDS, makeLogMail } from './lib/log-mails.ts'
import { type Figure, printFigures } from './lib/report.ts'

const SECONDS = 3
const WARM_UP_ROUNDS = 5
const MEBIBYTE = 2 ** 20

const CONTEXT: ReportContext = {
  receivedAtMs: Date.parse('2026-03-02T12:00:00Z'),
  mediaType: 'message/rfc822',
  fallbackReporter: null,
}

export async function benchIntake(): Promise<void> {
  const cases = listReportCases()
  const bytes = cases.reduce((sum, each) => sum + each.bytes.length, 0) / cases.length
  printFigures('Reports through the readers, by the processor time of one core', [
    measureReaders(
      `the ${cases.length} reports of test/testdata, ${(bytes / 1_000).toFixed(1)} kB on average`,
      cases,
    ),
    ...LOG_KINDS.map(({ name, line }) =>
      measureReaders(`20 kB of lines ${name}`, [{ bytes: makeLogMail(line), context: CONTEXT }]),
    ),
  ])
  const pool = openReadingPool({
    size: 1,
    log: silentLog,
    metrics: createReadingMetrics(new Registry()),
  })
  try {
    const costs: Cost[] = []
    for (const hostile of HOSTILE_MAILS) costs.push(await measureHostile(pool, hostile))
    printFigures('Hostile mails, each in the pool', costs.map(describe))
    const worst = Math.max(...costs.map(({ stallMs }) => stallMs))
    console.log(`Worst stall of the serving thread over all of them: ${worst.toFixed(1)} ms`)
  } finally {
    await pool.close()
  }
}

interface RawReport {
  readonly bytes: Uint8Array
  readonly context: ReportContext
}

// By processor time, so that other processes of the machine do not count.
function measureReaders(name: string, reports: readonly RawReport[]): Figure {
  const readAll = (): void => {
    for (const { bytes, context } of reports) void readReportBytes(bytes, context)
  }
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) readAll()
  const startedAt = process.cpuUsage()
  const secondsSpent = (): number => {
    const { user, system } = process.cpuUsage(startedAt)
    return (user + system) / 1e6
  }
  let rounds = 0
  while (secondsSpent() < SECONDS) {
    readAll()
    rounds += 1
  }
  return {
    name: `${name} (aim: 200 mails/s)`,
    ours: `${Math.round((rounds * reports.length) / secondsSpent()).toLocaleString('en')} mails/s`,
    calibration: '-',
    ratio: null,
  }
}

interface Cost {
  readonly name: string
  readonly megabytes: number
  readonly ms: number
  readonly stallMs: number
  readonly memoryMb: number
  /** How the reading ended. */
  readonly end: string
}

async function measureHostile(pool: ReadingPool, { name, make }: HostileMail): Promise<Cost> {
  const bytes = make()
  const before = process.memoryUsage().rss
  let peak = before
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  const stall = monitorEventLoopDelay({ resolution: 1 })
  // The loop was held up while the bytes were built; that is over before the stall is measured.
  await delay(50)
  stall.enable()
  const startedAt = performance.now()
  const result = await pool.read(bytes, CONTEXT)
  const ms = performance.now() - startedAt
  // The last turns of the loop are noted.
  await delay(20)
  stall.disable()
  clearInterval(sampler)
  const reason = 'reason' in result ? result.reason : `read as ${result.format}`
  return {
    name,
    megabytes: bytes.length / MEBIBYTE,
    ms,
    stallMs: stall.max / 1e6,
    memoryMb: (peak - before) / MEBIBYTE,
    end: reason,
  }
}

function describe(cost: Cost): Figure {
  const { name, megabytes, ms, stallMs, memoryMb, end } = cost
  return {
    name: `${name} (${megabytes.toFixed(1)} MB)`,
    ours: `${ms.toFixed(0)} ms, stall ${stallMs.toFixed(1)} ms, ${memoryMb.toFixed(0)} MB: ${end}`,
    calibration: '-',
    ratio: null,
  }
}

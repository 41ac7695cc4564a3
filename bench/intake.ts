// Reading reports: mails a second of one core through the readers, and what hostile mails cost: the
// stall of the thread that serves while each is read in the pool, the time until it is read or
// given up, and the memory of the process beyond what it had before.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Registry } from 'prom-client'
import { createReadingMetrics } from '../src/casework/reports/reading/reading-metrics.ts'
import { openReadingPool, type ReadingPool } from '../src/casework/reports/reading/reading-pool.ts'
import { silentLog } from '../src/kernel/log.ts'
import { readReportBytes } from '../src/reader/read-report.ts'
import type { ReportContext } from '../src/reader/reading.ts'
import { HOSTILE_MAILS, type HostileMail } from '../test/fixtures/hostile-mail.ts'
import { listReportCases } from '../test/report-cases.ts'
import { printFigures } from './lib/report.ts'

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
    ...LOG_MAILS.map(({ name, line }) =>
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
    // One after the other, so that each is measured alone.
    // oxlint-disable-next-line eslint/no-await-in-loop
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

// Processor time, so that other processes of the machine do not count.
function measureReaders(
  name: string,
  reports: readonly RawReport[],
): Parameters<typeof printFigures>[1][number] {
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
    name,
    ours: `${Math.round((rounds * reports.length) / secondsSpent()).toLocaleString('en')} mails/s`,
    calibration: 'floor 200 mails/s',
    ratio: null,
  }
}

const MAIL_LENGTH = 20_000

interface LogLine {
  readonly name: string
  readonly line: (index: number, clock: string) => string
}

const LOG_MAILS: readonly LogLine[] = [
  {
    name: 'of sshd',
    line: (index, clock) =>
      `Mar  2 ${clock} mail sshd[${20_000 + ((index * 7) % 9_000)}]: Failed password for invalid user ${['root', 'admin', 'git'][index % 3]} from 203.0.113.45 port ${40_000 + index} ssh2`,
  },
  {
    name: 'of a web server',
    line: (index, clock) =>
      `203.0.113.45 - - [02/Mar/2026:${clock} +0100] "GET /${['wp-login.php', '.env', `luci?x=${index}`][index % 3]} HTTP/1.1" 404 ${(index * 31) % 9_000} "-" "Mozilla/5.0 (X11; Linux x86_64) Chrome/${90 + (index % 30)}.0.${index % 5_000}.1"`,
  },
  {
    name: 'of a packet filter',
    line: (index, clock) =>
      `2026-03-02T${clock}Z fw kernel: DROP IN=eth0 SRC=203.0.113.45 DST=198.51.100.${index % 250} LEN=40 TTL=${index % 250} PROTO=TCP SPT=${40_000 + index} DPT=${[22, 23, 443][index % 3]} SYN`,
  },
  {
    name: 'of sshd, with other words in each',
    line: (index, clock) => {
      const what = [
        `Failed password for invalid user ${nameOf(index)} from`,
        `Invalid user ${nameOf(index)} from`,
        `Connection closed by invalid user ${nameOf(index)}`,
        `Received disconnect from`,
      ][index % 4]
      return `Mar  2 ${clock} mail sshd[${20_000 + ((index * 7) % 9_000)}]: ${what} 203.0.113.45 port ${40_000 + index} [preauth]`
    },
  },
  {
    name: 'of a web server, with a path of its own each',
    line: (index, clock) =>
      `203.0.113.45 - - [02/Mar/2026:${clock} +0100] "GET /${nameOf(index)}/${nameOf(index * 7)}.${['php', 'env', 'sql', 'zip'][index % 4]}${index % 3 === 0 ? `?${nameOf(index * 3)}=1` : ''} HTTP/1.1" 404 ${(index * 31) % 9_000} "-" "${AGENTS[index % AGENTS.length]}"`,
  },
  {
    name: 'of a packet filter, with other hardware addresses',
    line: (index, clock) =>
      `Mar  2 ${clock} fw kernel: [UFW BLOCK] IN=eth0 MAC=52:54:00:${hexOf(index)}:${hexOf(index * 7)}:fe:${hexOf(index * 3)}:08:00 SRC=203.0.113.45 DST=198.51.100.${index % 250} LEN=40 TTL=${index % 250} PROTO=TCP SPT=${40_000 + index} DPT=${[22, 23, 443][index % 3]} SYN`,
  },
  {
    name: 'of prose, with two addresses each',
    line: (index, clock) =>
      `At ${clock} the host 203.0.113.${index % 250} tried ${nameOf(index)} and ${nameOf(index * 5)} on our mail server, as did 203.0.113.${(index * 3) % 250}.`,
  },
  {
    name: 'with an address of its own each',
    line: (index, clock) =>
      `2026-03-02 ${clock} UTC 203.0.113.${index % 200} -> 198.51.100.7:${[22, 80, 443][index % 3]} TCP SYN attempt`,
  },
]

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) Chrome/91.0.4472.114 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; rv:109.0) Gecko/20100101 Firefox/115.0',
  'python-requests/2.28.1',
  'curl/7.88.1',
]

/** A word of three to eight letters; most numbers have one of their own. */
function nameOf(number: number): string {
  const letters = Array.from({ length: 3 + (number % 6) }, (_, at) =>
    String.fromCodePoint(0x61 + ((number * 31 + at * at * 17 + (number >> at)) % 26)),
  )
  return letters.join('')
}

function hexOf(number: number): string {
  return ((number * 37) % 256).toString(16).padStart(2, '0')
}

function makeLogMail(line: LogLine['line']): Uint8Array {
  const head =
    'From: Abuse Desk <desk@reporter.example>\r\nTo: abuse@provider.example\r\nSubject: Abuse from 203.0.113.45\r\nDate: Mon, 2 Mar 2026 11:00:00 +0100\r\nMessage-ID: <1@reporter.example>\r\n\r\nThe address 203.0.113.45 of your network attacked our servers. Lines of our log:\r\n\r\n'
  const lines: string[] = []
  let length = head.length
  for (let index = 0; length < MAIL_LENGTH; index += 1) {
    const clock = new Date(8 * 3_600_000 + index * 3_000).toISOString().slice(11, 19)
    const next = line(index, clock)
    lines.push(next)
    length += next.length + 2
  }
  return Buffer.from(`${head}${lines.join('\r\n')}\r\n`)
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
  const bytes = make()
  const before = process.memoryUsage().rss
  let peak = before
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  // The time to build the bytes is not included.
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  delay.enable()
  const startedAt = performance.now()
  const result = await pool.read(bytes, CONTEXT)
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

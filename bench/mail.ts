// Report mail by SMTP, durable before each acknowledgement, and how soon all of it is read.

import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { NOT_READ_YET } from '../src/casework/reports/report-tables.ts'
import { findFreePort } from '../test/loopback.ts'
import { measureSyncs } from './lib/calibrations.ts'
import { createRandom } from './lib/random.ts'
import { type Figure, formatRate, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'

const MAILS = readCount('BENCH_MAILS', 2_000)
const MAIL_BYTES = 20_000
const CONNECTIONS = 10
const SEED = 11
const REPLY_TIMEOUT_MS = 60_000
const READ_TIMEOUT_MS = 600_000
const READ_POLL_MS = 50

export async function benchMail(stage: Stage): Promise<void> {
  const port = await findFreePort()
  const server = await stage.startServer({
    CASEWORK_SMTP_PORT: String(port),
    CASEWORK_SMTP_RATE_LIMIT: '0',
    CASEWORK_MAIL_AUTHENTICATION: 'off',
  })
  try {
    const cpuBefore = server.readCpuSeconds()
    const startedAt = performance.now()
    await sendAll(port)
    const seconds = (performance.now() - startedAt) / 1_000
    const stored = await stage.pool.query<{ count: string }>(
      `select count(*) from report where via = 'smtp'`,
    )
    if (Number(stored.rows[0]?.count) !== MAILS) throw new Error('acknowledged mails are missing')
    await waitUntilAllRead(stage)
    const readSeconds = (performance.now() - startedAt) / 1_000
    const cpuMs = ((server.readCpuSeconds() - cpuBefore) * 1_000) / MAILS
    const syncRate = measureSyncs(stage, MAIL_BYTES)
    const calibration = `raw loop of 20 kB writes with fdatasync ${formatRate(syncRate, '/s')}`
    const figures: Figure[] = [
      {
        name: `SMTP, mails of 20 kB, ${CONNECTIONS} connections, durable before the answer`,
        ours: formatRate(MAILS / seconds, 'mails/s'),
        calibration,
        ratio: MAILS / seconds / syncRate,
      },
      {
        name: `the same, until every mail was read as well (${cpuMs.toFixed(1)} ms of the server's processor time a mail)`,
        ours: formatRate(MAILS / readSeconds, 'mails/s'),
        calibration,
        ratio: MAILS / readSeconds / syncRate,
      },
    ]
    printFigures(`Report mail, ${MAILS.toLocaleString('en')} of them`, figures)
  } finally {
    await server.stop()
  }
}

async function sendAll(port: number): Promise<void> {
  const random = createRandom(SEED)
  const mails = Array.from({ length: MAILS }, (_, index) =>
    buildMail(index, random.integer(65_536)),
  )
  await Promise.all(Array.from({ length: CONNECTIONS }, () => sendOver(port, mails)))
}

/** Takes mails out of the list and sends them over one connection until there are none. */
async function sendOver(port: number, mails: string[]): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', timeout: REPLY_TIMEOUT_MS })
  socket.on('timeout', () => socket.destroy(new Error('the server does not reply')))
  // The lines end then, which `hear` tells.
  let cause: Error | null = null
  socket.on('error', (error) => {
    cause = error
  })
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const hear = async (code: string): Promise<void> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('the connection is closed', { cause })
      // The last line of a reply has a space behind its code.
      if (value[3] === ' ' && !value.startsWith(code)) throw new Error(value)
      if (value[3] === ' ') return
    }
  }
  await hear('220')
  socket.write('EHLO bench.example\r\n')
  await hear('250')
  for (let mail = mails.pop(); mail !== undefined; mail = mails.pop()) {
    socket.write('MAIL FROM:<bounce@reporter.example>\r\nRCPT TO:<abuse@example.org>\r\nDATA\r\n')
    for (const code of ['250', '250', '354']) await hear(code)
    socket.write(`${mail}\r\n.\r\n`)
    await hear('250')
  }
  socket.end('QUIT\r\n')
}

/** A complaint in plain words with a long log behind it. */
function buildMail(index: number, host: number): string {
  const ip = `198.51.${100 + (host >> 15)}.${host & 255}`
  const head = [
    'From: Abuse team <reports@reporter.example>',
    'To: abuse@example.org',
    `Subject: SSH brute force from ${ip}`,
    'Date: Sun, 01 Mar 2026 10:05:00 +0000',
    `Message-ID: <bench-${index}@reporter.example>`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `The address ${ip} tried to log in to our servers by SSH. The log:`,
    '',
  ].join('\r\n')
  const line = `2026-03-01T10:00:00Z sshd[411]: Failed password for root from ${ip} port 40222 ssh2\r\n`
  return head + line.repeat(Math.ceil((MAIL_BYTES - head.length) / line.length))
}

async function waitUntilAllRead(stage: Stage): Promise<void> {
  const endMs = performance.now() + READ_TIMEOUT_MS
  for (;;) {
    const { rows } = await stage.pool.query<{ count: string }>(
      'select count(*) from report where reason = $1',
      [NOT_READ_YET],
    )
    if (Number(rows[0]?.count) === 0) return
    if (performance.now() > endMs) throw new Error('mails were not read in time')
    await delay(READ_POLL_MS)
  }
}

// Mailboxes that are refused: on a host that is not allowed, and behind an unknown certificate. The
// tests with a real server are in mailbox.peer.ts.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { createServer, type Server } from 'node:tls'
import { withApp } from '../../../../test/harness.ts'
import { until } from '../../../../test/mail-kit.ts'
import { silentLog } from '../../../kernel/log.ts'
import { createMailMetrics, type MailMetrics } from './mail-metrics.ts'
import { startMailbox } from './mailbox.ts'
import { makeCertificate } from './own-certificate.ts'
import { createReadingQueue } from './reading-queue.ts'

let metrics: MailMetrics
let server: Server
let port: number
let connections = 0
let dataEvents = 0
after(() => {
  server.close()
})
const app = withApp({}, async () => {
  metrics = createMailMetrics(app.services.foundation.metrics)
  server = createServer(makeCertificate('localhost', Date.now()), (socket) => {
    socket.on('data', () => {
      dataEvents += 1
    })
    socket.on('error', () => undefined)
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
  })
  server.on('connection', () => {
    connections += 1
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})

async function pullUntil(pattern: RegExp, host: string, allow: readonly string[]): Promise<void> {
  const { config } = app.services.foundation
  const { reports } = app.services.casework
  const reading = createReadingQueue(reports, metrics)
  const mailbox = startMailbox(
    {
      ...reports,
      log: silentLog,
      config: {
        ...config,
        imapUrl: `imaps://reports@${host}:${port}/INBOX`,
        imapPassword: 'not a secret',
        outboundAllow: allow,
      },
    },
    { reports, reading, metrics, log: silentLog, storeMs: 20_000 },
    { authorities: makeCertificate('localhost', Date.now()).cert },
  )
  assert.ok(mailbox !== null)
  try {
    await until(async () => {
      const { state, detail } = mailbox.check()
      return pattern.test(`${state} ${detail}`) ? true : null
    })
  } finally {
    await mailbox.close()
    await reading.close()
  }
}

test('degraded, and not even connected to: a host of the own network that is not opened', async () => {
  await pullUntil(/^degraded .*CASEWORK_OUTBOUND_ALLOW=127\.0\.0\.1:/, '127.0.0.1', [])
  assert.equal(connections, 0)
})

test('degraded, and nothing is sent, for an unknown certificate', async () => {
  await pullUntil(/^degraded .*(certificate|self-signed)/i, 'localhost', [`localhost:${port}`])
  assert.ok(connections > 0)
  assert.equal(dataEvents, 0)
})

// Mailboxes that are refused: on a host that is not allowed, and behind an unknown certificate; and
// a server that gives no mail. The tests with a real server are in mailbox.peer.ts.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { withApp } from '../../../../test/harness.ts'
import { waitFor } from '../../../../test/wait.ts'
import { silentLog } from '../../../kernel/log.ts'
import { createMailMetrics, type MailMetrics } from './mail-metrics.ts'
import { startMailbox } from './mailbox.ts'
import { makeCertificate } from './own-certificate.ts'
import { createReadingQueue } from './reading-queue.ts'

const CERTIFICATE = makeCertificate('localhost', Date.now())

let metrics: MailMetrics
let server: Server
let port: number
let connections = 0
const commands: string[] = []
/** What the only mail of the mailbox is said to be, and the flags that the server keeps. */
let told = { bytes: 100, flags: '' }
after(() => {
  server.close()
})
const app = withApp({}, async () => {
  metrics = createMailMetrics(app.services.foundation.metrics)
  server = createServer(CERTIFICATE, (socket) => {
    socket.on('error', () => undefined)
    serveImap(socket)
  })
  server.on('connection', () => {
    connections += 1
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})

/** A mailbox with one mail, whose size can be fetched and whose content cannot (RFC 9051). */
function serveImap(socket: TLSSocket): void {
  socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n')
  let idleTag = ''
  const lines = createInterface(socket)
  // It tells of the errors of the socket as well: a client that leaves at once resets it.
  lines.on('error', () => undefined)
  lines.on('line', (line) => {
    commands.push(line)
    const [tag = '', ...words] = line.split(' ')
    if (tag === 'DONE') socket.write(`${idleTag} OK done\r\n`)
    else if (words[0] === 'IDLE') {
      idleTag = tag
      socket.write('+ idling\r\n')
    } else socket.write(`${answerImap(words.join(' '))}${tag} OK done\r\n`)
  })
}

function answerImap(command: string): string {
  if (command.startsWith('LIST')) return '* LIST () "/" INBOX\r\n'
  if (command.startsWith('SELECT')) {
    return `* 1 EXISTS\r\n* OK [PERMANENTFLAGS (${told.flags})] kept\r\n* OK [UIDVALIDITY 1] valid\r\n`
  }
  if (command.startsWith('UID SEARCH')) return '* SEARCH 7\r\n'
  if (/^UID FETCH .*RFC822\.SIZE/.test(command)) {
    return `* 1 FETCH (UID 7 RFC822.SIZE ${told.bytes})\r\n`
  }
  return command.startsWith('UID FETCH') ? '* 1 FETCH (UID 7 FLAGS ())\r\n' : ''
}

interface Pull {
  readonly host?: string
  readonly allow?: readonly string[]
  readonly authority?: string
}

/** Pulls until `look` gives something that is not null. */
async function pullUntil(
  { host = 'localhost', allow = [`localhost:${port}`], authority = CERTIFICATE.cert }: Pull,
  look: (state: string) => true | null,
): Promise<void> {
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
    { authorities: authority },
  )
  assert.ok(mailbox !== null)
  try {
    await waitFor(async () => {
      const { state, detail } = mailbox.check()
      return look(`${state} ${detail}`)
    })
  } finally {
    await mailbox.close()
    await reading.close()
  }
}

function matches(pattern: RegExp): (state: string) => true | null {
  return (state) => (pattern.test(state) ? true : null)
}

test('degraded, and not even connected to: a host of the own network that is not opened', async () => {
  const refused = matches(/^degraded .*CASEWORK_OUTBOUND_ALLOW=127\.0\.0\.1:/)
  await pullUntil({ host: '127.0.0.1', allow: [] }, refused)
  assert.equal(connections, 0)
})

test('degraded, and nothing is sent, for an unknown certificate', async () => {
  const authority = makeCertificate('localhost', Date.now()).cert
  await pullUntil({ authority }, matches(/^degraded .*(certificate|self-signed)/i))
  assert.ok(connections > 0)
  assert.deepEqual(commands, [])
})

for (const [name, mail] of [
  ['gives no content', { bytes: 100, flags: String.raw`\Seen \Flagged` }],
  ['is too large, on a server that keeps no flags,', { bytes: 1e9, flags: '' }],
] as const) {
  test(`a mail that ${name} is not asked for without a pause: the session waits for new mail`, async () => {
    told = mail
    commands.length = 0
    await pullUntil({}, () => (commands.some((line) => line.endsWith(' IDLE')) ? true : null))
    const asked = commands.filter((line) => line.includes('RFC822.SIZE'))
    assert.equal(asked.length, 1, commands.join('\n'))
  })
}

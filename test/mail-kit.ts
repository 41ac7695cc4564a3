// Mail in a test: the program's mail channels over real sockets on loopback, made-up mails, and a
// client that speaks SMTP line by line.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { buildMailDeps } from '../src/app/open-casework.ts'
import {
  type MailChannels,
  openMailChannels,
} from '../src/casework/reports/mail/open-mail-channels.ts'
import type { AnswerFields } from './answer-fields.ts'
import type { TestApp } from './harness.ts'
import { waitFor } from './wait.ts'

export interface MailApp {
  readonly channels: MailChannels
  readonly port: number
  readonly close: () => Promise<void>
}

/**
 * The mail channels of an app of the harness, as its settings have them. Close them before the app.
 */
export async function openMail(app: TestApp): Promise<MailApp> {
  const channels = await openMailChannels(buildMailDeps(app.services.casework))
  return { channels, port: channels.smtpPort() ?? channels.lmtpPort() ?? 0, close: channels.close }
}

export const REPORT_TEXT = `Hello,

the address 198.51.100.23 tried to log in to our servers by SSH with wrong passwords:

2026-03-01T10:00:00Z sshd: Failed password for root from 198.51.100.23 port 40222 ssh2

Regards, the abuse team
`

/** A mail with CRLF line ends. */
export function buildMail(id: string, body = REPORT_TEXT): string {
  return [
    'From: Abuse team <reports@reporter.example>',
    'To: abuse@example.org',
    'Subject: SSH brute force from 198.51.100.23',
    'Date: Sun, 01 Mar 2026 10:05:00 +0000',
    `Message-ID: <${id}@reporter.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...body.split('\n'),
  ].join('\r\n')
}

export interface SmtpClient {
  readonly socket: Socket
  /** Sends a line; the reply to it, all its lines. */
  readonly say: (line: string) => Promise<string>
  /** The next reply, without saying anything. */
  readonly hear: () => Promise<string>
  /** MAIL, RCPT for each recipient and DATA, which the server must accept. */
  readonly begin: (to?: readonly string[], from?: string) => Promise<void>
  /** A whole mail; the reply to its end. */
  readonly sendMail: (mail: string, to?: readonly string[]) => Promise<string>
  /** Sends the text and the dot after DATA; the reply. `hear` gives further ones, as LMTP has. */
  readonly endMail: (mail: string) => Promise<string>
  readonly close: () => void
}

/** Connects, hears the greeting and says hello. */
export async function connectSmtp(
  port: number,
  hello = 'EHLO client.example',
): Promise<SmtpClient> {
  const client = openClient(connect(port, '127.0.0.1'))
  assert.match(await client.hear(), /^220 /)
  assert.match(await client.say(hello), /^250[ -]/)
  return client
}

/** The client over an open connection, such as an encrypted one. */
export function openClient(socket: Socket): SmtpClient {
  const replies = readReplies(socket)
  const hear = async (): Promise<string> => {
    const next = await replies.next()
    assert.equal(next.done, false, 'the server closed the connection')
    return next.value
  }
  const say = (line: string): Promise<string> => {
    socket.write(`${line}\r\n`)
    return hear()
  }
  const begin: SmtpClient['begin'] = async (
    to = ['abuse@example.org'],
    from = 'bounce@reporter.example',
  ) => {
    assert.match(await say(`MAIL FROM:<${from}>`), /^250 /)
    for (const address of to) assert.match(await say(`RCPT TO:<${address}>`), /^250 /)
    assert.match(await say('DATA'), /^354 /)
  }
  const endMail = (mail: string): Promise<string> => {
    socket.write(`${mail.replaceAll(/^\./gm, '..')}\r\n.\r\n`)
    return hear()
  }
  return {
    socket,
    say,
    hear,
    begin,
    endMail,
    async sendMail(mail, to) {
      await begin(to)
      return await endMail(mail)
    },
    close: () => socket.destroy(),
  }
}

// Otherwise a test that awaits a reply would hold its group until the timeout of the file.
const SILENCE_MS_MAX = 120_000

/** Reply by reply, of one or more lines each (RFC 5321 section 4.2.1). */
async function* readReplies(socket: Socket): AsyncGenerator<string, never> {
  let rest = ''
  const chunks: string[] = []
  let wake: (() => void) | null = null
  let isClosed = false
  socket.setEncoding('utf8')
  socket.on('data', (chunk: unknown) => {
    chunks.push(String(chunk))
    wake?.()
  })
  let failure = new Error('the server closed the connection')
  socket.on('error', (error) => {
    failure = error
  })
  socket.on('close', () => {
    isClosed = true
    wake?.()
  })
  socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy(new Error('the server says nothing more')))
  for (;;) {
    const reply = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(rest)?.[0]
    if (reply !== undefined) {
      rest = rest.slice(reply.length)
      yield reply
      continue
    }
    if (chunks.length === 0) {
      if (isClosed) throw failure
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    rest += chunks.splice(0).join('')
  }
}

export async function whenClosed(client: SmtpClient): Promise<void> {
  if (!client.socket.closed) await once(client.socket, 'close')
}

const UNREAD = 'The report has not been read yet.'

/** The reports of the token's tenant, newest first, in full. */
export async function listReports(app: TestApp, token: string): Promise<readonly AnswerFields[]> {
  const path = '/beta/casework/reports'
  const { items } = (await app.send('GET', `${path}?limit=100`, { token })).json()
  const details: AnswerFields[] = []
  for (const { report_id: id } of items) {
    details.push((await app.send('GET', `${path}/${id}`, { token })).json())
  }
  return details
}

/** The report of this Message-ID (without its domain) as soon as it was read. */
export function whenRead(app: TestApp, token: string, id: string): Promise<AnswerFields> {
  return waitFor(async () => {
    const reports = await listReports(app, token)
    const found = reports.find((report) => report.message_id === `<${id}@reporter.example>`)
    return found === undefined || found.reason === UNREAD ? null : found
  }, `the reading of ${id}`)
}

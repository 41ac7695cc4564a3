// A mailbox on a real Dovecot, pulled, with the server stopped, the certificate unknown and two
// nodes at once.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Dovecot, openDovecot } from '../../../../test/fixtures/dovecot.ts'
import { withApp } from '../../../../test/harness.ts'
import { buildMail, listReports, whenRead } from '../../../../test/mail-kit.ts'
import { query } from '../../../../test/playbook-fixtures.ts'
import { waitFor, waitUntil } from '../../../../test/wait.ts'
import { silentLog } from '../../../kernel/log.ts'
import type { MailIngest } from './keep-mail.ts'
import { createMailMetrics, type MailMetrics } from './mail-metrics.ts'
import { type Mailbox, type MailboxOptions, startMailbox } from './mailbox.ts'
import { makeCertificate } from './own-certificate.ts'
import { createReadingQueue, type ReadingQueue } from './reading-queue.ts'

let dovecot: Dovecot
let metrics: MailMetrics
let reading: ReadingQueue
after(async () => {
  await reading.close()
  await dovecot.stop()
})
const app = withApp({ environment: { CASEWORK_MAIL_AUTHENTICATION: 'off' } }, async () => {
  dovecot = await openDovecot()
  metrics = createMailMetrics(app.services.foundation.metrics)
  reading = createReadingQueue(app.services.casework.reports, metrics)
})

interface Change extends MailboxOptions {
  readonly moveTo?: string
  readonly url?: string
  readonly allow?: readonly string[]
}

function intake(): MailIngest {
  const { reports } = app.services.casework
  return { reports, reading, metrics, log: silentLog, storeMs: 20_000 }
}

function start({ moveTo, url, allow, ...options }: Change = {}): Mailbox {
  const config = {
    ...app.services.foundation.config,
    imapUrl: url ?? dovecot.url,
    imapPassword: dovecot.password,
    imapMoveTo: moveTo ?? null,
    outboundAllow: allow ?? [`localhost:${dovecot.port}`],
  }
  const mailbox = startMailbox(
    { ...app.services.casework.reports, config, log: silentLog },
    intake(),
    {
      authorities: dovecot.authority,
      pauseMaxMs: 1_000,
      leaseSeconds: 6,
      ...options,
    },
  )
  assert.ok(mailbox !== null)
  return mailbox
}

function put(id: string, body?: string): Promise<unknown> {
  return dovecot.visit((client) => client.append('INBOX', buildMail(id, body)))
}

function countIn(folder: string, seen?: boolean): Promise<number> {
  return dovecot.visit(async (client) => {
    await client.mailboxOpen(folder)
    const found = await client.search(seen === undefined ? { all: true } : { seen })
    return found ? found.length : 0
  })
}

function whenState(mailbox: Mailbox, pattern: RegExp): Promise<string> {
  return waitFor(async () => {
    const { state, detail } = mailbox.check()
    return pattern.test(`${state} ${detail}`) ? detail : null
  })
}

test('mails that are there and one that comes later are kept, read and marked as read', async () => {
  await put('imap-1')
  await put('imap-2')
  const mailbox = start()
  try {
    const report = await whenRead(app, app.token, 'imap-1')
    assert.equal(report.via, 'imap')
    const [row] = await query(app, 'select received_by from report where id = $1', [
      report.report_id,
    ])
    assert.deepEqual(row, { received_by: 'imap:reports@localhost' })
    await whenRead(app, app.token, 'imap-2')
    assert.equal(mailbox.check().state, 'ok')
    await put('imap-3')
    await whenRead(app, app.token, 'imap-3')
    await waitUntil(async () => (await countIn('INBOX', false)) === 0)
    assert.equal(await countIn('INBOX'), 3)
  } finally {
    await mailbox.close()
  }
})

test('with a folder to move to, that is where they go; a mail that is too large is flagged and stays', async () => {
  await put('large', 'x'.repeat(76).concat('\n').repeat(100))
  await put('moved')
  const taken = await countIn('INBOX', true)
  const mailbox = start({ moveTo: 'Taken', bytesMax: 4_000 })
  try {
    await whenRead(app, app.token, 'moved')
    await waitUntil(async () => (await countIn('Taken')) === taken + 1)
    const flagged = await dovecot.visit(async (client) => {
      await client.mailboxOpen('INBOX')
      return await client.search({ flagged: true })
    })
    assert.deepEqual(flagged && flagged.length, 1)
    assert.ok(
      !(await listReports(app, app.token)).some((report) => report.message_id?.includes('large')),
    )
  } finally {
    await mailbox.close()
  }
})

test('a mail that was stored and not marked comes again, and is not marked before it is stored', async () => {
  await query(
    app,
    `create function refuse_reports() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
     create trigger refuse_reports before insert on report for each row execute function refuse_reports()`,
  )
  const unread = await countIn('INBOX', false)
  await put('stored-first')
  const mailbox = start()
  try {
    await whenState(mailbox, /^degraded .*could not be stored/)
    assert.equal(await countIn('INBOX', false), unread + 1)
    await query(app, 'drop trigger refuse_reports on report')
    await whenRead(app, app.token, 'stored-first')
  } finally {
    await mailbox.close()
  }
})

test('it is pulled again after the server was away', async () => {
  const mailbox = start()
  try {
    await whenState(mailbox, /^ok /)
    await dovecot.pause()
    await whenState(mailbox, /^degraded /)
    await dovecot.start()
    await put('back-again')
    await whenRead(app, app.token, 'back-again')
  } finally {
    await mailbox.close()
  }
})

test('of two nodes one pulls, and the other takes over when it ends', async () => {
  const first = start()
  await whenState(first, /^ok Reports are pulled/)
  const other = start()
  try {
    await whenState(other, /^ok Another node/)
    await first.close()
    await whenState(other, /^ok Reports are pulled/)
  } finally {
    await other.close()
  }
})

test('degraded, and nothing is sent, for a host of the own network that is not opened and for an unknown certificate', async () => {
  const url = dovecot.url.replace('localhost', '127.0.0.1')
  const closed = start({ url, allow: [] })
  await whenState(closed, /CASEWORK_OUTBOUND_ALLOW=127\.0\.0\.1:/)
  await closed.close()
  const { cert } = makeCertificate('localhost', Date.now())
  const stranger = start({ authorities: cert })
  await whenState(stranger, /^degraded .*(certificate|self-signed)/i)
  await stranger.close()
})

// The SMTP listener over real sockets: what is acknowledged is stored, and what is not stored is
// not acknowledged.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { createTransport } from 'nodemailer'
import { openTestApp, withApp } from '../../../../test/harness.ts'
import {
  buildMail,
  connectSmtp,
  listReports,
  type MailApp,
  openClient,
  openMail,
  whenClosed,
  whenRead,
} from '../../../../test/mail-kit.ts'
import { query } from '../../../../test/playbook-fixtures.ts'

const ENVIRONMENT = { CASEWORK_SMTP_PORT: '0', CASEWORK_MAIL_AUTHENTICATION: 'off' }

describe('SMTP', () => {
  let mail: MailApp
  after(() => mail.close())
  const app = withApp({ environment: ENVIRONMENT }, async () => {
    mail = await openMail(app)
  })

  test('250 for a mail, which is kept byte for byte with its envelope, and read', async () => {
    const client = await connectSmtp(mail.port)
    const bytes = buildMail('kept', 'Line\n.\n..dots\n198.51.100.7')
    assert.match(await client.sendMail(bytes, ['abuse@example.org', 'Abuse@Example.Org']), /^250 /)
    client.close()
    const report = await whenRead(app, app.token, 'kept')
    assert.equal(report.via, 'smtp')
    assert.deepEqual(report.envelope, {
      from: 'bounce@reporter.example',
      to: ['Abuse@Example.Org'],
      remote_address: '127.0.0.1',
      helo: 'client.example',
    })
    const raw = await app.send('GET', `/beta/casework/reports/${report.report_id}/raw`, {
      token: app.token,
    })
    assert.equal(raw.text, `${bytes}\r\n`)
    const [row] = await query(
      app,
      'select received_by, fallback_reporter from report where id = $1',
      [report.report_id],
    )
    assert.deepEqual(row, {
      received_by: 'smtp:127.0.0.1',
      fallback_reporter: 'bounce@reporter.example',
    })
  })

  test('the same mail twice is two reports; a bounce has an empty sender', async () => {
    const client = await connectSmtp(mail.port)
    for (const from of ['', 'a@reporter.example']) {
      await client.begin(undefined, from)
      assert.match(await client.endMail(buildMail('twice')), /^250 /)
    }
    client.close()
    const reports = (await listReports(app, app.token)).filter((report) =>
      report.message_id?.includes('twice'),
    )
    assert.deepEqual(
      reports.map((report) => report.envelope?.from),
      ['a@reporter.example', ''],
    )
    assert.notEqual(reports[0]?.report_id, reports[1]?.report_id)
  })

  test('a client of many mails at once gets them all kept', async () => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: mail.port,
      pool: true,
      maxConnections: 5,
      tls: { rejectUnauthorized: false },
    })
    const ids = Array.from({ length: 20 }, (_, index) => `many-${index}`)
    const envelope = { from: 'bounce@reporter.example', to: 'abuse@example.org' }
    await Promise.all(ids.map((id) => transport.sendMail({ envelope, raw: buildMail(id) })))
    transport.close()
    const reports = await listReports(app, app.token)
    for (const id of ids) {
      assert.ok(
        reports.some((report) => report.message_id === `<${id}@reporter.example>`),
        id,
      )
    }
  })

  test('STARTTLS with a certificate of its own name, and what was said before it does not count', async () => {
    const client = await connectSmtp(mail.port)
    assert.match(await client.say('MAIL FROM:<x@reporter.example>'), /^250 /)
    assert.match(await client.say('STARTTLS'), /^220 /)
    client.socket.removeAllListeners('data')
    const socket = connectTls({ socket: client.socket, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const certificate = socket.getPeerX509Certificate()
    assert.ok(certificate !== undefined && certificate.verify(certificate.publicKey))
    const secure = openClient(socket)
    assert.match(await secure.say('RCPT TO:<abuse@example.org>'), /^503 /)
    assert.match(await secure.say('EHLO client.example'), /^250/)
    assert.match(await secure.sendMail(buildMail('tls')), /^250 /)
    secure.close()
    await whenRead(app, app.token, 'tls')
  })

  test('552 for a size that is announced too large, and nobody is offered to send through us', async () => {
    const client = await connectSmtp(mail.port)
    const hello = await client.say('EHLO client.example')
    assert.match(hello, /SIZE 26214400/)
    assert.doesNotMatch(hello, /AUTH/)
    assert.match(await client.say('MAIL FROM:<x@reporter.example> SIZE=26214401'), /^552 /)
    assert.match(await client.say('AUTH PLAIN AHgAeA=='), /^500 /)
    client.close()
  })

  test('metrics and readiness tell of the listener', async () => {
    const metrics = await app.services.foundation.metrics.metrics()
    assert.match(metrics, /casework_mail_kept_total\{via="smtp"\} \d/)
    const check = app.services.foundation.readiness.list().find(({ name }) => name === 'smtp')
    const finding = await check?.check()
    assert.equal(finding?.state, 'ok')
    assert.match(finding.detail, new RegExp(`port ${mail.port}`))
  })
})

describe('recipients', () => {
  let mail: MailApp
  let otherToken: string
  after(() => mail.close())
  const environment = { ...ENVIRONMENT, CASEWORK_LMTP_PORT: '0' }
  const app = withApp({ environment }, async () => {
    await app.createTenant('other')
    otherToken = await app.createToken({ tenantId: 'other' })
    mail = await openMail(app)
    await query(
      app,
      `insert into report_address (address, tenant_id)
       values ('abuse@example.org', 'default'), ('*@xn--mller-kva.example', 'other'), ('special@example.org', 'other')`,
    )
  })

  test('550 for an address that nobody has once one is given, by address, by domain and by international domain', async () => {
    const client = await connectSmtp(mail.port)
    await client.say('MAIL FROM:<x@reporter.example> SMTPUTF8')
    for (const address of ['abuse@example.org', 'ABUSE@EXAMPLE.ORG', 'who@xn--mller-kva.example']) {
      assert.match(await client.say(`RCPT TO:<${address}>`), /^250 /, address)
    }
    assert.match(await client.say('RCPT TO:<who@müller.example>'), /^250 /)
    for (const address of ['other@example.org', 'abuse@sub.example.org', 'abuse@example.com']) {
      assert.match(await client.say(`RCPT TO:<${address}>`), /^550 5\.1\.1 /, address)
    }
    client.close()
  })

  test('a mail for two tenants is a report of each, with its own recipients', async () => {
    const client = await connectSmtp(mail.port)
    const to = ['abuse@example.org', 'special@example.org']
    assert.match(await client.sendMail(buildMail('both'), to), /^250 /)
    client.close()
    const first = await whenRead(app, app.token, 'both')
    const second = await whenRead(app, otherToken, 'both')
    assert.notEqual(first.report_id, second.report_id)
    assert.deepEqual(first.envelope?.to, ['abuse@example.org'])
    assert.deepEqual(second.envelope?.to, ['special@example.org'])
  })

  test('LMTP answers each recipient, and knows nothing of the sender’s host', async () => {
    const client = await connectSmtp(mail.channels.lmtpPort() ?? 0, 'LHLO relay.example.org')
    const to = ['abuse@example.org', 'special@example.org', 'x@xn--mller-kva.example']
    const replies = [await client.sendMail(buildMail('lmtp'), to), await client.hear()]
    replies.push(await client.hear())
    for (const reply of replies) assert.match(reply, /^250 /)
    client.close()
    const report = await whenRead(app, otherToken, 'lmtp')
    assert.deepEqual(report.envelope, {
      from: 'bounce@reporter.example',
      to: ['special@example.org', 'x@müller.example'],
      helo: 'relay.example.org',
    })
    assert.match((await whenRead(app, app.token, 'lmtp')).via, /lmtp/)
  })

  test('LMTP refuses for now the recipients of a tenant whose report cannot be stored', async () => {
    await query(
      app,
      `create function refuse_other() returns trigger language plpgsql as
       $$ begin if new.tenant_id = 'other' then raise exception 'full' using errcode = '53100'; end if; return new; end $$`,
    )
    const trigger = 'before insert on report for each row execute function refuse_other()'
    await query(app, `create trigger refuse_other ${trigger}`)
    const client = await connectSmtp(mail.channels.lmtpPort() ?? 0, 'LHLO relay.example.org')
    const to = ['abuse@example.org', 'special@example.org']
    const replies = [await client.sendMail(buildMail('half'), to), await client.hear()]
    assert.deepEqual(
      replies.map((reply) => reply.slice(0, 3)),
      ['250', '452'],
    )
    client.close()
    const smtp = await connectSmtp(mail.port)
    assert.match(await smtp.sendMail(buildMail('none'), to), /^452 /)
    smtp.close()
    await query(app, 'drop trigger refuse_other on report')
    await whenRead(app, app.token, 'half')
    const reports = await listReports(app, app.token)
    assert.ok(!reports.some((report) => report.message_id?.includes('none')))
  })

  test('421 for a client that guesses addresses', async () => {
    const client = await connectSmtp(mail.port)
    await client.say('MAIL FROM:<x@reporter.example>')
    for (let count = 1; count <= 10; count += 1) {
      assert.match(await client.say(`RCPT TO:<guess-${count}@example.org>`), /^550 /)
    }
    assert.match(await client.hear(), /^421 /)
    await whenClosed(client)
  })
})

test('behind a proxy the address is that of the PROXY header, and a connection without one is refused', async () => {
  const app = await openTestApp({
    environment: { ...ENVIRONMENT, CASEWORK_SMTP_PROXIES: '127.0.0.1' },
  })
  const token = await app.createToken()
  const mail = await openMail(app)
  try {
    const client = openClient(connect(mail.port, '127.0.0.1'))
    client.socket.write('PROXY TCP4 192.0.2.77 198.51.100.1 40000 25\r\n')
    assert.match(await client.hear(), /^220 /)
    await client.say('EHLO client.example')
    assert.match(await client.sendMail(buildMail('proxied')), /^250 /)
    client.close()
    const report = await whenRead(app, token, 'proxied')
    assert.equal(report.envelope?.remote_address, '192.0.2.77')
    const bare = connect(mail.port, '127.0.0.1')
    bare.resume().on('error', () => undefined)
    bare.write('EHLO client.example\r\n')
    await once(bare, 'close')
  } finally {
    await mail.close()
    await app.close()
  }
})

test('a port that is taken keeps nothing from starting; readiness says so', async () => {
  const app = await openTestApp({ environment: ENVIRONMENT })
  const mail = await openMail(app)
  const second = await openTestApp({
    environment: { ...ENVIRONMENT, CASEWORK_SMTP_PORT: String(mail.port) },
  })
  const other = await openMail(second)
  try {
    assert.equal(other.channels.smtpPort(), null)
    const check = second.services.foundation.readiness.list().find(({ name }) => name === 'smtp')
    const finding = await check?.check()
    assert.equal(finding?.state, 'degraded')
    assert.match(finding.detail, /EADDRINUSE/)
  } finally {
    await other.close()
    await second.close()
    await mail.close()
    await app.close()
  }
})

test('a report that was acknowledged and not read, because its process ended, is read by the sweep', async () => {
  const { readUnreadReports } = await import('../read-unread-reports.ts')
  let nowMs = Date.now()
  const app = await openTestApp({ environment: ENVIRONMENT, clock: { nowMs: () => nowMs } })
  const token = await app.createToken()
  const mail = await openMail(app)
  try {
    await query(
      app,
      `create function refuse_events() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
    )
    const trigger = 'before update on report for each row execute function refuse_events()'
    await query(app, `create trigger refuse_events ${trigger}`)
    const client = await connectSmtp(mail.port)
    assert.match(await client.sendMail(buildMail('swept')), /^250 /)
    client.close()
    await mail.close()
    await query(app, 'drop trigger refuse_events on report')
    const [unread] = await listReports(app, token)
    assert.equal(unread?.reason, 'The report has not been read yet.')
    nowMs += 61_000
    assert.equal(await readUnreadReports(app.services.casework.reports), 1)
    const report = await whenRead(app, token, 'swept')
    assert.equal(report.via, 'smtp')
    const [row] = await query(app, 'select received_by from report')
    assert.deepEqual(row, { received_by: 'smtp:127.0.0.1' })
  } finally {
    await app.close()
  }
})

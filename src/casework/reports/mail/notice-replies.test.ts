// What comes back for notices over real SMTP: answers, bounces, complaints, absence notices, and
// what others send in their name.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import type { AnswerFields } from '../../../../test/answer-fields.ts'
import { listen, runCasework } from '../../../../test/cli-kit.ts'
import { type DnsServer, openDnsServer } from '../../../../test/fixtures/dns-server.ts'
import { type MailSink, openMailSink } from '../../../../test/fixtures/mail-sink.ts'
import { openTestApp, type TestApp } from '../../../../test/harness.ts'
import { type MailApp, openClient, openMail, whenRead } from '../../../../test/mail-kit.ts'
import { sendAllDue } from '../../../../test/notice-kit.ts'
import { createActivePlaybook, runDueSteps } from '../../../../test/playbook-fixtures.ts'
import { query } from '../../../../test/query.ts'
import { silentLog } from '../../../kernel/log.ts'
import { readMailIdentity } from '../../notices/mail-identity.ts'
import { createNoticeMetrics } from '../../notices/notice-metrics.ts'
import { openRelay } from '../../notices/relay.ts'
import { createNoticeSender } from '../../notices/send-notices.ts'
import { keepMail } from './keep-mail.ts'
import { createMailMetrics } from './mail-metrics.ts'
import { createReadingQueue } from './reading-queue.ts'

const DOMAIN = 'in.provider.example'
const ROOT = '/beta/casework'

let sink: MailSink
let dns: DnsServer
let app: TestApp
let mail: MailApp
let token = ''
let foreign = ''
before(async () => {
  sink = await openMailSink()
  dns = await openDnsServer(({ name, type }) => {
    const records: Record<string, string> = {
      'customer.example TXT': 'v=spf1 ip4:192.0.2.0/28 -all',
      '_dmarc.customer.example TXT': 'v=DMARC1; p=reject',
    }
    const value = records[`${name} ${type}`]
    if (value === undefined) return { kind: 'code', code: 'nxdomain' }
    return { kind: 'records', records: [{ type: 'TXT', value }] }
  })
  app = await openTestApp({
    environment: {
      CASEWORK_RELAY_URL: `smtp://127.0.0.1:${sink.port}`,
      CASEWORK_MAIL_FROM: 'Abuse Desk <abuse@provider.example>',
      CASEWORK_MAIL_DOMAIN: DOMAIN,
      CASEWORK_SMTP_PORT: '0',
      CASEWORK_LMTP_PORT: '0',
      CASEWORK_SMTP_PROXIES: '127.0.0.1',
      CASEWORK_DNS_SERVERS: dns.address,
    },
  })
  token = await app.createToken()
  await app.createTenant('other')
  foreign = await app.createToken({ tenantId: 'other' })
  const registered = await app.send('PUT', '/beta/admin/report-addresses/abuse%40other.example', {
    token,
    json: { tenant_id: 'other' },
  })
  assert.ok(registered.status < 300, registered.text)
  mail = await openMail(app)
})
after(async () => {
  await mail.close()
  await app.close()
  await dns.close()
  await sink.close()
})

async function send(method: string, path: string, json?: unknown, as = token) {
  return await app.send(method, `${ROOT}${path}`, {
    token: as,
    ...(json === undefined ? {} : { json }),
  })
}

async function sendNotices(): Promise<void> {
  const { config, database, clock, ids } = app.services.foundation
  const identity = readMailIdentity(config)
  assert.ok(identity !== null)
  const relay = openRelay(config, identity)
  const sender = createNoticeSender({
    db: database.kysely,
    log: silentLog,
    clock,
    ids,
    mail: identity,
    relay,
    count: createNoticeMetrics(new Registry()),
    onOutcome: () => undefined,
  })
  await sendAllDue(sender)
  relay.close()
}

interface Told {
  readonly caseId: string
  readonly customerId: string
  readonly noticeId: string
  readonly messageId: string
  readonly replyTo: string
  readonly bounceTo: string
  readonly recipient: string
  readonly mail: string
}

let made = 0
/** A case whose customer was told by mail. */
async function tell({ groupPlaybook = null as string | null, party = 'customer' } = {}) {
  made += 1
  const customerId = `c-${made}`
  const recipient = party === 'customer' ? `desk-${made}@customer.example` : 'ann@reporter.example'
  await send('POST', '/customers', {
    id: customerId,
    contacts: [
      { email: `desk-${made}@customer.example`, purpose: 'abuse' },
      { email: `second-${made}@customer.example` },
    ],
  })
  await app.send('PATCH', `${ROOT}/case-groups/default`, {
    token,
    json: { playbook_id: groupPlaybook },
  })
  const pushed = await send('POST', '/events', {
    event_date: '2026-11-20T10:00:00Z',
    event_type: 'Spam',
    ip: '192.0.2.7',
    sender_email: 'ann@reporter.example',
    customer_id: customerId,
    report_id: `r-${made}`,
  })
  assert.equal(pushed.status, 201, pushed.text)
  const caseId: string = pushed.json().case_id
  await runDueSteps(app)
  return await notify(
    caseId,
    customerId,
    { template: 'answer', party, text: 'Please look.' },
    recipient,
  )
}

async function notify(
  caseId: string,
  customerId: string,
  json: object,
  recipient: string,
): Promise<Told> {
  const queued = await send('POST', `/cases/${caseId}/notices`, json)
  assert.equal(queued.status, 202, queued.text)
  const { id: noticeId, message_id: messageId } = queued.json()
  sink.mails.length = 0
  await sendNotices()
  const taken = sink.mails.find(({ text }) => text.includes(messageId))
  assert.ok(taken !== undefined)
  const replyTo = /^Reply-To:[^<]*<(.+)>/m.exec(taken.text)?.[1] ?? ''
  const told = { caseId, customerId, noticeId, messageId, recipient }
  return { ...told, replyTo, bounceTo: taken.from, mail: taken.text }
}

interface Written {
  readonly from?: string
  readonly to: string
  readonly headers?: readonly string[]
  readonly body?: string
  readonly envelopeFrom?: string
  readonly host?: string
  readonly subject?: string
}

let written = 0
/** Sends a mail by SMTP; the report that it was kept as, when it was read. */
async function write(
  { from, to, headers = [], body = 'It is fixed now.', ...more }: Written,
  again?: string,
): Promise<AnswerFields & { readonly text: string }> {
  written += 1
  const id = again ?? `reply-${written}`
  const lines = [
    ...(from === undefined ? [] : [`From: ${from}`]),
    `To: ${to}`,
    `Subject: ${more.subject ?? 'Re: your notice'}`,
    'Date: Sun, 22 Nov 2026 10:05:00 +0000',
    `Message-ID: <${id}@reporter.example>`,
    'MIME-Version: 1.0',
    ...headers,
    ...(headers.some((one) => /^content-type/i.test(one))
      ? []
      : ['Content-Type: text/plain; charset=utf-8']),
    '',
    ...body.split('\n'),
  ]
  const client = openClient(connect(mail.port, '127.0.0.1'))
  const host = more.host ?? '192.0.2.5'
  client.socket.write(`PROXY TCP4 ${host} 198.51.100.1 40000 25\r\n`)
  await client.hear()
  await client.say('EHLO mail.customer.example')
  await client.begin([to], more.envelopeFrom ?? from?.replace(/^.*<|>.*$/g, '') ?? '')
  assert.match(await client.endMail(lines.join('\r\n')), /^250 /)
  client.close()
  return { ...(await whenRead(app, token, id)), text: lines.join('\n') }
}

async function listComments(caseId: string) {
  return (await send('GET', `/cases/${caseId}/comments`)).json().items
}

async function getCase(caseId: string) {
  return (await send('GET', `/cases/${caseId}`)).json()
}

async function getNotice({ noticeId }: Told) {
  return (await send('GET', `/notices/${noticeId}`)).json()
}

function writeDsn(
  action: string,
  status: string,
  recipient: string,
  enclosed = '',
): Pick<Written, 'headers' | 'body' | 'envelopeFrom'> {
  const body = `--b
Content-Type: text/plain

Sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.customer.example

${recipient === '' ? '' : `Final-Recipient: rfc822; ${recipient}\n`}Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 ${status} no
${enclosed === '' ? '' : `\n--b\nContent-Type: text/rfc822-headers\n\n${enclosed}\n`}--b--
`
  return {
    headers: ['Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
    body,
    envelopeFrom: '',
  }
}

/** As qmail writes it, without a report for programs. */
function writeOddBounce(address: string): Pick<Written, 'subject' | 'body' | 'envelopeFrom'> {
  return {
    subject: 'failure notice',
    body: `This is the mail system.\n<${address}>:\n550 5.1.1 no such user`,
    envelopeFrom: '',
  }
}

const MAILER = 'MAILER-DAEMON@mx.customer.example'

describe('an answer', () => {
  test('becomes a comment of the case, without what it quotes, and the case waits for a person', async () => {
    const told = await tell()
    const { version } = await getCase(told.caseId)
    await send('PATCH', `/cases/${told.caseId}`, { version, waiting_on: 'customer' })
    const body =
      'We took it down.\u202E<b>x</b>\n\nOn 22 Nov 2026, Abuse Desk wrote:\n> Please look.\n> 192.0.2.7'
    const answered = await write({ from: `Joe <${told.recipient}>`, to: told.replyTo, body })
    assert.deepEqual([answered.state, answered.event_count], ['accepted', 0])
    const [comment, ...others] = await listComments(told.caseId)
    assert.deepEqual(others, [])
    assert.equal(comment.text, 'We took it down.<b>x</b>')
    assert.match(comment.quoted, /^On 22 Nov 2026, Abuse Desk wrote:\n> Please look/)
    assert.deepEqual(
      [comment.author, comment.party, comment.report_id],
      ['customer', 'customer', answered.report_id],
    )
    assert.ok(!JSON.stringify(comment).includes(told.recipient))
    const shown = await getCase(told.caseId)
    assert.deepEqual([shown.waiting_on, shown.customer_status], ['agent', 'seen'])
    const [reply] = (await getNotice(told)).replies
    assert.deepEqual([reply.kind, reply.comment_id], ['answer', comment.id])

    await write(
      { from: told.recipient, to: told.replyTo, body },
      answered.message_id?.slice(1, -18),
    )
    assert.equal((await listComments(told.caseId)).length, 1, 'a mail that is delivered again')
    const replayed = await send('POST', `/reports/${answered.report_id}/replay`)
    assert.deepEqual(replayed.json().events, [])
  })

  test('takes a path of the playbook where its node waits for it, and the case goes on', async () => {
    const playbook = await createActivePlaybook(app, token, [
      { id: 'begin', kind: 'start', paths: { next: 'ask' } },
      {
        id: 'ask',
        kind: 'trigger',
        config: {
          paths: ['fixed', 'no'],
          waiting_on: 'customer',
          answer: { from: 'customer', path: 'fixed' },
        },
        paths: { fixed: 'done' },
      },
      { id: 'done', kind: 'resolve' },
    ])
    const told = await tell({ groupPlaybook: playbook })
    assert.equal((await getCase(told.caseId)).waiting_on, 'customer')
    await write({
      from: told.recipient,
      to: told.replyTo,
      headers: ['Auto-Submitted: auto-replied'],
      body: 'I am away.',
    })
    await runDueSteps(app)
    const away = await getCase(told.caseId)
    assert.deepEqual([away.state, away.waiting_on], ['NEW', 'customer'], 'a program moves nothing')
    await write({ from: told.recipient, to: told.replyTo })
    await runDueSteps(app)
    const ended = await getCase(told.caseId)
    assert.deepEqual([ended.state, ended.waiting_on], ['RESOLVED', 'none'])
    const comments = await listComments(told.caseId)
    assert.deepEqual(
      comments.map((one: { automatic?: boolean }) => one.automatic ?? false),
      [false, true],
    )
  })

  test('of a contact of the customer is taken with DMARC, and waits for a person without', async () => {
    const told = await tell()
    const second = told.recipient.replace('desk', 'second')
    const proven = await write({ from: second, to: told.replyTo })
    assert.equal(proven.state, 'accepted')
    for (const from of [second, 'stranger@customer.example']) {
      const kept = await write({
        from,
        to: told.replyTo,
        host: from === second ? '203.0.113.9' : '192.0.2.5',
      })
      assert.deepEqual([kept.state, kept.event_count], ['quarantined', 0])
      assert.match(kept.reason ?? '', /neither the recipient nor a proven contact/)
    }
    const forged = await write({ from: told.recipient, to: told.replyTo, host: '203.0.113.9' })
    assert.match(forged.reason ?? '', /failed DMARC/)
    assert.equal((await listComments(told.caseId)).length, 1)
  })

  test('without the key, with an old one or to another customer waits for a person', async () => {
    const told = await tell()
    const direct = { from: told.recipient, to: `abuse@${DOMAIN}` }
    await app.send('PUT', `/beta/admin/report-addresses/abuse%40${DOMAIN}`, {
      token,
      json: { tenant_id: 'default' },
    })
    const unkeyed = await write({ ...direct, headers: [`References: <${told.messageId}>`] })
    const tagged = await write({ ...direct, subject: `Re: [${told.caseId}] notice` })
    const unknown = await write({ from: told.recipient, to: `abuse+${'0'.repeat(32)}@${DOMAIN}` })
    assert.match(unkeyed.reason ?? '', /not sent to the address of the notice/)
    assert.match(tagged.reason ?? '', /not sent to the address of the notice/)
    assert.doesNotMatch(unknown.reason ?? '', /notice/)
    await query(
      app.connection,
      `update notice set reply_until = now() where id = '${told.noticeId}'`,
    )
    const late = await write({ from: told.recipient, to: told.replyTo })
    assert.match(late.reason ?? '', /time for answers is over/)
    await query(
      app.connection,
      `update notice set reply_until = now() + interval '1 day', state = 'suppressed' where id = '${told.noticeId}'`,
    )
    const unsent = await write({ from: told.recipient, to: told.replyTo })
    assert.match(unsent.reason ?? '', /never sent/)
    await query(
      app.connection,
      `update notice set state = 'sent', customer_id = 'c-0' where id = '${told.noticeId}'`,
    )
    const moved = await write({ from: told.recipient, to: told.replyTo })
    assert.match(moved.reason ?? '', /belongs to another customer/)
    assert.deepEqual(await listComments(told.caseId), [])
    const waiting = (await send('GET', '/reports?state=quarantined&limit=100')).json().items
    assert.ok(waiting.some((one: { report_id: string }) => one.report_id === moved.report_id))
  })

  test('to a merged case goes to the case that it became, and to a closed case stays there', async () => {
    const told = await tell()
    const target = await tell()
    await query(
      app.connection,
      `update abuse_case set customer_id = '${told.customerId}' where id = '${target.caseId}'`,
    )
    const merged = await send('POST', `/cases/${target.caseId}/merge`, {
      from: [told.caseId],
    })
    assert.ok(merged.status < 300, merged.text)
    await write({ from: told.recipient, to: told.replyTo })
    assert.equal((await listComments(target.caseId)).length, 1)
    assert.equal((await listComments(told.caseId)).length, 0)
    const closed = await tell()
    const { version } = await getCase(closed.caseId)
    const moved = await send('PATCH', `/cases/${closed.caseId}`, {
      version,
      state: 'CLOSED',
      close_reason: 'not_ours',
    })
    assert.ok(moved.status < 300, moved.text)
    await write({ from: closed.recipient, to: closed.replyTo })
    const shown = await getCase(closed.caseId)
    assert.deepEqual([shown.state, shown.waiting_on], ['CLOSED', 'none'])
    assert.equal((await listComments(closed.caseId)).length, 1)
  })

  test('to a mail before a resend still finds its notice', async () => {
    const told = await tell()
    const again = await send('POST', `/notices/${told.noticeId}/resend`)
    assert.equal(again.status, 202, again.text)
    await sendNotices()
    await write({ from: told.recipient, to: told.replyTo })
    assert.equal((await listComments(told.caseId)).length, 1)
  })

  test('of a program is shown three times a day, and one of a stranger not at all', async () => {
    const told = await tell()
    const headers = ['Auto-Submitted: auto-replied', 'Precedence: bulk']
    const states: string[] = []
    for (const count of [1, 2, 3, 4]) {
      const body = `Away ${count}`
      states.push((await write({ from: told.recipient, to: told.replyTo, headers, body })).state)
    }
    assert.deepEqual(states, ['accepted', 'accepted', 'accepted', 'rejected'])
    const ticket = await write({ from: 'helpdesk@third.example', to: told.replyTo, headers })
    assert.match(ticket.reason ?? '', /program of somebody else/)
    const silent = await write({ from: told.recipient, to: told.replyTo, envelopeFrom: '' })
    assert.match(silent.reason ?? '', /program/)
    assert.equal((await listComments(told.caseId)).length, 3)
    const shown = await getCase(told.caseId)
    assert.equal(shown.customer_status, 'notified')
    const notices = (await send('GET', `/cases/${told.caseId}/notices`)).json().items
    assert.equal(notices.length, 1, 'no program gets a mail back')
  })

  test('of a reporter is his, and keeps the names of its files', async () => {
    const reporter = await tell({ party: 'reporter' })
    const headers = ['Content-Type: multipart/mixed; boundary=b']
    const body =
      '--b\nContent-Type: text/plain\n\nMore of it.\n--b\nContent-Type: text/plain; name=log.txt\nContent-Disposition: attachment; filename=log.txt\n\nline\n--b--\n'
    await write({ from: reporter.recipient, to: reporter.replyTo, headers, body })
    const [comment] = await listComments(reporter.caseId)
    assert.deepEqual([comment.party, comment.text], ['reporter', 'More of it.'])
    assert.deepEqual(comment.attachments, [
      { part: '2', media_type: 'text/plain', file_name: 'log.txt', byte_length: 4 },
    ])
    assert.equal((await getCase(reporter.caseId)).customer_status, 'unnotified')
  })
})

async function take(report: AnswerFields, json: object = {}, as = token) {
  return await send('POST', `/reports/${report.report_id}/take-as-answer`, json, as)
}

describe('a person takes over', () => {
  test('an answer of a foreign sender, once: 200, and the report is accepted', async () => {
    const told = await tell()
    const { version } = await getCase(told.caseId)
    await send('PATCH', `/cases/${told.caseId}`, { version, waiting_on: 'customer' })
    const kept = await write({ from: 'joe@elsewhere.example', to: told.replyTo })
    assert.equal(kept.state, 'quarantined')
    const narrow = await app.createToken({ scopes: ['cases:write', 'cases:read'] })
    assert.equal((await take(kept, {}, narrow)).status, 403)
    assert.equal((await take(kept, {}, foreign)).status, 404)
    const path = await take(kept, { party: 'customer', take_path: true })
    assert.deepEqual([path.status, (await listComments(told.caseId)).length], [409, 0])
    const [first, second] = await Promise.all([
      take(kept, { party: 'customer' }),
      take(kept, { party: 'customer' }),
    ])
    assert.deepEqual([first?.status, second?.status], [200, 200])
    assert.notEqual(first?.json().repeated, second?.json().repeated)
    const [comment, ...others] = await listComments(told.caseId)
    assert.deepEqual(
      [others, comment.text, comment.party, comment.author, comment.report_id],
      [[], 'It is fixed now.', 'customer', 'customer', kept.report_id],
    )
    assert.equal(first?.json().comment_id, comment.id)
    const shown = await getCase(told.caseId)
    assert.deepEqual([shown.waiting_on, shown.customer_status], ['agent', 'seen'])
    const report = (await send('GET', `/reports/${kept.report_id}`)).json()
    assert.deepEqual([report.state, report.format], ['accepted', 'notice_answer'])
    const [reply] = (await getNotice(told)).replies
    assert.deepEqual([reply.kind, reply.comment_id], ['answer', comment.id])
    const elsewhere = await take(kept, { case_id: (await tell()).caseId })
    assert.equal(elsewhere.status, 409)
    const history = (await send('GET', `/cases/${told.caseId}/history`)).json().items
    const row = history.find((one: { kind: string }) => one.kind === 'comment')
    assert.match(row.reason, /A person took the mail over/)
  })

  test('an answer to a digest, for the case that is named: 409 without one, and no replay after it', async (t) => {
    const told = await tell()
    const digest = await tell()
    await query(app.connection, `update notice set case_id = null where id = '${digest.noticeId}'`)
    const kept = await write({ from: digest.recipient, to: digest.replyTo })
    assert.match(kept.reason ?? '', /about no case/)
    const unnamed = await take(kept)
    assert.equal(unnamed.status, 409)
    assert.equal((await take(kept, { case_id: 'C-1' })).status, 404)
    const command = ['report', 'take-as-answer', kept.report_id, '--case', told.caseId]
    const taken = await runCasework(t, command, { url: await listen(app), token })
    assert.equal(
      taken.stdout,
      `It is now a comment of ${told.caseId}, by the party customer.\n`,
      taken.stderr,
    )
    const replayed = await send('POST', `/reports/${kept.report_id}/replay`)
    assert.deepEqual(replayed.json().events, [])
    assert.equal((await listComments(told.caseId)).length, 1)
  })

  test('an answer with an expired key, or without one, and the path of the node if he says so', async () => {
    const playbook = await createActivePlaybook(app, token, [
      { id: 'begin', kind: 'start', paths: { next: 'ask' } },
      {
        id: 'ask',
        kind: 'trigger',
        config: { paths: ['fixed'], answer: { from: 'customer', path: 'fixed' } },
        paths: { fixed: 'done' },
      },
      { id: 'done', kind: 'resolve' },
    ])
    const told = await tell({ groupPlaybook: playbook })
    await query(
      app.connection,
      `update notice set reply_until = now() where id = '${told.noticeId}'`,
    )
    const late = await write({ from: told.recipient, to: told.replyTo })
    assert.equal((await take(late)).status, 200)
    await runDueSteps(app)
    assert.equal((await getCase(told.caseId)).state, 'NEW', 'nobody said that it takes the path')
    await app.send('PUT', `/beta/admin/report-addresses/abuse%40${DOMAIN}`, {
      token,
      json: { tenant_id: 'default' },
    })
    const tagged = await write({
      from: told.recipient,
      to: `abuse@${DOMAIN}`,
      subject: `Re: [${told.caseId}] notice`,
    })
    const stranger = await app.send('POST', `${ROOT}/reports/${tagged.report_id}/take-as-answer`, {
      token,
      json: { party: 'other', take_path: true },
      headers: { accept: 'application/problem+json' },
    })
    assert.deepEqual(
      [stranger.status, stranger.json().code],
      [409, 'CASEWORK_ANSWER_TAKES_NO_PATH'],
    )
    const taken = await take(tagged, { take_path: true })
    assert.deepEqual(
      [taken.status, taken.json().trigger.node, taken.json().trigger.path],
      [200, 'ask', 'fixed'],
      taken.text,
    )
    await runDueSteps(app)
    assert.equal((await getCase(told.caseId)).state, 'RESOLVED')
    assert.equal((await listComments(told.caseId)).length, 2)
    const replayed = await send('POST', `/reports/${tagged.report_id}/replay`)
    assert.deepEqual(replayed.json().events, [])
  })

  test('409: neither a report that was accepted, nor one that is no mail', async () => {
    const told = await tell()
    const answered = await write({ from: told.recipient, to: told.replyTo })
    assert.equal((await take(answered)).json().repeated, true)
    await write({ from: MAILER, to: told.bounceTo, ...writeDsn('failed', '4.2.2', told.recipient) })
    const pushed = await send('POST', '/reports', { x: 1 })
    const reportId = pushed.json().report_id
    const accept = { accept: 'application/problem+json' }
    const path = `${ROOT}/reports/${reportId}/take-as-answer`
    const json = { case_id: told.caseId }
    const refused = await app.send('POST', path, { token, json, headers: accept })
    assert.equal(refused.status, 409)
    assert.equal(refused.json().code, 'CASEWORK_REPORT_IS_NO_ANSWER')
    const bounced = await write({
      from: MAILER,
      to: told.bounceTo,
      ...writeDsn('failed', '5.1.1', told.recipient),
    })
    assert.equal((await take(bounced, json)).status, 409)
    await query(app.connection, `delete from report_raw where true`)
    const stranger = await tell()
    const gone = await write({ from: 'x@elsewhere.example', to: stranger.replyTo })
    await query(app.connection, `delete from report_raw where true`)
    assert.equal((await take(gone)).status, 410)
  })
})

test('an answer by LMTP becomes a comment of the case', async () => {
  const told = await tell()
  const client = openClient(connect(mail.channels.lmtpPort() ?? 0, '127.0.0.1'))
  await client.hear()
  await client.say('LHLO mx.provider.example')
  await client.begin([told.replyTo], told.recipient)
  const text = `From: ${told.recipient}\r\nTo: ${told.replyTo}\r\nSubject: Re: x\r\nMessage-ID: <by-lmtp@reporter.example>\r\n\r\nFixed by LMTP.`
  assert.match(await client.endMail(text), /^250 /)
  client.close()
  const kept = await whenRead(app, token, 'by-lmtp')
  assert.deepEqual([kept.via, kept.state], ['lmtp', 'accepted'])
  const [comment] = await listComments(told.caseId)
  assert.deepEqual([comment.text, comment.party], ['Fixed by LMTP.', 'customer'])
})

test('an answer out of a mailbox becomes a comment of the case by the key in To', async () => {
  const told = await tell()
  const { reports } = app.services.casework
  const metrics = createMailMetrics(new Registry())
  const reading = createReadingQueue(reports, metrics)
  const text = `From: ${told.recipient}\r\nTo: ${told.replyTo}\r\nSubject: Re: x\r\nMessage-ID: <by-imap@reporter.example>\r\n\r\nFixed by IMAP.`
  await keepMail(
    { reports, reading, metrics, log: silentLog, storeMs: 20_000 },
    [{ tenantId: 'default' }],
    {
      via: 'imap',
      bytes: Buffer.from(text),
      receivedBy: 'imap:abuse@mail.provider.example',
      envelope: { from: null, to: [], remoteAddress: null, helo: null },
    },
  )
  const kept = await whenRead(app, token, 'by-imap')
  await reading.close()
  assert.deepEqual([kept.via, kept.state], ['imap', 'accepted'])
  const [comment] = await listComments(told.caseId)
  assert.deepEqual([comment.text, comment.party], ['Fixed by IMAP.', 'customer'])
})

describe('a bounce', () => {
  test('that is final ends the notice, the contact and the mail to it, once', async () => {
    const told = await tell()
    const late = await write({
      from: MAILER,
      to: told.bounceTo,
      ...writeDsn('delayed', '4.4.1', told.recipient),
    })
    assert.equal(late.state, 'accepted')
    assert.equal((await getNotice(told)).state, 'sent')
    await write({ from: MAILER, to: told.bounceTo, ...writeDsn('failed', '5.1.1', told.recipient) })
    await write({ from: MAILER, to: told.bounceTo, ...writeDsn('failed', '5.1.1', told.recipient) })
    const bounced = await getNotice(told)
    assert.deepEqual([bounced.state, bounced.reason], ['bounced', 'hard_bounce'])
    assert.equal((await getCase(told.caseId)).customer_status, 'bounced')
    const { contacts } = (await send('GET', `/customers/${told.customerId}`)).json()
    assert.deepEqual(
      contacts.map((one: { state: string }) => one.state),
      ['bounced', 'active'],
    )
    const { items } = (await send('GET', '/suppressed-addresses?limit=100')).json()
    const entry = items.find((one: { address: string }) => one.address === told.recipient)
    assert.equal(entry.cause, 'bounce')
    const history = (await send('GET', `/cases/${told.caseId}/history`)).json().items
    const rows = history.filter(
      (one: { changes?: { state?: string } }) => one.changes?.state === 'bounced',
    )
    assert.equal(rows.length, 1)
    const next = await notify(
      told.caseId,
      told.customerId,
      { template: 'answer', party: 'customer', text: 'x' },
      told.recipient.replace('desk', 'second'),
    )
    assert.equal((await getNotice(next)).recipient, next.recipient)
    await write({ from: next.recipient, to: next.replyTo })
    assert.equal((await getCase(told.caseId)).customer_status, 'seen')
  })

  test('of a digest is one of each notice that it told', async () => {
    const told = await tell()
    const digest = await tell()
    await query(app.connection, `update notice set case_id = null where id = '${digest.noticeId}'`)
    await query(
      app.connection,
      `update notice set digest_id = '${digest.noticeId}', reason = 'in_digest' where id = '${told.noticeId}'`,
    )
    const answered = await write({ from: digest.recipient, to: digest.replyTo })
    assert.match(answered.reason ?? '', /about no case/)
    await write({
      from: MAILER,
      to: digest.bounceTo,
      ...writeDsn('failed', '4.2.2', digest.recipient),
    })
    assert.equal((await getNotice(told)).state, 'bounced')
    assert.equal((await getCase(told.caseId)).customer_status, 'bounced')
  })

  test('that is soft, or sent to the address for answers, leaves the contact', async () => {
    const told = await tell()
    await write({ from: MAILER, to: told.replyTo, ...writeDsn('failed', '4.2.2', told.recipient) })
    const bounced = await getNotice(told)
    assert.deepEqual([bounced.state, bounced.reason], ['bounced', 'soft_bounce'])
    const { contacts } = (await send('GET', `/customers/${told.customerId}`)).json()
    assert.equal(contacts[0].state, 'active')
    assert.deepEqual(await listComments(told.caseId), [])
  })

  test('that is about the mail ends the address at the third', async () => {
    const told = await tell()
    const json = { template: 'answer', party: 'customer', text: 'x' }
    const states: string[] = []
    for (const count of [1, 2, 3]) {
      const one =
        count === 1 ? told : await notify(told.caseId, told.customerId, json, told.recipient)
      await write({ from: MAILER, to: one.bounceTo, ...writeDsn('failed', '5.7.1', one.recipient) })
      const { contacts } = (await send('GET', `/customers/${told.customerId}`)).json()
      states.push(contacts[0].state)
    }
    assert.deepEqual(states, ['active', 'active', 'bounced'])
  })

  test('without a key, with a wrong or an old one changes nothing', async () => {
    const told = await tell()
    const dsn = writeDsn('failed', '5.1.1', told.recipient)
    const forged = await write({
      from: MAILER,
      to: `abuse@${DOMAIN}`,
      ...dsn,
      headers: [...(dsn.headers ?? []), `In-Reply-To: <${told.messageId}>`],
    })
    assert.notEqual(forged.state, 'accepted')
    await write({ from: MAILER, to: `abuse+${'1'.repeat(32)}@${DOMAIN}`, ...dsn })
    await query(
      app.connection,
      `update notice set reply_until = now() where id = '${told.noticeId}'`,
    )
    await write({ from: MAILER, to: told.bounceTo, ...dsn })
    assert.equal((await getNotice(told)).state, 'sent')
  })

  test('that names another recipient, or nobody without our mail, changes nothing', async () => {
    const told = await tell()
    const ours = told.mail.slice(0, told.mail.indexOf('\r\n\r\n')).replaceAll('\r\n', '\n')
    const other = told.recipient.replace('desk', 'second')
    const kept = await write({
      from: MAILER,
      to: told.bounceTo,
      ...writeDsn('failed', '5.1.1', other, ours),
    })
    assert.equal(kept.event_count, 0)
    await write({ from: MAILER, to: told.bounceTo, ...writeDsn('failed', '5.1.1', '') })
    await write({ from: MAILER, to: told.bounceTo, ...writeOddBounce(other) })
    const still = await getNotice(told)
    assert.deepEqual([still.state, still.replies], ['sent', []])
    assert.notEqual((await getCase(told.caseId)).customer_status, 'bounced')
    const { contacts } = (await send('GET', `/customers/${told.customerId}`)).json()
    assert.deepEqual(
      contacts.map((one: { state: string }) => one.state),
      ['active', 'active'],
    )
    await write({ from: MAILER, to: told.bounceTo, ...writeDsn('failed', '5.1.1', '', ours) })
    assert.equal((await getNotice(told)).state, 'bounced')
  })

  test('of a forwarded mail, or of a program without a report, names the recipient of the notice', async () => {
    const forwarded = await tell()
    const dsn = writeDsn('failed', '5.2.2', 'joe@elsewhere.example')
    const original = `Original-Recipient: rfc822;${forwarded.recipient.replace('customer.example', 'Customer.EXAMPLE')}`
    const body = (dsn.body ?? '').replace('Final-', `${original}\nFinal-`)
    await write({ from: MAILER, to: forwarded.bounceTo, ...dsn, body })
    assert.equal((await getNotice(forwarded)).state, 'bounced')
    const told = await tell()
    await write({
      from: MAILER,
      to: told.bounceTo,
      envelopeFrom: '',
      headers: [`X-Failed-Recipients: ${told.recipient}`],
      body: 'A message could not be delivered.\n550 5.2.2 mailbox full',
    })
    assert.equal((await getNotice(told)).state, 'bounced')
  })

  test('of a complaint puts the recipient on the list, by the key of our mail within it', async () => {
    const told = await tell()
    const headers = told.mail.slice(0, told.mail.indexOf('\r\n\r\n'))
    const body = `--b
Content-Type: text/plain

This is an abuse report.
--b
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: SomeGenerator/1.0
Version: 1

--b
Content-Type: message/rfc822

${headers.replaceAll('\r\n', '\n')}

--b--
`
    const complaint = await write({
      from: 'fbl@mailbox.example',
      to: `abuse@${DOMAIN}`,
      headers: ['Content-Type: multipart/report; report-type=feedback-report; boundary=b'],
      body,
    })
    assert.deepEqual([complaint.state, complaint.event_count], ['accepted', 0])
    const { items } = (await send('GET', '/suppressed-addresses?limit=100')).json()
    const entry = items.find((one: { address: string }) => one.address === told.recipient)
    assert.equal(entry.cause, 'complaint')
    assert.equal((await getNotice(told)).state, 'sent')
  })
})

test('a notice of another tenant is not found by its key in this one', async () => {
  const told = await tell()
  const client = openClient(connect(mail.port, '127.0.0.1'))
  client.socket.write('PROXY TCP4 192.0.2.5 198.51.100.1 40000 25\r\n')
  await client.hear()
  await client.say('EHLO mail.customer.example')
  await client.begin(['abuse@other.example'], told.recipient)
  const text = `From: ${told.recipient}\r\nTo: ${told.replyTo}\r\nSubject: Re: x\r\nMessage-ID: <strange@reporter.example>\r\n\r\nFixed.`
  assert.match(await client.endMail(text), /^250 /)
  client.close()
  const kept = await whenRead(app, foreign, 'strange')
  assert.doesNotMatch(kept.reason ?? '', /notice/)
  assert.deepEqual(await listComments(told.caseId), [])
})

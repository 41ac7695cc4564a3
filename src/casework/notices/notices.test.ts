// Notices from the request to a real mail server on loopback: recipients, threads, refusals, lists.

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { Registry } from 'prom-client'
import { type MailSink, openMailSink } from '../../../test/fixtures/mail-sink.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { sendAllDue } from '../../../test/notice-kit.ts'
import { query } from '../../../test/query.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { silentLog } from '../../kernel/log.ts'
import { createReadiness } from '../../kernel/readiness.ts'
import { readMailIdentity } from './mail-identity.ts'
import { createNoticeMetrics } from './notice-metrics.ts'
import { type NoticeRequest, queueNotice, queueNotices } from './queue-notice.ts'
import { openRelay, type RelayOutcome } from './relay.ts'
import { createNoticeSender } from './send-notices.ts'
import { startNotices } from './start-notices.ts'

const LOGIN = { user: 'casework', pass: 'open sesame' }
const outcomes: RelayOutcome[] = []
let sink: MailSink
let app: TestApp
let bare: TestApp
let token = ''
let publicKey = ''

before(async () => {
  sink = await openMailSink(LOGIN)
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const keyFile = join(tmpdir(), `casework-dkim-${process.pid}.pem`)
  await writeFile(keyFile, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  })
  app = await openTestApp({
    environment: {
      CASEWORK_RELAY_URL: `smtp://casework@127.0.0.1:${sink.port}`,
      CASEWORK_RELAY_PASSWORD: LOGIN.pass,
      CASEWORK_MAIL_FROM: 'Abuse Desk <abuse@provider.example>',
      CASEWORK_MAIL_DOMAIN: 'in.provider.example',
      CASEWORK_DKIM_KEY_FILE: keyFile,
      CASEWORK_DKIM_SELECTOR: 'test',
    },
  })
  token = await app.createToken()
  bare = await openTestApp()
})
after(async () => {
  await app.close()
  await bare.close()
  await sink.close()
})

async function send(method: string, path: string, json?: unknown) {
  return await app.send(method, `/beta/casework${path}`, {
    token,
    ...(json === undefined ? {} : { json }),
  })
}

let made = 0
async function openCase(contacts: readonly object[] = [], event: object = {}): Promise<string> {
  made += 1
  await send('POST', '/customers', { id: `k-${made}`, name: `Customer ${made}`, contacts })
  const pushed = await send('POST', '/events', {
    event_date: '2026-11-20T10:00:00Z',
    event_type: 'Spam',
    ip: '192.0.2.7',
    sender_email: 'ann@reporter.example',
    customer_id: `k-${made}`,
    report_id: `r-${made}`,
    ...event,
  })
  assert.equal(pushed.status, 201, pushed.text)
  return pushed.json().case_id
}

const CONTACT = { email: 'abuse@customer.example', purpose: 'abuse', language: 'de' }

async function notify(caseId: string, json: object) {
  return await send('POST', `/cases/${caseId}/notices`, json)
}

function onOutcome(outcome: RelayOutcome): void {
  outcomes.push(outcome)
}

/** Makes everything due, and sends until nothing is left. */
async function sendAll(): Promise<void> {
  const { config, database, clock, ids } = app.services.foundation
  const mail = readMailIdentity(config)
  assert.ok(mail !== null)
  const relay = openRelay(config, mail)
  const count = createNoticeMetrics(new Registry())
  const sender = createNoticeSender({
    db: database.kysely,
    log: silentLog,
    clock,
    ids,
    mail,
    relay,
    count,
    onOutcome,
  })
  await query(app.connection, "update notice set wake_at = now() where state = 'waiting'")
  await sendAllDue(sender)
  relay.close()
}

function headersOf(text: string): string {
  return text.slice(0, text.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
}

function writeReport(headers: string, at: string): string {
  return `From: Ann <ann@reporter.example>\r\nTo: abuse@provider.example\r\nSubject: Spam\r\nMessage-ID: <${at}@reporter.example>\r\n${headers}\r\nSpam from 198.51.100.${at}\r\n`
}

describe('notices', () => {
  test('202 and sent to the contact in its language, signed, with headers that no program answers', async () => {
    const caseId = await openCase([
      { email: 'billing@customer.example', purpose: 'billing' },
      CONTACT,
    ])
    const queued = await notify(caseId, {
      template: 'notice',
      party: 'customer',
      text: 'Bitte bald.',
    })
    assert.equal(queued.status, 202, queued.text)
    assert.equal(queued.json().state, 'waiting')
    sink.mails.length = 0
    await sendAll()
    const [mail] = sink.mails
    assert.ok(mail !== undefined)
    assert.deepEqual(mail.to, ['abuse@customer.example'])
    assert.match(mail.from, /^bounce\+[0-9a-f]{32}@in\.provider\.example$/)
    const headers = headersOf(mail.text)
    assert.match(headers, /^From: Abuse Desk <abuse@provider\.example>$/m)
    assert.match(headers, /^Reply-To: Abuse Desk <abuse\+[0-9a-f]{32}@in\.provider\.example>$/m)
    assert.match(headers, /^Auto-Submitted: auto-generated$/m)
    assert.ok(headers.includes(`Subject: [${caseId}] Missbrauch gemeldet: Spam`), headers)
    assert.match(mail.text, /Bitte bald\./)
    const { results } = await dkimVerify(mail.text, {
      resolver: async () => [[`v=DKIM1; k=rsa; p=${publicKey}`]],
    })
    assert.deepEqual(
      results.map((one) => [one.status.result, one.signingDomain]),
      [['pass', 'provider.example']],
    )
    const sent = (await send('GET', `/notices/${queued.json().id}`)).json()
    assert.equal(sent.state, 'sent')
    assert.deepEqual(
      sent.attempt_list.map((one: { outcome: string; reply_code: number }) => [
        one.outcome,
        one.reply_code,
      ]),
      [['sent', 250]],
    )
    const shown = (await send('GET', `/cases/${caseId}`)).json()
    assert.equal(shown.customer_status, 'notified')
    const history = (await send('GET', `/cases/${caseId}/history?order=asc`)).json().items
    assert.deepEqual(
      history
        .filter((one: { kind: string }) => one.kind === 'notice')
        .map((one: { changes: { state: string } }) => one.changes.state),
      ['waiting', 'sent'],
    )
    const [row] = await query(
      app.connection,
      `select reply_key from notice where id = '${queued.json().id}'`,
    )
    assert.equal(row?.['reply_key'], null)
  })

  test('of a case and recipient are one thread', async () => {
    const caseId = await openCase([CONTACT])
    const first = (await notify(caseId, { template: 'notice', party: 'customer' })).json()
    const second = (await notify(caseId, { template: 'reminder', party: 'customer' })).json()
    const other = (
      await notify(caseId, {
        template: 'answer',
        party: 'other',
        address: 'bob@third.example',
        text: 'x',
      })
    ).json()
    assert.equal(second.thread, first.message_id)
    assert.equal(other.thread, other.message_id)
    sink.mails.length = 0
    await sendAll()
    const headers = sink.mails
      .map(({ text }) => headersOf(text))
      .find((one) => one.includes(`Message-ID: <${second.message_id}>`))
    assert.ok(headers !== undefined)
    assert.ok(headers.includes(`In-Reply-To: <${first.message_id}>`), headers)
    assert.ok(headers.includes(`References: <${first.message_id}>`), headers)
  })

  test('with one effect key are made once, also by two at a time', async () => {
    const caseId = await openCase([CONTACT])
    const { database, ids, clock, config } = app.services.foundation
    const scope = { tenantId: 'default' }
    const request = {
      caseId,
      template: 'notice',
      party: 'customer',
      effectKey: 'run-1:1:1',
      actor: { kind: 'run', id: 'run-1:mail', name: 'playbook' },
      causeId: 'run-1:1:1',
    } as const
    const queue = () =>
      inTransaction(database.kysely, (tx) =>
        queueNotice(tx, { ids, clock, mail: readMailIdentity(config) }, scope, request),
      )
    const both = await Promise.all([queue(), queue()])
    const again = await queue()
    const found = [...both, again].map((one) =>
      one.kind === 'queued' ? one.notice.id : one.reason,
    )
    assert.equal(new Set(found).size, 1, JSON.stringify(found))
    assert.equal([...both, again].filter((one) => one.kind === 'queued' && one.isNew).length, 1)
    const listed = (await send('GET', `/cases/${caseId}/notices`)).json().items
    assert.equal(listed.length, 1)
  })

  test('of a batch see those before them, and two batches in turned order do not lock each other out', async () => {
    const cases = [await openCase([CONTACT]), await openCase([CONTACT])]
    const { database, ids, clock, config } = app.services.foundation
    const batchOf = (name: string, addresses: readonly string[]): readonly NoticeRequest[] =>
      addresses.map((recipient, at) => ({
        caseId: cases[at % 2] ?? '',
        template: recipient === 'none' ? 'nope' : 'notice',
        party: 'other',
        recipient: recipient === 'none' ? 'x@nobody.example' : recipient,
        effectKey: `${name}:${at % 6}`,
        actor: { kind: 'run', id: 'run-9:mail', name: 'playbook' },
        causeId: 'run-9:1:1',
      }))
    const queue = (requests: readonly NoticeRequest[]) =>
      inTransaction(database.kysely, (tx) =>
        queueNotices(
          tx,
          { ids, clock, mail: readMailIdentity(config) },
          { tenantId: 'default' },
          requests,
        ),
      )
    const [one, two] = ['one@batch.example', 'two@batch.example']
    const first = await queue(batchOf('a', [one, 'none', one, two, two, one, one, one]))
    const told = first.map((outcome) =>
      outcome.kind === 'refused' ? outcome.reason : (outcome.notice.reason ?? outcome.notice.state),
    )
    // The limit is one a case; the seventh and the eighth have keys of the first two.
    assert.deepEqual(told.slice(0, 6), [
      'waiting',
      'no_template',
      'throttled',
      'waiting',
      'waiting',
      'waiting',
    ])
    const [earliest, , , , , , again] = first
    assert.ok(earliest?.kind === 'queued' && again?.kind === 'queued')
    assert.deepEqual([again.isNew, again.notice.id], [false, earliest.notice.id])
    const [thread] = await query(
      app.connection,
      `select count(*)::integer as messages, count(distinct thread)::integer as threads from notice
       where recipient = '${one}' and case_id = '${cases[0]}'`,
    )
    assert.deepEqual(thread, { messages: 2, threads: 1 })
    const many = Array.from({ length: 40 }, (_, at) => `n${at}@batch.example`)
    const turned = await Promise.all([
      queue(batchOf('b', many)),
      queue(batchOf('c', many.toReversed())),
    ])
    assert.ok(turned.flat().every(({ kind }) => kind === 'queued'))
  })

  test('that the relay refuses for now are sent later, and those it refuses for good fail', async () => {
    const caseId = await openCase([CONTACT])
    const { id } = (await notify(caseId, { template: 'notice', party: 'customer' })).json()
    sink.refuse = () => ({ code: 451, text: 'later' })
    await sendAll()
    const waiting = (await send('GET', `/notices/${id}`)).json()
    assert.deepEqual([waiting.state, waiting.attempts], ['waiting', 1])
    assert.equal(waiting.attempt_list[0].failure, 'The relay answered 451.')
    sink.refuse = () => ({ code: 550, text: 'no such user abuse@customer.example' })
    await sendAll()
    const failed = (await send('GET', `/notices/${id}`)).json()
    assert.deepEqual([failed.state, failed.reason], ['failed', 'refused_by_relay'])
    assert.equal((await send('GET', '/notices?state=failed')).json().items[0].id, id)
    sink.refuse = null
    const again = await send('POST', `/notices/${id}/resend`)
    assert.equal(again.status, 202, again.text)
    assert.equal((await send('POST', `/notices/${id}/resend`)).json().code, 'CASEWORK_NOTICE_WAITS')
    await sendAll()
    assert.equal((await send('GET', `/notices/${id}`)).json().state, 'sent')
  })

  test('to a recipient who was erased meanwhile are not given to the relay', async () => {
    const caseId = await openCase([CONTACT])
    const { id } = (await notify(caseId, { template: 'notice', party: 'customer' })).json()
    await app.services.foundation.database.pool.query(
      `update notice set recipient = 'erased-0f3a51c29d1be0c6a4d7e982@erased.invalid' where id = $1`,
      [id],
    )
    sink.mails.length = 0
    await sendAll()
    assert.equal(sink.mails.length, 0)
    const ended = (await send('GET', `/notices/${id}`)).json()
    assert.deepEqual([ended.state, ended.reason], ['failed', 'recipient_erased'])
  })

  test('409 without a contact that works, 400 for a template that shows too much, 404 for none', async () => {
    const caseId = await openCase([{ ...CONTACT, state: 'bounced' }])
    const none = await notify(caseId, { template: 'notice', party: 'customer' })
    assert.equal(none.json().code, 'CASEWORK_NOTICE_NOT_POSSIBLE')
    const much = await notify(caseId, { template: 'notice', party: 'reporter' })
    assert.equal(much.json().code, 'CASEWORK_TEMPLATE_NOT_VALID')
    const missing = await notify(caseId, { template: 'nope', party: 'reporter' })
    assert.equal(missing.json().code, 'CASEWORK_TEMPLATE_NOT_FOUND')
    const unset = await notify(caseId, {
      template: 'statement_of_reasons',
      party: 'other',
      address: 'a@b.example',
    })
    assert.match(unset.json().errors[0].reason, /undefined variable: reasons\.restriction/)
    for (const address of [
      'a@b.example\r\nBcc: c@d.example',
      'a@b.example, c@d.example',
      'x: a@b.example;',
    ]) {
      const odd = await notify(caseId, { template: 'answer', party: 'other', address })
      assert.equal(odd.json().code, 'CASEWORK_NOTICE_NOT_POSSIBLE', address)
    }
  })

  test('to a customer without contacts go to its reseller', async () => {
    await send('POST', '/customers', {
      id: 'reseller',
      contacts: [{ email: 'desk@reseller.example' }],
    })
    const caseId = await openCase([])
    await send('PATCH', `/customers/k-${made}`, { version: 1, parent_customer_id: 'reseller' })
    const queued = (await notify(caseId, { template: 'notice', party: 'customer' })).json()
    assert.deepEqual([queued.recipient, queued.language], ['desk@reseller.example', 'en'])
  })

  test('to an address on the list are not sent, and the list outlives an erasure', async () => {
    const caseId = await openCase([{ email: 'Stop@customer.example' }])
    const path = '/suppressed-addresses/stop@customer.example'
    assert.equal((await send('PUT', path, { note: 'asked us' })).json().cause, 'person')
    assert.equal(
      (await send('GET', '/suppressed-addresses?limit=1')).json().items[0].address,
      'stop@customer.example',
    )
    const queued = (await notify(caseId, { template: 'notice', party: 'customer' })).json()
    assert.deepEqual([queued.state, queued.reason], ['suppressed', 'on_list'])
    const refused = await send('POST', `/notices/${queued.id}/resend`)
    assert.equal(refused.json().code, 'CASEWORK_NOTICE_NOT_POSSIBLE')
    await query(app.connection, "update mail_suppression set address = 'erased'")
    assert.equal(
      (await notify(caseId, { template: 'notice', party: 'customer' })).json().reason,
      'on_list',
    )
    assert.equal((await send('DELETE', path)).status, 204)
    assert.equal((await send('DELETE', path)).json().code, 'CASEWORK_SUPPRESSED_ADDRESS_NOT_FOUND')
    const odd = await send('PUT', '/suppressed-addresses/nobody', {})
    assert.equal(odd.json().code, 'CASEWORK_SUPPRESSED_ADDRESS_NOT_VALID')
  })

  test('to a reporter answer his mail, and not one of a program or a forged sender', async () => {
    const cases: string[] = []
    for (const [headers, at] of [
      ['', '7'],
      ['Auto-Submitted: auto-generated\r\n', '8'],
    ] as const) {
      const answer = await app.send('POST', '/beta/casework/reports', {
        token,
        headers: { 'content-type': 'message/rfc822' },
        body: writeReport(headers, at),
      })
      const { items } = (await send('GET', `/reports/${answer.json().report_id}/events`)).json()
      cases.push((await send('GET', `/events/${items[0].event_id}`)).json().case_id)
    }
    const [person = '', program = ''] = cases
    const receipt = (await notify(person, { template: 'receipt', party: 'reporter' })).json()
    assert.deepEqual(
      [receipt.state, receipt.recipient, receipt.thread],
      ['waiting', 'ann@reporter.example', '7@reporter.example'],
    )
    const silent = (await notify(program, { template: 'receipt', party: 'reporter' })).json()
    assert.deepEqual([silent.state, silent.reason], ['suppressed', 'automatic_mail'])
    await query(
      app.connection,
      `update report set authentication = '{"dmarc": {"result": "fail"}}'`,
    )
    const forged = (await notify(person, { template: 'outcome', party: 'reporter' })).json()
    assert.deepEqual([forged.state, forged.reason], ['suppressed', 'sender_not_proven'])
  })

  test('to one recipient of a case end after twenty a day', async () => {
    const caseId = await openCase([CONTACT])
    const states: string[] = []
    for (let count = 0; count < 21; count += 1) {
      const json = { template: 'answer', party: 'customer', text: 'x' }
      states.push((await notify(caseId, json)).json().state)
    }
    assert.deepEqual([states[19], states[20]], ['waiting', 'suppressed'])
  })

  test('are held where no relay is set, and nothing is sent', async () => {
    const own = await bare.createToken()
    const pushed = await bare.send('POST', '/beta/casework/events', {
      token: own,
      json: {
        event_date: '2026-11-20T10:00:00Z',
        event_type: 'Spam',
        ip: '192.0.2.7',
        customer_id: 'k',
      },
    })
    const path = `/beta/casework/cases/${pushed.json().case_id}/notices`
    const json = { template: 'answer', party: 'other', address: 'bob@third.example' }
    const held = (await bare.send('POST', path, { token: own, json })).json()
    assert.deepEqual([held.state, held.reason], ['held', 'no_relay'])
    const again = await bare.send('POST', `/beta/casework/notices/${held.id}/resend`, {
      token: own,
    })
    assert.equal(again.json().code, 'CASEWORK_RELAY_NOT_SET')
    const readiness = createReadiness()
    const { database, ...rest } = bare.services.foundation
    const stop = startNotices({ ...rest, db: database.kysely, readiness })
    const [check] = readiness.list()
    assert.equal((await check?.check())?.state, 'off')
    await stop()
  })

  test('need whole settings of the relay', () => {
    const settings = {
      relayUrl: 'smtps://relay.example',
      relayPassword: null,
      relayPasswordFile: null,
      relayCaFile: null,
      relayConnections: 8,
      relayRate: 0,
      mailFrom: 'abuse@provider.example',
      mailDomain: null,
      dkimKeyFile: null,
      dkimSelector: null,
    }
    assert.throws(() => readMailIdentity({ ...settings, mailFrom: null }), /SETTINGS_NOT_USABLE/)
    const mail = readMailIdentity(settings)
    assert.ok(mail !== null)
    for (const wrong of [
      { dkimSelector: 'x' },
      { dkimSelector: 'x', dkimKeyFile: '/nonexistent' },
      { relayCaFile: '/nonexistent' },
      { relayUrl: 'smtps://user@relay.example', relayPasswordFile: '/nonexistent' },
    ]) {
      assert.throws(() => openRelay({ ...settings, ...wrong }, mail), /SETTINGS_NOT_USABLE/)
    }
  })

  test('404 for a notice of another tenant', async () => {
    const caseId = await openCase([CONTACT])
    const { id } = (await notify(caseId, { template: 'notice', party: 'customer' })).json()
    await app.createTenant('other')
    const foreign = await app.createToken({ tenantId: 'other' })
    const answer = await app.send('GET', `/beta/casework/notices/${id}`, { token: foreign })
    assert.equal(answer.json().code, 'CASEWORK_NOTICE_NOT_FOUND')
    assert.equal((await send('GET', '/notices/x')).status, 404)
  })
})

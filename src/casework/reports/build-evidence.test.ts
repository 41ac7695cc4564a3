// Evidence that goes with notices: whatever is sent, it names no trap and no reporter, but to an
// authority.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Registry } from 'prom-client'
import { type MailSink, openMailSink } from '../../../test/fixtures/mail-sink.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { sendAllDue } from '../../../test/notice-kit.ts'
import { silentLog } from '../../kernel/log.ts'
import { readMailIdentity } from '../notices/mail-identity.ts'
import { createNoticeMetrics } from '../notices/notice-metrics.ts'
import { openRelay } from '../notices/relay.ts'
import { createNoticeSender } from '../notices/send-notices.ts'

let sink: MailSink
let app: TestApp
let token = ''
let caseId = ''
before(async () => {
  sink = await openMailSink()
  app = await openTestApp({
    environment: {
      CASEWORK_RELAY_URL: `smtp://127.0.0.1:${sink.port}`,
      CASEWORK_MAIL_FROM: 'abuse@provider.example',
    },
  })
  token = await app.createToken()
  const trap = { tenant_id: 'default', trap: true }
  await app.send('PUT', '/beta/admin/report-addresses/*%40traps.example', { token, json: trap })
  const body = [
    'From: Ann Person <ann@reporter.example>',
    'To: abuse@provider.example',
    'Subject: Spam from 198.51.100.23',
    'Message-ID: <e1@reporter.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Spam from 198.51.100.23 came to us. Regards, Ann Person',
    '--b',
    'Content-Type: message/rfc822',
    '',
    'Received: from bad.example (198.51.100.23) by mx.reporter.example for <bait@traps.example>',
    'Delivered-To: bait@traps.example',
    'From: Shop <shop@bad.example>',
    'To: bait@traps.example',
    'Subject: Buy now',
    'X-Seen-By: relay7.reporter.example',
    '',
    'Dear bait@traps.example, buy at https://bad.example/?u=bait%40traps.example now',
    '--b--',
    '',
  ].join('\r\n')
  const kept = await app.send('POST', '/beta/casework/reports', {
    token,
    headers: { 'content-type': 'message/rfc822' },
    body,
  })
  assert.equal(kept.json().state, 'accepted', kept.text)
  caseId = kept.json().events[0].case_id
})
after(async () => {
  await app.close()
  await sink.close()
})

async function sendNotice(json: object): Promise<string> {
  const path = `/beta/casework/cases/${caseId}/notices`
  const queued = await app.send('POST', path, { token, json: { evidence: true, ...json } })
  assert.equal(queued.status, 202, queued.text)
  const { config, database, clock, ids } = app.services.foundation
  const mail = readMailIdentity(config)
  assert.ok(mail !== null)
  const relay = openRelay(config, mail)
  const sender = createNoticeSender({
    db: database.kysely,
    log: silentLog,
    clock,
    ids,
    mail,
    relay,
    count: createNoticeMetrics(new Registry()),
    buildEvidence: app.services.casework.buildEvidence,
    onOutcome: () => undefined,
  })
  await sendAllDue(sender)
  relay.close()
  const sent = await app.send('GET', `/beta/casework/notices/${queued.json().id}`, { token })
  assert.equal(sent.json().state, 'sent', sent.text)
  const [file] = sent.json().evidence
  assert.match(sink.mails.at(-1)?.text ?? '', new RegExp(`filename=${file.file_name}`))
  return file.text
}

test('evidence to a customer names neither trap nor reporter, and shows what was sent', async () => {
  const text = await sendNotice({
    template: 'notice',
    party: 'other',
    address: 'desk@customer.example',
  })
  assert.match(text, /Subject: Buy now/)
  assert.match(text, /https:\/\/bad\.example\//)
  assert.doesNotMatch(text, /bait|traps\.example|reporter\.example|Ann|Received/i)
})

test('evidence to an authority names the reporter, and no trap', async () => {
  const json = { purpose: 'notice', profile: 'authority', subject: 'Evidence', body: 'See below.' }
  const made = await app.send('PUT', '/beta/casework/templates/police/en', { token, json })
  assert.ok(made.status < 300, made.text)
  const text = await sendNotice({ template: 'police', party: 'other', address: 'p@police.example' })
  assert.match(text, /Regards, Ann Person/)
  assert.match(text, /mx\.reporter\.example/)
  assert.doesNotMatch(text, /bait(?:@|%40)traps/i)
})

test('200 for a preview: recipient, text and evidence as they would be sent, and nothing is stored', async () => {
  const path = `/beta/casework/cases/${caseId}/notices`
  const json = { template: 'notice', party: 'other', address: 'new@customer.example' }
  const list = async () => (await app.send('GET', path, { token })).json().items.length
  const count = await list()
  const preview = await app.send('POST', `${path}?preview=true`, {
    token,
    json: { ...json, evidence: true },
  })
  assert.equal(preview.status, 200, preview.text)
  const { recipient, state, subject, text, evidence } = preview.json()
  assert.deepEqual([recipient, state], ['new@customer.example', 'waiting'])
  assert.match(subject, /\[C-/)
  assert.match(text, /198/)
  assert.match(evidence[0].text, /Subject: Buy now/)
  assert.doesNotMatch(evidence[0].text, /bait|reporter\.example/)
  const bare = await app.send('POST', `${path}?preview=true`, { token, json })
  assert.equal(bare.json().evidence, undefined)
  const lost = await app.send('POST', `${path}?preview=true`, {
    token,
    json: { template: 'answer', party: 'customer' },
  })
  assert.equal(lost.status, 409, lost.text)
  assert.equal(await list(), count)
})

// The relay: a test mail with a verdict for each step, the rate, and whose turn it is.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { type MailSink, openMailSink } from '../../../test/fixtures/mail-sink.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { query } from '../../../test/query.ts'
import { sendTestMail } from '../../app/send-test-mail.ts'
import type { Config } from '../../kernel/config.ts'
import { silentLog } from '../../kernel/log.ts'
import { readMailIdentity } from './mail-identity.ts'
import { createNoticeMetrics } from './notice-metrics.ts'
import { claimNotices } from './notice-store.ts'
import { openRelay } from './relay.ts'
import { createNoticeSender } from './send-notices.ts'
import { createSendRate } from './send-rate.ts'

const LOGIN = { user: 'casework', pass: 'open sesame' }
let sink: MailSink
let app: TestApp

before(async () => {
  sink = await openMailSink(LOGIN)
  app = await openTestApp({
    environment: {
      CASEWORK_RELAY_URL: `smtp://casework@127.0.0.1:${sink.port}`,
      CASEWORK_RELAY_PASSWORD: LOGIN.pass,
      CASEWORK_MAIL_FROM: 'Abuse Desk <abuse@provider.example>',
    },
  })
})
after(async () => {
  await app.close()
  await sink.close()
})

async function tryMail(settings: Partial<Config>): Promise<readonly string[]> {
  const { config } = app.services.foundation
  const steps = await sendTestMail({ ...config, ...settings }, 'ops@provider.example')
  assert.doesNotMatch(JSON.stringify(steps), /open sesame|wrong word/)
  return steps.map(({ step, state }) => `${step} ${state}`)
}

describe('a test mail', () => {
  test('goes through the relay, and every step is told', async () => {
    sink.mails.length = 0
    assert.deepEqual(await tryMail({}), [
      'dns ok',
      'connect ok',
      'tls off',
      'login ok',
      'sender ok',
      'recipient ok',
      'content ok',
    ])
    assert.deepEqual(sink.mails[0]?.to, ['ops@provider.example'])
  })

  test('names the step that fails, and none behind it is tried', async () => {
    const wrong = await tryMail({ relayPassword: 'wrong word' })
    assert.deepEqual(wrong.slice(2), [
      'tls off',
      'login failed',
      'sender off',
      'recipient off',
      'content off',
    ])
    sink.refuse = () => ({ code: 550, text: 'no such user' })
    const refused = await tryMail({})
    sink.refuse = null
    assert.deepEqual(refused.slice(3), ['login ok', 'sender ok', 'recipient failed', 'content off'])
    const closed = await tryMail({ relayUrl: 'smtp://127.0.0.1:1' })
    assert.deepEqual(closed.slice(0, 3), ['dns ok', 'connect failed', 'tls off'])
    const unknown = await tryMail({ relayUrl: 'smtp://none.invalid' })
    assert.deepEqual(unknown.slice(0, 2), ['dns failed', 'connect off'])
  })

  test('is refused without a relay and for what is no address', async () => {
    const { config } = app.services.foundation
    await assert.rejects(sendTestMail({ ...config, relayUrl: null }, 'a@b.example'), /SETTINGS/)
    await assert.rejects(sendTestMail(config, 'nobody'), /SETTINGS/)
  })
})

function insert(tenant: string, domain: string, count: number): string {
  return `insert into notice (tenant_id, id, purpose, template, language, party, recipient, subject, text, state, message_id, thread, created_by)
       select '${tenant}', gen_random_uuid(), 'answer', 'answer', 'en', 'other', 'a@${domain}', 'x', 'x', 'waiting', 'm', 'm', 'x' from generate_series(1, ${count})`
}

describe('notices that are due', () => {
  test('of several tenants and domains take turns', async () => {
    await app.createTenant('other')
    await query(app.connection, insert('default', 'many.example', 300))
    await query(app.connection, insert('default', 'few.example', 2))
    await query(app.connection, insert('other', 'third.example', 1))
    await query(
      app.connection,
      `update notice set wake_at = now() - case when recipient = 'a@many.example' then interval '1 hour' else interval '1 minute' end`,
    )
    await query(
      app.connection,
      `update notice set wake_at = now() - interval '2 hours' where recipient = 'a@few.example'`,
    )
    const { database, ids } = app.services.foundation
    const claimed = await claimNotices({ db: database.kysely, log: silentLog }, ids.nextUuid(), 5)
    const count = (recipient: string): number =>
      claimed.filter((one) => one.recipient === recipient).length
    assert.deepEqual(
      [count('a@many.example'), count('a@few.example'), count('a@third.example')],
      [2, 2, 1],
    )
  })
})

test('a notice whose process died is tried again within five seconds, and no live one twice', async () => {
  const accepted: Socket[] = []
  const silent = createServer((socket) => void accepted.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { config, database, clock, ids } = app.services.foundation
  const mail = readMailIdentity(config)
  assert.ok(mail !== null && typeof silent.address() === 'object')
  const relayUrl = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const relay = openRelay({ ...config, relayUrl }, mail)
  const sender = createNoticeSender({
    db: database.kysely,
    log: silentLog,
    clock,
    ids,
    mail,
    relay,
    count: createNoticeMetrics(new Registry()),
    onOutcome: () => undefined,
  })
  await query(app.connection, 'delete from notice')
  await query(app.connection, insert('default', 'live.example', 2))
  assert.equal(await sender.begin(), 2)
  // As after the death of the process: this one sends it no more, and nobody keeps its lease.
  const dead = ids.nextUuid()
  await query(app.connection, insert('default', 'dead.example', 1))
  const [left] = await claimNotices({ db: database.kysely, log: silentLog }, dead, 5)
  assert.ok(left)
  const readLease = async (domain: string) => {
    const [lease] = await query(
      app.connection,
      `select min(extract(epoch from lease_until - now()))::float as "min", max(extract(epoch from lease_until - now()))::float as "max"
       from notice where recipient = 'a@${domain}'`,
    )
    return { min: Number(lease?.['min']), max: Number(lease?.['max']) }
  }
  assert.ok((await readLease('dead.example')).max <= 4)
  await query(app.connection, `update notice set lease_until = now() + interval '1 millisecond'`)
  await sender.keep()
  assert.ok((await readLease('live.example')).min > 1)
  assert.ok((await readLease('dead.example')).max < 1)
  const next = await claimNotices({ db: database.kysely, log: silentLog }, ids.nextUuid(), 5)
  assert.deepEqual(
    next.map(({ id, attempts }) => [id, attempts]),
    [[left.id, 2]],
  )
  for (const socket of accepted) socket.destroy()
  silent.close()
  relay.close()
  await sender.whenIdle()
  const ended = await query(
    app.connection,
    `select attempts, lease_owner from notice where recipient = 'a@live.example'`,
  )
  assert.deepEqual(ended, [
    { attempts: 1, lease_owner: null },
    { attempts: 1, lease_owner: null },
  ])
})

function askForTestMail(to: unknown, token: string) {
  return app.send('POST', '/beta/admin/test-mails', { token, json: { to } })
}

function findTestMailActs(): Promise<readonly object[]> {
  return query(app.connection, `select object_id from audit_entry where act = 'test_mail.send'`)
}

describe('POST /beta/admin/test-mails', () => {
  test('200 with every step, an act of the audit log, and what the relay said when it refused', async () => {
    const token = await app.createToken()
    sink.mails.length = 0
    const answer = await askForTestMail('ops@provider.example', token)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json().ok, true)
    assert.deepEqual(sink.mails[0]?.to, ['ops@provider.example'])
    assert.equal((await findTestMailActs()).length, 1)
    sink.refuse = () => ({ code: 550, text: 'no such user' })
    const refused = await askForTestMail('gone@provider.example', token)
    sink.refuse = null
    assert.equal(refused.json().ok, false)
    const failed = refused.json().steps.find(({ state }: { state: string }) => state === 'failed')
    assert.equal(failed.step, 'recipient')
    assert.match(failed.detail, /550 no such user/)
    assert.doesNotMatch(refused.text, /open sesame/)
  })

  test('403 without instance:admin, 400 for what is no address, and nothing is sent', async () => {
    const token = await app.createToken({
      scopes: ['audit:read', 'customers:write', 'notices:send'],
    })
    sink.mails.length = 0
    assert.equal((await askForTestMail('ops@provider.example', token)).status, 403)
    const wrong = await askForTestMail('nobody', await app.createToken())
    assert.equal(wrong.status, 400)
    assert.equal(wrong.json().code, 'CASEWORK_TEST_MAIL_NOT_VALID')
    assert.equal(sink.mails.length, 0)
  })

  test('429 with a wait after five, which no other token gets around, and it leaves no act', async () => {
    let waits = 0
    for (let sent = 0; sent < 8; sent += 1) {
      const former = (await findTestMailActs()).length
      const answer = await askForTestMail('ops@provider.example', await app.createToken())
      if (answer.status !== 429) continue
      waits += 1
      assert.ok(Number(answer.headers['retry-after']) >= 1)
      assert.equal((await findTestMailActs()).length, former)
    }
    assert.ok(waits > 0)
    assert.ok(sink.mails.length <= 6)
  })

  test('409 without a relay', async () => {
    const other = await openTestApp()
    const to = 'ops@provider.example'
    const path = '/beta/admin/test-mails'
    const answer = await other.send('POST', path, {
      token: await other.createToken(),
      json: { to },
    })
    assert.equal(answer.status, 409)
    assert.equal(answer.json().code, 'CASEWORK_RELAY_NOT_SET')
    await other.close()
  })
})

test('a rate gives places back evenly, and no more than of five seconds at once', () => {
  let now = 0
  const rate = createSendRate(120, { nowMs: () => now })
  assert.equal(rate.room(), 10)
  rate.take(10)
  assert.equal(rate.room(), 0)
  now += 1_000
  assert.equal(rate.room(), 2)
  now += 3_600_000
  assert.equal(rate.room(), 10)
  now -= 3_600_000
  assert.equal(rate.room(), 10)
  assert.equal(createSendRate(null, { nowMs: () => now }).room(), Number.POSITIVE_INFINITY)
})

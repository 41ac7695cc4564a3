// Limits of notices to one recipient, the digest that takes up what is above them, and addresses
// that get nothing: against a real mail server on loopback.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { type MailSink, openMailSink } from '../../../test/fixtures/mail-sink.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { sendAllDue } from '../../../test/notice-kit.ts'
import { query } from '../../../test/query.ts'
import { silentLog } from '../../kernel/log.ts'
import { readMailIdentity } from './mail-identity.ts'
import { makeDigests } from './make-digests.ts'
import { createNoticeMetrics } from './notice-metrics.ts'
import { openRelay } from './relay.ts'
import { createNoticeSender } from './send-notices.ts'

let sink: MailSink
let app: TestApp
let token = ''

before(async () => {
  sink = await openMailSink()
  app = await openTestApp({
    environment: {
      CASEWORK_RELAY_URL: `smtp://127.0.0.1:${sink.port}`,
      CASEWORK_MAIL_FROM: 'Abuse Desk <abuse@provider.example>',
      CASEWORK_MAIL_DOMAIN: 'in.provider.example',
    },
  })
  token = await app.createToken()
})
after(async () => {
  await app.close()
  await sink.close()
})

async function send(method: string, path: string, json?: unknown) {
  return await app.send(method, `/beta/casework${path}`, {
    token,
    ...(json === undefined ? {} : { json }),
  })
}

let made = 0
/** A case of a new customer. */
async function openCase(email: string): Promise<string> {
  made += 1
  const customer = `k-${made}`
  const contacts = [{ email, purpose: 'abuse', language: 'de' }]
  await send('POST', '/customers', { id: customer, name: `Customer ${made}`, contacts })
  const pushed = await send('POST', '/events', {
    event_date: '2026-11-20T10:00:00Z',
    event_type: 'Spam',
    ip: `192.0.2.${made}`,
    sender_email: 'ann@reporter.example',
    customer_id: customer,
    report_id: `r-${made}`,
  })
  assert.equal(pushed.status, 201, pushed.text)
  return pushed.json().case_id
}

async function notify(caseId: string, template: string, more: object = {}) {
  const json = { template, party: 'customer', text: 'x', ...more }
  return (await send('POST', `/cases/${caseId}/notices`, json)).json()
}

function mailDeps() {
  const { config, database, clock, ids } = app.services.foundation
  const mail = readMailIdentity(config)
  assert.ok(mail !== null)
  return { db: database.kysely, log: silentLog, clock, ids, mail, config }
}

const onOutcome = (): void => undefined

async function sendAll(): Promise<void> {
  const { config, ...deps } = mailDeps()
  const relay = openRelay(config, deps.mail)
  const count = createNoticeMetrics(new Registry())
  const sender = createNoticeSender({ ...deps, relay, count, onOutcome })
  await query(app.connection, "update notice set wake_at = now() where state = 'waiting'")
  await sendAllDue(sender)
  relay.close()
}

/** Makes what is held older than any hour of digests. */
async function passDigestHour(recipient: string): Promise<void> {
  await query(
    app.connection,
    `update notice set created_at = now() - interval '25 hours' where recipient = '${recipient}' and reason = 'throttled'`,
  )
}

const never = new AbortController().signal

/** Cases of several customers whose mail one person reads. */
async function openCases(email: string, count: number): Promise<readonly string[]> {
  const cases: string[] = []
  while (cases.length < count) cases.push(await openCase(email))
  return cases
}

describe('limits of notices', () => {
  test('hold what is above one a case and five a customer, also when eight come at once', async () => {
    const caseId = await openCase('one@customer.example')
    const all = await Promise.all(Array.from({ length: 8 }, () => notify(caseId, 'notice')))
    assert.deepEqual(all.map(({ state, reason }) => [state, reason].join(' ').trim()).toSorted(), [
      ...Array.from({ length: 7 }, () => 'held throttled'),
      'waiting',
    ])
    assert.equal((await notify(caseId, 'reminder')).state, 'waiting')
    const urgent = await notify(caseId, 'notice', { urgent: true })
    assert.equal(urgent.state, 'waiting')
    const cases = await openCases('two@customer.example', 7)
    const both = await Promise.all(cases.map((one) => notify(one, 'notice')))
    assert.equal(both.filter(({ state }) => state === 'waiting').length, 5)
    assert.equal(both.filter(({ reason }) => reason === 'throttled').length, 2)
  })

  test('count the contacts of a customer together, and other addresses each by itself', async () => {
    const contacts = ['abuse', 'legal', 'billing'].map((purpose) => {
      return { email: `${purpose}@three.example`, purpose, language: 'de' }
    })
    await send('POST', '/customers', { id: 'three', name: 'Three', contacts })
    // Events of one customer come to one case, so these cases are handed over to it.
    const cases = await openCases('before@three.example', 4)
    await query(
      app.connection,
      `update abuse_case set customer_id = 'three' where id in (${cases.map((one) => `'${one}'`).join()})`,
    )
    const [caseId = ''] = cases
    const tell = (one: string, at: number): Promise<{ state: string; reason?: string }> =>
      notify(one, 'notice', { contact_purpose: contacts[at % 3]?.purpose })
    const same = await Promise.all([0, 1, 2].map((at) => tell(caseId, at)))
    assert.deepEqual(same.map(({ state, reason = '' }) => `${state} ${reason}`.trim()).toSorted(), [
      'held throttled',
      'held throttled',
      'waiting',
    ])
    const all = await Promise.all(cases.slice(1).map(tell))
    assert.ok(all.every(({ state }) => state === 'waiting'))
    const limits = { reminder: { case_day: 1, recipient_day: 2 } }
    const shipped = (await send('GET', '/notice-limits')).json()
    assert.equal((await send('PUT', '/notice-limits', { ...shipped, limits })).status, 200)
    const reminders = await Promise.all(
      cases.map((one, at) =>
        notify(one, 'reminder', { contact_purpose: contacts[at % 3]?.purpose }),
      ),
    )
    assert.equal(reminders.filter(({ state }) => state === 'waiting').length, 2)
    await send('PUT', '/notice-limits', shipped)
    const recipients = (await send('GET', '/notices?customer_id=three')).json().items
    const seen = new Set(recipients.map((one: { recipient: string }) => one.recipient))
    assert.equal(seen.size, 3)
    for (const address of ['one@third.example', 'two@third.example']) {
      assert.equal((await notify(caseId, 'notice', { party: 'other', address })).state, 'waiting')
    }
  })

  test('never hold a statement of reasons or an answer', async () => {
    const caseId = await openCase('never@customer.example')
    const reasons = { restriction: 'x', ground: 'y' }
    for (const template of ['statement_of_reasons', 'statement_of_reasons', 'answer', 'answer']) {
      assert.equal((await notify(caseId, template, { reasons })).state, 'waiting', template)
    }
  })

  test('are settings of the tenant: other counts, none of a purpose, or off', async () => {
    const shipped = (await send('GET', '/notice-limits')).json()
    assert.deepEqual(
      [shipped.is_on, shipped.limits.receipt, shipped.digest],
      [true, { case_day: 1, recipient_day: 5 }, { hour: 8, time_zone: 'UTC' }],
    )
    const caseId = await openCase('set@customer.example')
    const limits = { notice: { case_day: 0, recipient_day: 9 } }
    const own = { is_on: true, limits, digest: { hour: 7, time_zone: 'Europe/Berlin' } }
    assert.deepEqual((await send('PUT', '/notice-limits', own)).json(), own)
    assert.deepEqual((await send('GET', '/notice-limits')).json(), own)
    assert.equal((await notify(caseId, 'notice')).reason, 'throttled')
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await notify(caseId, 'reminder')).state, 'waiting')
    }
    await send('PUT', '/notice-limits', { ...own, is_on: false })
    assert.equal((await notify(caseId, 'notice')).state, 'waiting')
    const zone = { hour: 7, time_zone: 'Europe/Atlantis' }
    const refused = await send('PUT', '/notice-limits', { ...own, digest: zone })
    assert.equal(refused.json().code, 'CASEWORK_NOTICE_LIMITS_NOT_VALID')
    await send('PUT', '/notice-limits', shipped)
  })

  test('let a person send a held notice now, or drop it', async () => {
    const caseId = await openCase('held@customer.example')
    const [, now, drop] = [
      await notify(caseId, 'notice'),
      await notify(caseId, 'notice'),
      await notify(caseId, 'notice'),
    ]
    assert.equal((await send('POST', `/notices/${now.id}/resend`)).json().state, 'waiting')
    const dropped = await send('POST', `/notices/${drop.id}/cancel`)
    assert.deepEqual(
      [dropped.status, dropped.json().state, dropped.json().reason],
      [200, 'suppressed', 'cancelled'],
    )
    sink.mails.length = 0
    await sendAll()
    const to = sink.mails.filter((one) => one.to.includes('held@customer.example'))
    assert.equal(to.length, 2)
    for (const id of [now.id, drop.id]) {
      const late = await send('POST', `/notices/${id}/cancel`)
      assert.equal(late.json().code, 'CASEWORK_NOTICE_NOT_CANCELLABLE')
    }
    const history = (await send('GET', `/cases/${caseId}/history?order=asc`)).json().items
    assert.ok(
      history.some(
        (one: { actor: { kind: string }; changes?: { reason?: string; notice_id?: string } }) =>
          one.changes?.notice_id === drop.id && one.changes?.reason === 'cancelled',
      ),
    )
  })
})

describe('a digest', () => {
  test('takes up what was held, once, in the language of the contact, and tells its cases', async () => {
    const email = 'digest@customer.example'
    await send('PUT', '/notice-limits', {
      is_on: true,
      limits: { notice: { case_day: 0, recipient_day: 0 } },
      digest: { hour: 8, time_zone: 'UTC' },
    })
    const cases = await openCases(email, 3)
    const held = await Promise.all(
      cases.map((one, at) => notify(one, 'notice', { evidence: at === 0 })),
    )
    const deps = mailDeps()
    await query(
      app.connection,
      `update notice set created_at = now() + interval '1 day' where recipient = '${email}'`,
    )
    assert.equal(await makeDigests(deps, never), 0)
    await passDigestHour(email)
    await Promise.all([makeDigests(deps, never), makeDigests(deps, never)])
    await makeDigests(deps, never)
    const listed = (await send('GET', `/notices?recipient=${email}&purpose=digest`)).json().items
    assert.equal(listed.length, 1)
    const [digest] = listed
    assert.deepEqual(
      [digest.state, digest.language, digest.thread === digest.message_id, digest.case_id],
      ['waiting', 'de', true, undefined],
    )
    const items = (await send('GET', `/notices?digest_id=${digest.id}&order=asc`)).json().items
    assert.deepEqual(
      new Set(items.map((one: { id: string }) => one.id)),
      new Set(held.map(({ id }) => id)),
    )
    assert.ok(
      items.every(
        (one: { state: string; reason: string }) =>
          one.state === 'held' && one.reason === 'in_digest',
      ),
    )
    const refused = await send('POST', `/notices/${held[0]?.id}/cancel`)
    assert.equal(refused.json().code, 'CASEWORK_NOTICE_NOT_CANCELLABLE')
    sink.mails.length = 0
    await sendAll()
    const mails = sink.mails.filter((one) => one.to.includes(email))
    assert.equal(mails.length, 1)
    const { text } = (await send('GET', `/notices/${digest.id}`)).json()
    assert.match(text, /^Guten Tag,/)
    for (const caseId of cases) assert.ok(text.includes(`== [${caseId}]`), text)
    assert.equal(text.match(/gibt es Belege/g)?.length, 1, 'only the first has evidence')
    assert.doesNotMatch(text, /ann@reporter/)
    for (const { id } of held) {
      const one = (await send('GET', `/notices/${id}`)).json()
      assert.deepEqual([one.state, one.reason, one.digest_id], ['sent', 'in_digest', digest.id])
    }
    for (const caseId of cases) {
      const shown = (await send('GET', `/cases/${caseId}`)).json()
      assert.equal(shown.customer_status, 'notified')
      const history = (await send('GET', `/cases/${caseId}/history?order=asc`)).json().items
      assert.deepEqual(
        history
          .filter((one: { kind: string }) => one.kind === 'notice')
          .map((one: { changes: { state: string; reason?: string } }) => [
            one.changes.state,
            one.changes.reason,
          ]),
        [
          ['held', 'throttled'],
          ['held', 'in_digest'],
          ['sent', undefined],
        ],
      )
    }
    // One a day: what is held later waits for the next one.
    const later = await notify(cases[0] ?? '', 'notice')
    await passDigestHour(email)
    await makeDigests(deps, never)
    assert.equal((await send('GET', `/notices/${later.id}`)).json().reason, 'throttled')
  })

  test('that breaks off in the middle leaves nothing, and is made by the next pass', async () => {
    const email = 'crash@customer.example'
    const cases = await openCases(email, 2)
    for (const one of cases) await notify(one, 'notice')
    await passDigestHour(email)
    const deps = mailDeps()
    for (const calls of [1, 2]) {
      let left = calls
      const nextUuid = (): string => {
        left -= 1
        if (left < 0) throw new Error('it breaks off here')
        return deps.ids.nextUuid()
      }
      assert.equal(await makeDigests({ ...deps, ids: { nextUuid } }, never), 0)
      const none = (await send('GET', `/notices?recipient=${email}&purpose=digest`)).json().items
      assert.equal(none.length, 0)
    }
    assert.equal(await makeDigests(deps, never), 1)
    const taken = (await send('GET', `/notices?recipient=${email}&reason=in_digest`)).json().items
    assert.equal(taken.length, 2)
  })

  test('that fails holds up no other', async () => {
    const emails = ['failing@customer.example', 'sound@customer.example']
    for (const email of emails) {
      const [caseId] = await openCases(email, 1)
      await notify(caseId ?? '', 'notice')
      await passDigestHour(email)
    }
    const deps = mailDeps()
    let isFirst = true
    const nextUuid = (): string => {
      if (!isFirst) return deps.ids.nextUuid()
      isFirst = false
      throw new Error('it breaks off here')
    }
    assert.equal(await makeDigests({ ...deps, ids: { nextUuid } }, never), 1)
    assert.equal(await makeDigests(deps, never), 1)
  })

  test('of a tenant whose template fails is the shipped one; long texts are left out', async () => {
    const email = 'long@customer.example'
    const body = '{% for a in (1..9000) %}{% for b in (1..9000) %}xx{% endfor %}{% endfor %}'
    assert.equal((await send('PUT', '/templates/digest/de', { subject: 'x', body })).status, 200)
    const [caseId = ''] = await openCases(email, 1)
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) {
      ids.push((await notify(caseId, 'notice', { text: 'y'.repeat(10_000) })).id)
    }
    await passDigestHour(email)
    assert.equal(await makeDigests(mailDeps(), never), 1)
    await send('DELETE', '/templates/digest/de')
    const [{ id }] = (await send('GET', `/notices?recipient=${email}&purpose=digest`)).json().items
    const { text, subject } = (await send('GET', `/notices/${id}`)).json()
    assert.equal(subject, '5 weitere Hinweise')
    assert.equal(text.split(`== [${caseId}]`).length - 1, 5)
    assert.ok(text.length < 45_000)
    // Cancelled as a whole.
    assert.equal((await send('POST', `/notices/${id}/cancel`)).status, 200)
    const one = (await send('GET', `/notices/${ids[0]}`)).json()
    assert.deepEqual([one.state, one.reason], ['suppressed', 'in_digest'])
  })

  test('is not made for a recipient who is on the list by now', async () => {
    const email = 'listed@customer.example'
    const [caseId = ''] = await openCases(email, 1)
    const { id } = await notify(caseId, 'notice')
    await send('PUT', `/suppressed-addresses/${email}`, {})
    await passDigestHour(email)
    assert.equal(await makeDigests(mailDeps(), never), 0)
    const one = (await send('GET', `/notices/${id}`)).json()
    assert.deepEqual([one.state, one.reason], ['suppressed', 'on_list'])
  })
})

describe('notices', () => {
  test('are found by state, reason, party, purpose, case, customer, recipient and time', async () => {
    const caseId = await openCase('Find@customer.example')
    const customer = `k-${made}`
    const { id } = await notify(caseId, 'reminder')
    const other = { party: 'other', address: 'bob@third.example' }
    const { id: answer } = await notify(caseId, 'answer', other)
    const find = async (filter: string): Promise<string[]> => {
      const found = await send('GET', `/notices?case_id=${caseId}&${filter}`)
      assert.equal(found.status, 200, found.text)
      return found.json().items.map((one: { id: string }) => one.id)
    }
    assert.deepEqual(await find('order=asc'), [id, answer])
    assert.deepEqual(await find('party=customer'), [id])
    assert.deepEqual(await find('purpose=answer'), [answer])
    assert.deepEqual(await find(`customer_id=${customer}`), [id])
    assert.deepEqual(await find('recipient=find@CUSTOMER.example'), [id])
    assert.deepEqual(await find('state=held'), [])
    assert.deepEqual(await find('created_after=2026-01-01T00:00:00Z&order=desc'), [answer, id])
    assert.deepEqual(await find('created_before=2026-01-01T00:00:00Z'), [])
    assert.equal((await send('GET', '/notices?party=nobody')).status, 400)
    assert.equal((await send('GET', '/notices?digest_id=x')).status, 400)
  })

  test('that would come back to us, or that a program reads, are not sent', async () => {
    const path = '/beta/admin/report-addresses/*@reports.provider.example'
    const json = { tenant_id: 'default' }
    const put = await app.send('PUT', path, { token, json })
    assert.ok(put.status < 300, put.text)
    const caseId = await openCase('loop@customer.example')
    const refused: readonly (readonly [string, string])[] = [
      ['Abuse@provider.example', 'own_address'],
      ['abuse+0123@in.provider.example', 'own_address'],
      ['bounce+0123@in.provider.example', 'own_address'],
      ['any@reports.provider.example', 'own_address'],
      ['MAILER-DAEMON@third.example', 'system_address'],
    ]
    for (const [address, reason] of refused) {
      const one = await notify(caseId, 'answer', { party: 'other', address })
      assert.deepEqual([one.state, one.reason], ['suppressed', reason], address)
      const again = await send('POST', `/notices/${one.id}/resend`)
      assert.equal(again.json().code, 'CASEWORK_NOTICE_NOT_POSSIBLE')
    }
    for (const local of ['owner-list', 'list-request', 'list-bounces', 'no-reply', 'majordomo']) {
      const listed = await openCase(`${local}@customer.example`)
      assert.equal((await notify(listed, 'notice')).reason, 'system_address', local)
      const address = `${local}@customer.example`
      const byHand = await notify(listed, 'answer', { party: 'other', address })
      assert.equal(byHand.state, 'waiting', local)
    }
    const free = await notify(caseId, 'answer', { party: 'other', address: 'x@provider.example' })
    assert.equal(free.state, 'waiting')
  })

  test('to one recipient end after five hundred a day, over all cases', async () => {
    const caseId = await openCase('flood@customer.example')
    await notify(caseId, 'answer')
    await query(
      app.connection,
      `insert into notice select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'case_id', 'C-other'))).*
       from notice as one, generate_series(1, 499) where recipient = 'flood@customer.example'`,
    )
    const last = await notify(caseId, 'answer')
    assert.deepEqual([last.state, last.reason], ['suppressed', 'too_many'])
    const reasons = { restriction: 'x', ground: 'y' }
    assert.equal((await notify(caseId, 'statement_of_reasons', { reasons })).state, 'waiting')
  })
})

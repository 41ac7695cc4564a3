// A person corrects what was read out of a report: its events, their cases, customers and sightings
// follow, and neither the same mail nor a replay undoes it.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TestAnswer, type TestRequest, withApp } from '../../../test/harness.ts'
import { query } from '../../../test/query.ts'
import { collectAll, listTags } from '../../../test/sighting-kit.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { recountCases } from '../cases/recount/recount-cases.ts'
import { setListener } from '../changes/outbox-store.ts'
import { removeReports } from '../privacy/retention/retention-store.ts'

const app = withApp()
const CASEWORK = '/beta/casework'
const SCOPE = { tenantId: 'default' }
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let mailCount = 0

interface Kept {
  readonly id: string
  readonly events: readonly { readonly event_id: string; readonly case_id: string }[]
  readonly state: string
}

function write(subject: string, text: string): string {
  mailCount += 1
  return [
    'From: Ann Reporter <ann@reporter.example>',
    'To: abuse@provider.example',
    `Subject: ${subject}`,
    `Message-ID: <${mailCount}@reporter.example>`,
    `Date: ${new Date(Date.now() - 3_600_000).toUTCString().replace('GMT', '+0000')}`,
    '',
    text,
  ].join('\r\n')
}

async function keep(body: string, token = app.token): Promise<Kept> {
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await app.send('POST', `${CASEWORK}/reports`, { token, body, headers })
  assert.equal(answer.status, 201, answer.text)
  const { report_id: id, events, state } = answer.json()
  return { id, events, state }
}

function correct(id: string, json: object, request: TestRequest = {}): Promise<TestAnswer> {
  const path = `${CASEWORK}/reports/${id}/correct`
  return app.send('POST', path, { token: app.token, json, ...request })
}

async function get(path: string): Promise<ReturnType<TestAnswer['json']>> {
  const answer = await app.send('GET', `${CASEWORK}${path}`, { token: app.token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

async function readEntry(caseId: string): Promise<ReturnType<TestAnswer['json']>> {
  const { items } = await get(`/cases/${caseId}/history`)
  return items.find(({ kind }: { kind: string }) => kind === 'correct')
}

async function listCorrected(corrected: boolean): Promise<readonly string[]> {
  const { items } = await get(`/reports?corrected=${corrected}&limit=1000`)
  return items.map(({ report_id: id }: { report_id: string }) => id)
}

async function assertRefused(
  id: string,
  json: object,
  status: number,
  path?: string,
): Promise<void> {
  const answer = await correct(id, json)
  assert.equal(answer.status, status, answer.text)
  if (path !== undefined) assert.equal(answer.json().errors[0].path, path, answer.text)
}

function keepOne(): Promise<Kept> {
  return keep(write('Port scan from 192.0.2.80', '192.0.2.80 scanned our ports.'))
}

describe('one event of a report', () => {
  test('200: another type and address; it leaves its case, which is closed, and joins one of its own', async () => {
    const { id, events } = await keep(
      write('Port scan from 192.0.2.10', '192.0.2.10 scanned our ports.'),
    )
    const [event] = events
    assert.ok(event !== undefined)
    const subject = { ip: '192.0.2.11' }
    const target = { ip: '192.0.2.10' }
    const change = { event_id: event.event_id, event_type: 'LoginAttack', subject, target }
    const answer = await correct(id, { version: 1, reason: 'Wrong side', events: [change] })
    assert.equal(answer.status, 200, answer.text)
    const { events: outcomes, version, state, corrections } = answer.json()
    assert.deepEqual([version, state, answer.headers['etag']], [2, 'accepted', '"2"'])
    assert.equal(outcomes[0].outcome, 'changed')
    assert.notEqual(outcomes[0].case_id, event.case_id)
    const after = await get(`/events/${event.event_id}`)
    assert.deepEqual(
      [after.event_type, after.ip, after.event_details['target'], after.customer_id],
      ['LoginAttack', '192.0.2.11', { ip: '192.0.2.10' }, '192.0.2.11'],
    )
    const former = await get(`/cases/${event.case_id}`)
    assert.deepEqual(
      [former.state, former.close_reason, former.event_count],
      ['CLOSED', 'false_positive', 0],
    )
    const next = await get(`/cases/${outcomes[0].case_id}`)
    assert.deepEqual([next.state, next.event_count, next.event_types], ['NEW', 1, ['LoginAttack']])
    const [correction] = corrections
    assert.equal(correction.reason, 'Wrong side')
    assert.deepEqual(correction.changes, [
      {
        event_id: event.event_id,
        kind: 'changed',
        before: { event_type: 'PortScan', ip: '192.0.2.10' },
        after: { event_type: 'LoginAttack', ip: '192.0.2.11', target: { ip: '192.0.2.10' } },
      },
    ])
    assert.deepEqual((await get(`/reports/${id}`)).corrections, corrections)
  })

  test('the histories of both cases name the correction, its reason and who made it', async () => {
    const { id, events } = await keep(
      write('Port scan from 192.0.2.12', '192.0.2.12 scanned our ports.'),
    )
    const event_id = events[0]?.event_id
    const json = {
      version: 1,
      reason: 'Swapped',
      events: [{ event_id, subject: { ip: '192.0.2.13' } }],
    }
    const { corrections, events: outcomes } = (await correct(id, json)).json()
    const base = { report_id: id, correction_id: corrections[0].id }
    const left = await readEntry(events[0]?.case_id ?? '')
    assert.deepEqual([left.changes, left.reason], [{ ...base, left: [event_id] }, 'Swapped'])
    assert.deepEqual([left.actor_kind, left.actor], ['token', corrections[0].corrected_by])
    const joined = await readEntry(outcomes[0].case_id)
    assert.deepEqual(joined.changes, { ...base, joined: [event_id] })
  })

  test('another type alone stays in the case of its key, and the case counts it anew', async () => {
    const { id, events } = await keep(
      write('Port scan from 192.0.2.14', '192.0.2.14 scanned our ports.'),
    )
    const [event] = events
    const change = { event_id: event?.event_id, event_type: 'DDos' }
    const { events: outcomes } = (await correct(id, { version: 1, events: [change] })).json()
    const found = await get(`/cases/${outcomes[0].case_id}`)
    assert.deepEqual([found.event_count, found.event_types, found.state], [1, ['DDos'], 'NEW'])
    const record = await get(`/events/${event?.event_id}`)
    assert.deepEqual([record.xarf_class, record.event_subtypes ?? []], ['connection', []])
  })

  test('withdrawn: it is gone, its case is closed, and the report is rejected', async () => {
    const { id, events } = await keep(
      write('Port scan from 192.0.2.15', '192.0.2.15 scanned our ports.'),
    )
    const [event] = events
    const json = { version: 1, events: [{ event_id: event?.event_id, withdraw: true }] }
    const answer = await correct(id, json)
    const { state, rejected, reason, event_count: count, events: outcomes } = answer.json()
    assert.deepEqual([state, rejected, count], ['rejected', true, 0])
    assert.equal(reason, 'A person corrected it: it reports nothing.')
    assert.deepEqual(outcomes, [{ event_id: event?.event_id, outcome: 'withdrawn' }])
    const path = `${CASEWORK}/events/${event?.event_id}`
    assert.equal((await app.send('GET', path, { token: app.token })).status, 404)
    assert.equal((await get(`/cases/${event?.case_id}`)).close_reason, 'false_positive')
    assert.deepEqual((await get(`/reports/${id}/events`)).items, [])
  })

  test('a case with other events stays open and counts what is left', async () => {
    const text = '192.0.2.16 scanned our ports.'
    const first = await keep(write('Port scan from 192.0.2.16', text))
    const second = await keep(write('Port scan from 192.0.2.16', `${text} Again.`))
    const caseId = first.events[0]?.case_id
    assert.equal(second.events[0]?.case_id, caseId)
    await correct(second.id, { version: 1, withdraw_all: true })
    const found = await get(`/cases/${caseId}`)
    assert.deepEqual([found.state, found.event_count], ['NEW', 1])
  })
})

describe('an event that the reader missed', () => {
  test('is added to a rejected report, with its reporter, recipient and date; the report is accepted', async () => {
    const kept = await keep(write('[Ticket 9] closed', 'Your request was closed. Thank you.'))
    assert.equal(kept.state, 'rejected')
    const subject = { url: 'https://login.bad.example/in' }
    const add = [{ event_type: 'Phishing', subject, target: { domain: 'bank.example' } }]
    const answer = await correct(kept.id, { version: 1, add })
    assert.equal(answer.status, 200, answer.text)
    const { state, rejected, event_count: count, events, corrections } = answer.json()
    assert.deepEqual([state, rejected, count], ['accepted', false, 1])
    assert.deepEqual([events[0].outcome, typeof events[0].case_id], ['added', 'string'])
    const record = await get(`/events/${events[0].event_id}`)
    assert.deepEqual(
      [record.sender_email, record.recipient_email, record.domain, record.event_details],
      [
        'ann@reporter.example',
        'abuse@provider.example',
        'login.bad.example',
        {
          url: 'https://login.bad.example/in',
          target: { domain: 'bank.example' },
        },
      ],
    )
    assert.ok(Date.parse(record.event_date) < Date.parse(record.create_date) - 3_000_000)
    assert.equal(corrections[0].former_state, 'rejected')
    assert.match(corrections[0].former_reason, /closed ticket/)
    assert.equal((await get(`/reports/${kept.id}/events`)).items.length, 1)
    assert.equal((await get(`/cases/${events[0].case_id}/reports`)).items[0].report_id, kept.id)
  })

  test('is added to a quarantined report; its sender is named where nobody else is known', async () => {
    const headers = { 'content-type': 'application/octet-stream' }
    const body = Buffer.from([0, 1, 2, 3, 4])
    const token = await app.createToken({ contactEmail: null })
    const sent = await app.send('POST', `${CASEWORK}/reports`, { token, body, headers })
    const { report_id: id, state } = sent.json()
    assert.equal(state, 'quarantined')
    const event = { event_type: 'Spam', subject: { ip: '192.0.2.20' } }
    const refused = await correct(id, { version: 1, add: [event] })
    assert.equal(refused.json().errors?.[0]?.path, '/add/0/sender_email', refused.text)
    const add = [{ ...event, sender_email: 'bob@reporter.example' }]
    const { state: after, events } = (await correct(id, { version: 1, add })).json()
    assert.deepEqual([after, events.length], ['accepted', 1])
  })

  test('several at once, with a withdrawal, in one act', async () => {
    const { id, events } = await keep(
      write('Port scan from 192.0.2.21', '192.0.2.21 scanned our ports.'),
    )
    const add = ['192.0.2.22', '192.0.2.23'].map((ip) => ({
      event_type: 'PortScan',
      subject: { ip },
    }))
    const json = { version: 1, events: [{ event_id: events[0]?.event_id, withdraw: true }], add }
    const answer = (await correct(id, json)).json()
    assert.deepEqual(
      answer.events.map(({ outcome }: { outcome: string }) => outcome),
      ['withdrawn', 'added', 'added'],
    )
    assert.equal(answer.event_count, 2)
  })
})

describe('nothing undoes a correction silently', () => {
  test('409: a corrected report is not read again, and keeps its events', async () => {
    const { id, events } = await keep(
      write('Port scan from 192.0.2.30', '192.0.2.30 scanned our ports.'),
    )
    await correct(id, {
      version: 1,
      events: [{ event_id: events[0]?.event_id, event_type: 'Spam' }],
    })
    const answer = await app.send('POST', `${CASEWORK}/reports/${id}/replay`, { token: app.token })
    assert.deepEqual(
      [answer.status, answer.headers['casework-problem']],
      [409, 'CASEWORK_REPORT_IS_CORRECTED'],
    )
    assert.equal((await get(`/events/${events[0]?.event_id}`)).event_type, 'Spam')
  })

  test('the same mail once more repeats the corrected event', async () => {
    const mail = write('Port scan from 192.0.2.31', '192.0.2.31 scanned our ports.')
    const { id, events } = await keep(mail)
    await correct(id, {
      version: 1,
      events: [{ event_id: events[0]?.event_id, event_type: 'Spam' }],
    })
    const again = await keep(mail)
    assert.deepEqual(
      again.events.map(({ event_id: one }) => one),
      [events[0]?.event_id],
    )
    assert.equal((await get(`/events/${events[0]?.event_id}`)).event_type, 'Spam')
  })

  test('the same mail once more, and its dry run, bring no withdrawn event back', async () => {
    const mail = write('Port scan from 192.0.2.32', '192.0.2.32 scanned our ports.')
    const { id } = await keep(mail)
    await correct(id, { version: 1, withdraw_all: true })
    const again = await keep(mail)
    assert.deepEqual([again.state, again.events], ['rejected', []])
    const { reason, event_count: count } = await get(`/reports/${again.id}`)
    assert.match(reason, /A person withdrew its events/)
    assert.equal(count, 0)
    const headers = { 'content-type': 'message/rfc822' }
    const path = `${CASEWORK}/reports?dry_run=true`
    const dry = await app.send('POST', path, { token: app.token, body: mail, headers })
    assert.deepEqual(dry.json().decided_by, { rule: 'withdrawn-by-person' })
  })
})

describe('what follows the events', () => {
  test('sightings of the report go with the withdrawn address, and come to the right one', async () => {
    const { id, events } = await keep(
      write('Port scan from 198.51.100.40', '198.51.100.40 scanned our ports.'),
    )
    await collectAll(app)
    const noted = async () =>
      await query(app.connection, 'select items from report_sighting_change where tenant_id = $1', [
        'default',
      ])
    assert.deepEqual(await noted(), [])
    const change = { event_id: events[0]?.event_id, subject: { ip: '198.51.100.42' } }
    await correct(id, { version: 1, events: [change] })
    const items = (await noted()).flatMap((row) => row['items'] as string[])
    assert.deepEqual(new Set(items), new Set(['198.51.100.40', '198.51.100.42']))
    await collectAll(app)
    assert.deepEqual(await listTags(app, '198.51.100.40'), [])
  })

  test('who listens learns of the report and of each event', async () => {
    const { kysely } = app.services.foundation.database
    await inTransaction(kysely, (tx) => setListener(tx, SCOPE, 'test', ['report', 'event']))
    const { id, events } = await keep(
      write('Port scans from 192.0.2.52 and 192.0.2.53', 'IPs:\n192.0.2.52\n192.0.2.53'),
    )
    const [one, other] = events.map(({ event_id: eventId }) => eventId)
    await query(app.connection, 'delete from change')
    const changes = [
      { event_id: one, event_type: 'Spam' },
      { event_id: other, withdraw: true },
    ]
    await correct(id, { version: 1, events: changes })
    const noted = await query(
      app.connection,
      'select what, subject_id as id from change order by change.id',
    )
    assert.deepEqual(noted, [
      { what: 'withdrawn', id: other },
      { what: 'corrected', id: one },
      { what: 'corrected', id },
    ])
    await inTransaction(kysely, (tx) => setListener(tx, SCOPE, 'test', []))
  })

  test('the list of corrected reports has it', async () => {
    const one = await keep(write('Port scan from 192.0.2.50', '192.0.2.50 scanned our ports.'))
    const other = await keep(write('Port scan from 192.0.2.51', '192.0.2.51 scanned our ports.'))
    await correct(one.id, { version: 1, withdraw_all: true })
    const [yes, no] = [await listCorrected(true), await listCorrected(false)]
    assert.deepEqual([yes.includes(one.id), yes.includes(other.id)], [true, false])
    assert.deepEqual([no.includes(one.id), no.includes(other.id)], [false, true])
  })

  test('an event that is unassigned or pending is corrected as well', async () => {
    await app.createTenant('owners')
    const token = await app.createToken({ tenantId: 'owners' })
    const send = (method: string, path: string, json?: unknown) =>
      app.send(method, `${CASEWORK}${path}`, { token, ...(json === undefined ? {} : { json }) })
    await send('POST', '/customers/bulk', [{ id: 'k-1' }])
    await send('POST', '/resources', {
      kind: 'ip_range',
      value: '192.0.2.64/28',
      customer_id: 'k-1',
    })
    const { id, events } = await keep(
      write('Port scan from 203.0.113.9', '203.0.113.9 scanned our ports.'),
      token,
    )
    assert.equal(events[0]?.case_id, undefined)
    const change = { event_id: events[0]?.event_id, subject: { ip: '192.0.2.65' } }
    const answer = await correct(id, { version: 1, events: [change] }, { token })
    assert.equal(typeof answer.json().events[0].case_id, 'string', answer.text)
    const record = (await send('GET', `/events/${events[0]?.event_id}`)).json()
    assert.equal(record.customer_id, 'k-1')
    const counters = (await send('GET', '/customers/k-1/counters')).json()
    assert.equal(JSON.stringify(counters).includes('"events":1'), true, JSON.stringify(counters))
  })

  test('erasure replaces an address in the correction', async () => {
    const kept = await keep(write('[Ticket 10] closed', 'Your request was closed. Thank you.'))
    const add = [
      { event_type: 'Spam', subject: { ip: '192.0.2.66' }, sender_email: 'carl@person.example' },
    ]
    await correct(kept.id, { version: 1, reason: 'Said carl@person.example', add })
    const json = { address: 'carl@person.example' }
    const exported = await app.send('POST', `${CASEWORK}/privacy-exports`, {
      token: app.token,
      json,
    })
    const tables = exported.json().items.map(({ table }: { table: string }) => table)
    assert.ok(tables.includes('report_correction'), exported.text)
    const erased = await app.send('POST', `${CASEWORK}/erasures`, { token: app.token, json })
    assert.ok(erased.status < 300, erased.text)
    const [correction] = (await get(`/reports/${kept.id}`)).corrections
    assert.doesNotMatch(JSON.stringify(correction), /carl@person/)
  })
})

describe('refusals', () => {
  test('404 for an unknown report, for one of another tenant and for what is no id', async () => {
    const { id } = await keepOne()
    const json = { version: 1, withdraw_all: true }
    await assertRefused(UNKNOWN, json, 404)
    await assertRefused('nonsense', json, 404)
    await app.createTenant('strangers')
    const token = await app.createToken({ tenantId: 'strangers' })
    assert.equal((await correct(id, json, { token })).status, 404)
    assert.equal((await get(`/reports/${id}`)).version, 1)
  })

  test('403 without cases:write', async () => {
    const { id } = await keepOne()
    const token = await app.createToken({ scopes: ['events:read', 'events:ingest', 'cases:read'] })
    assert.equal((await correct(id, { version: 1, withdraw_all: true }, { token })).status, 403)
  })

  test('412 for an older version, by the body or by If-Match; 400 without one', async () => {
    const { id, events } = await keepOne()
    const change = { events: [{ event_id: events[0]?.event_id, event_type: 'Spam' }] }
    assert.equal((await correct(id, change, { headers: { 'if-match': '"1"' } })).status, 200)
    await assertRefused(id, { version: 1, withdraw_all: true }, 412)
    const headers = { 'if-match': '"1"' }
    assert.equal((await correct(id, { withdraw_all: true }, { headers })).status, 412)
    await assertRefused(id, { withdraw_all: true }, 400, '/version')
  })

  test('400 for what changes nothing, says nothing, or says two things', async () => {
    const { id, events } = await keepOne()
    const event_id = events[0]?.event_id
    const same = { event_id, event_type: 'PortScan', subject: { ip: '192.0.2.80' } }
    await assertRefused(id, { version: 1, events: [same] }, 400, '/events')
    await assertRefused(id, { version: 1 }, 400, '/events')
    const both = { version: 1, withdraw_all: true, events: [{ event_id, withdraw: true }] }
    await assertRefused(id, both, 400, '/events')
    const odd = { event_id, withdraw: true, event_type: 'Spam' }
    await assertRefused(id, { version: 1, events: [odd] }, 400, '/events/0/withdraw')
    const twice = [
      { event_id, withdraw: true },
      { event_id, withdraw: true },
    ]
    await assertRefused(id, { version: 1, events: twice }, 400, '/events/1/event_id')
    assert.equal((await get(`/reports/${id}`)).version, 1)
  })

  test('400 for an event of another report, an unknown type and a subject that is none', async () => {
    const [one, other] = [await keepOne(), await keepOne()]
    const event_id = one.events[0]?.event_id
    const foreign = { event_id: other.events[0]?.event_id, withdraw: true }
    await assertRefused(one.id, { version: 1, events: [foreign] }, 400, '/events/0/event_id')
    const change = (members: object) => ({ version: 1, events: [{ event_id, ...members }] })
    await assertRefused(one.id, change({ event_type: 'Nonsense' }), 400, '/events/0/event_type')
    await assertRefused(one.id, change({ subject: { ip: '1.2.3' } }), 400, '/events/0/subject/ip')
    await assertRefused(one.id, change({ subject: {} }), 400, '/events/0/subject')
    await assertRefused(
      one.id,
      change({ subject: { url: 'nonsense' } }),
      400,
      '/events/0/subject/url',
    )
    await assertRefused(
      one.id,
      change({ target: { domain: 'no domain' } }),
      400,
      '/events/0/target/domain',
    )
    const late = {
      event_type: 'Spam',
      subject: { ip: '192.0.2.1' },
      event_date: '2999-01-01T00:00:00Z',
    }
    await assertRefused(one.id, { version: 1, add: [late] }, 400, '/add/0/event_date')
  })

  test('409 under a legal hold, and nothing changes', async () => {
    const { id, events } = await keep(
      write('Port scan from 192.0.2.81', '192.0.2.81 scanned our ports.'),
    )
    const caseId = events[0]?.case_id
    const hold = await app.send('POST', `${CASEWORK}/cases/${caseId}/hold`, {
      token: app.token,
      json: { reason: 'x' },
    })
    assert.ok(hold.status < 300, hold.text)
    await assertRefused(id, { version: 1, withdraw_all: true }, 409)
    assert.equal((await get(`/cases/${caseId}`)).event_count, 1)
    assert.equal((await get(`/reports/${id}`)).version, 1)
  })

  test('409 before the report is read, and after twenty corrections', async () => {
    const { id, events } = await keep(
      write('Port scan from 192.0.2.82', '192.0.2.82 scanned our ports.'),
    )
    await query(app.connection, 'update report set version = 21 where id = $1', [id])
    const withdrawal = { events: [{ event_id: events[0]?.event_id, withdraw: true }] }
    const often = await correct(id, { version: 21, ...withdrawal })
    assert.equal(often.headers['casework-problem'], 'CASEWORK_TOO_MANY_CORRECTIONS', often.text)
    await query(
      app.connection,
      `update report set version = 1, state = 'quarantined', reason = $2 where id = $1`,
      [id, 'The report has not been read yet.'],
    )
    const answer = await correct(id, { version: 1, withdraw_all: true })
    assert.equal(answer.headers['casework-problem'], 'CASEWORK_REPORT_NOT_READ_YET', answer.text)
  })

  test('an Idempotency-Key makes a repeat harmless, and 422 for another request', async () => {
    const { id, events } = await keep(
      write('Port scan from 192.0.2.83', '192.0.2.83 scanned our ports.'),
    )
    const headers = { 'idempotency-key': 'correct-1' }
    const json = { version: 1, events: [{ event_id: events[0]?.event_id, event_type: 'Spam' }] }
    const first = await correct(id, json, { headers })
    const second = await correct(id, json, { headers })
    assert.deepEqual([first.status, second.status], [200, 200])
    assert.deepEqual(second.json(), first.json())
    assert.equal((await correct(id, { ...json, reason: 'x' }, { headers })).status, 422)
  })

  test('of two corrections at once one is made', async () => {
    const { id, events } = await keep(
      write('Port scan from 192.0.2.84', '192.0.2.84 scanned our ports.'),
    )
    const event_id = events[0]?.event_id
    const answers = await Promise.all(
      ['Spam', 'DDos'].map((event_type) =>
        correct(id, { version: 1, events: [{ event_id, event_type }] }),
      ),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 412],
    )
  })
})

test('after all of this every case counts its events rightly', async () => {
  const { kysely } = app.services.foundation.database
  const { cases, differences } = await recountCases(kysely, { tenantId: 'default' })
  assert.ok(cases > 15, String(cases))
  assert.deepEqual(differences, [])
})

test('retention removes a report with its corrections and the traces of its withdrawn events', async () => {
  await app.createTenant('brief')
  const token = await app.createToken({ tenantId: 'brief' })
  const { id } = await keep(
    write('Port scan from 192.0.2.90', '192.0.2.90 scanned our ports.'),
    token,
  )
  await correct(id, { version: 1, withdraw_all: true }, { token })
  const { kysely } = app.services.foundation.database
  const count = async () =>
    await query(
      app.connection,
      `select (select count(*)::integer from report_correction where tenant_id = 'brief') as corrections,
        (select count(*)::integer from event_fingerprint where tenant_id = 'brief') as fingerprints`,
    )
  assert.deepEqual(await count(), [{ corrections: 1, fingerprints: 1 }])
  const last = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
  const removed = await inTransaction(kysely, (tx) =>
    removeReports(tx, { tenantId: 'brief' }, last, 10),
  )
  assert.equal(removed, 1)
  assert.deepEqual(await count(), [{ corrections: 0, fingerprints: 0 }])
})

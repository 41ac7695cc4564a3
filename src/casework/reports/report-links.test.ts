// From an event or a case to its report and back, for reports of the API and of mail: over HTTP,
// with cases that are merged and split, and by the indexes that hold the lists.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { buildMail, connectSmtp, type MailApp, openMail, whenRead } from '../../../test/mail-kit.ts'
import { nameTables } from '../../../test/plan-kit.ts'
import { query } from '../../../test/playbook-fixtures.ts'

const CASEWORK = '/beta/casework'
const ENVIRONMENT = { CASEWORK_SMTP_PORT: '0', CASEWORK_MAIL_AUTHENTICATION: 'off' }
const UNKNOWN = '01890000-0000-7000-8000-000000000000'

let mail: MailApp
after(() => mail.close())
const app = withApp({ environment: ENVIRONMENT }, async (opened) => {
  mail = await openMail(opened)
})

async function get(path: string, as = app.token): Promise<ReturnType<TestAnswer['json']>> {
  const answer = await app.send('GET', path, { token: as })
  assert.equal(answer.status, 200, `${path} ${answer.text}`)
  return answer.json()
}

/** A table with an event for each address. */
async function sendTable(addresses: readonly string[], as = app.token): Promise<TestAnswer> {
  const rows = addresses.map((ip) => `2026-03-01T10:00:00Z,${ip},login attack`)
  return await app.send('POST', `${CASEWORK}/reports`, {
    token: as,
    body: ['timestamp,ip,category', ...rows, ''].join('\n'),
    headers: { 'content-type': 'text/csv' },
  })
}

interface Stored {
  readonly reportId: string
  readonly eventIds: readonly string[]
  readonly caseIds: readonly string[]
}

async function store(addresses: readonly string[], as = app.token): Promise<Stored> {
  const answer = await sendTable(addresses, as)
  assert.equal(answer.status, 201, answer.text)
  const { report_id: reportId, events } = answer.json()
  assert.equal(events.length, addresses.length, answer.text)
  return {
    reportId,
    eventIds: events.map((event: { event_id: string }) => event.event_id),
    caseIds: events.map((event: { case_id: string }) => event.case_id),
  }
}

async function listIds(
  path: string,
  member: 'event_id' | 'report_id',
  as = app.token,
): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor = ''
  do {
    const separator = path.includes('?') ? '&' : '?'
    const next = cursor === '' ? '' : `&cursor=${cursor}`
    const page = await get(`${path}${separator}limit=2${next}`, as)
    ids.push(...page.items.map((item) => item[member]))
    cursor = page.next_cursor
  } while (cursor !== '')
  return ids
}

test('the record of an event has report_id where the reader asks for it, and only then', async () => {
  const { reportId, eventIds } = await store(['198.51.100.1'])
  for (const path of [`${CASEWORK}/events/${eventIds[0]}`, `/beta/ops/events/${eventIds[0]}`]) {
    assert.equal((await get(path)).report_id, undefined)
    assert.equal((await get(`${path}?expand=report`)).report_id, reportId)
    const wrong = await app.send('GET', `${path}?expand=reports`, { token: app.token })
    assert.deepEqual([wrong.status, wrong.text], [400, ''])
  }
  const json = { event_date: '2026-03-01T10:00:00Z', event_type: 'Spam', ip: '198.51.100.2' }
  const pushed = await app.send('POST', `${CASEWORK}/events`, { token: app.token, json })
  const { event_id: eventId } = pushed.json()
  assert.equal((await get(`${CASEWORK}/events/${eventId}?expand=report`)).report_id, undefined)
})

test('the events of a report are listed page by page, by the filter of the list too', async () => {
  const addresses = ['198.51.100.11', '198.51.100.12', '198.51.100.13', '198.51.100.14']
  const { reportId, eventIds } = await store([...addresses, '198.51.100.15'])
  await store(['198.51.100.16'])
  const paths = [`/reports/${reportId}/events`, `/events?report_id=${reportId}`]
  for (const path of [...paths, `/events?report_id=${reportId}&sort=create_date`]) {
    const listed = await listIds(`${CASEWORK}${path}`, 'event_id')
    assert.deepEqual(listed.toSorted(), eventIds.toSorted(), path)
  }
  const narrowed = await get(`${CASEWORK}/events?report_id=${reportId}&ip=${addresses[1]}`)
  assert.deepEqual(
    narrowed.items.map((item: { ip: string }) => item.ip),
    [addresses[1]],
  )
  assert.deepEqual((await get(`${CASEWORK}/events?report_id=${UNKNOWN}`)).items, [])
  const wrong = await app.send('GET', `${CASEWORK}/events?report_id=x`, { token: app.token })
  assert.deepEqual([wrong.status, wrong.text], [400, ''])
})

test('a report that repeats events of an earlier one has them too, and the record names the first', async () => {
  const first = await store(['198.51.100.21', '198.51.100.22'])
  const again = await sendTable(['198.51.100.21', '198.51.100.22'])
  const { report_id: reportId, events } = again.json()
  const outcomes = events.map((event: { outcome: string }) => event.outcome)
  assert.deepEqual(outcomes, ['duplicate', 'duplicate'])
  for (const path of [`/reports/${reportId}/events`, `/events?report_id=${reportId}`]) {
    const listed = await listIds(`${CASEWORK}${path}`, 'event_id')
    const held = events.map((event: { event_id: string }) => event.event_id)
    assert.deepEqual(listed.toSorted(), held.toSorted(), path)
  }
  const record = await get(`${CASEWORK}/events/${first.eventIds[0]}?expand=report`)
  assert.equal(record.report_id, first.reportId)
})

test('the reports of a case follow its events through a merge, its undoing and a split', async () => {
  const reports: Stored[] = []
  for (let count = 0; count < 3; count += 1) {
    const row = `2026-03-0${count + 1}T10:00:00Z,198.51.100.31,login attack`
    const answer = await app.send('POST', `${CASEWORK}/reports`, {
      token: app.token,
      body: `timestamp,ip,category\n${row}\n`,
      headers: { 'content-type': 'text/csv' },
    })
    const { report_id: reportId, events } = answer.json()
    reports.push({ reportId, eventIds: [events[0].event_id], caseIds: [events[0].case_id] })
  }
  const ids = reports.map(({ reportId }) => reportId)
  const target = reports[0]?.caseIds[0] ?? ''
  const other = await store(['198.51.100.32'])
  const source = other.caseIds[0] ?? ''
  const list = (caseId: string): Promise<readonly string[]> =>
    listIds(`${CASEWORK}/cases/${caseId}/reports`, 'report_id')
  assert.deepEqual(await list(target), ids.toReversed())
  const upward = await listIds(`${CASEWORK}/cases/${target}/reports?order=asc`, 'report_id')
  assert.deepEqual(upward, ids)

  await act(target, 'merge', { from: [source] })
  assert.deepEqual(await list(target), [other.reportId, ...ids.toReversed()])
  assert.deepEqual(await list(source), [])
  await act(target, 'unmerge', { from: [source] })
  assert.deepEqual([await list(target), await list(source)], [ids.toReversed(), [other.reportId]])
  const split = await act(target, 'split', { event_ids: reports[1]?.eventIds })
  assert.deepEqual(await list(split.id), [ids[1]])
  assert.deepEqual(await list(target), [ids[2], ids[0]])
})

async function act(
  caseId: string,
  word: string,
  json: object,
): Promise<ReturnType<TestAnswer['json']>> {
  const path = `${CASEWORK}/cases/${caseId}/${word}`
  const answer = await app.send('POST', path, { token: app.token, json })
  assert.ok(answer.status < 300, answer.text)
  return answer.json()
}

test('a mail is found from its event, and its bytes by the scope for them', async () => {
  const client = await connectSmtp(mail.port)
  const bytes = buildMail('linked')
  assert.match(await client.sendMail(bytes), /^250 /)
  client.close()
  await whenRead(app, app.token, 'linked')
  const [event] = (await get(`${CASEWORK}/events?ip=198.51.100.23&sort=create_date`)).items
  const { report_id: reportId } = await get(`${CASEWORK}/events/${event.event_id}?expand=report`)
  const raw = await app.send('GET', `${CASEWORK}/reports/${reportId}/raw`, { token: app.token })
  assert.equal(raw.text, `${bytes}\r\n`)
  const reader = await app.createToken({ scopes: ['events:read'] })
  const refused = await app.send('GET', `${CASEWORK}/reports/${reportId}/raw`, { token: reader })
  assert.equal(refused.status, 403)
})

test('what belongs to another tenant is missing', async () => {
  await app.createTenant('linked')
  const foreign = await app.createToken({ tenantId: 'linked' })
  const { reportId, eventIds, caseIds } = await store(['198.51.100.41'])
  const missing: [string, string][] = [
    [`/reports/${reportId}/events`, `/reports/${UNKNOWN}/events`],
    [`/reports/${reportId}/raw`, `/reports/${UNKNOWN}/raw`],
    [`/cases/${caseIds[0]}/reports`, `/cases/C-${UNKNOWN}/reports`],
    [`/events/${eventIds[0]}?expand=report`, `/events/${UNKNOWN}?expand=report`],
  ]
  for (const [path, other] of missing) {
    const answers = await Promise.all(
      [path, other].map((one) => app.send('GET', `${CASEWORK}${one}`, { token: foreign })),
    )
    const [told, expected] = answers.map((answer) => [
      answer.status,
      answer.text.replace(/"request_id":"[^"]*"/, ''),
    ])
    assert.deepEqual(told, expected, path)
    assert.equal(told?.[0], 404)
  }
  const list = await get(`${CASEWORK}/events?report_id=${reportId}`, foreign)
  assert.deepEqual(list.items, [])
})

test('both lists are read from their index, among many events of the tenant', async () => {
  const { reportId, caseIds } = await store(['198.51.100.51'])
  await query(
    app,
    `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, case_id, report_id,
       event_subtypes, tags, customer_id)
     select 'default', ('01990000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, now(), now(), 'Spam',
       'a@example.com', $1, gen_random_uuid(), '{}', '{}', 'c'
     from generate_series(1, 5000) as number`,
    [caseIds[0]],
  )
  await query(app, 'analyze event')
  const ofReport = await explain(
    `select event_id, event_date, event_type, sender_email, domain, ip from event
     where tenant_id = 'default' and report_id = $1::uuid order by event_date desc, event_id desc limit 51`,
    [reportId],
  )
  assert.match(ofReport, /Index (?:Only )?Scan[^\n]*event_by_report/)
  assert.doesNotMatch(ofReport, /Seq Scan/)
  const ofCase = await explain(
    `select report_id from event where tenant_id = 'default' and case_id = $1 and report_id is not null
       and report_id < $2::uuid order by report_id desc limit 1`,
    [caseIds[0], reportId],
  )
  assert.match(ofCase, /Index Only Scan[^\n]*event_report_by_case/)
})

async function explain(statement: string, values: readonly unknown[]): Promise<string> {
  const rows = await query<Record<string, string>>(app, `explain ${statement}`, values)
  return nameTables(rows.map((row) => row['QUERY PLAN']).join('\n'))
}

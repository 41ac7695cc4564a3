import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import { findPackageRoot } from '../../values/resources.ts'

const PATH = '/beta/casework/reports'
const EXAMPLES = join(findPackageRoot(), 'examples', 'xarf')

let app: TestApp
let token: string
before(async () => {
  app = await openTestApp()
  token = await app.createToken()
})
after(async () => app.close())

function push(body: string | Buffer, query = '', type = 'application/json'): Promise<TestAnswer> {
  return app.send('POST', PATH + query, { token, body, headers: { 'content-type': type } })
}

function readExample(name: string): string {
  return readFileSync(join(EXAMPLES, name), 'utf8')
}

test('every XARF v4 example is accepted and its event is read back', async () => {
  const names = readdirSync(EXAMPLES).filter((name) => name.endsWith('.json'))
  assert.equal(names.length, 32)
  for (const name of names) {
    const answer = await push(readExample(name))
    assert.equal(answer.status, 201, name)
    const report = answer.json()
    assert.equal(report.state, 'accepted', `${name}: ${report.reason}`)
    assert.equal(report.rejected, false)
    assert.equal(report.events.length, 1)
    const { outcome, ...record } = report.events[0]
    assert.ok(outcome === 'created' || outcome === 'unassigned', name)
    assert.equal(record.xarf_class, JSON.parse(readExample(name)).category)
    const event = await app.send('GET', `/beta/casework/events/${record.event_id}`, { token })
    assert.deepEqual(event.json(), record, name)
  }
})

test('the same report again is kept again, and its event is the one that is there', async () => {
  const body = readExample('connection-login_attack.json')
  const first = (await push(body)).json()
  const again = await push(body, '', 'text/plain')
  assert.equal(again.status, 201)
  assert.notEqual(again.json().report_id, first.report_id)
  assert.equal(again.json().events[0].outcome, 'duplicate')
  assert.equal(again.json().events[0].event_id, first.events[0].event_id)
  const third = (await push(body)).json().events[0]
  assert.equal(third.seen_count, again.json().events[0].seen_count + 1)
  assert.equal(typeof third.last_seen, 'string')
  // What is tried came no further time.
  assert.equal('seen_count' in (await push(body, '?dry_run=true')).json().events[0], false)
})

test('an empty body is 400 with its reason, and nothing of it is kept', async () => {
  const rows = await countRows()
  for (const [body, query] of [
    ['', ''],
    ['', '?dry_run=true'],
    [' \r\n', ''],
  ] as const) {
    const headers = { 'content-type': 'message/rfc822', accept: 'application/problem+json' }
    const answer = await app.send('POST', PATH + query, { token, body, headers })
    assert.equal(answer.status, 400)
    assert.match(answer.json().detail, /^The body is empty/)
  }
  assert.deepEqual(await countRows(), rows)
})

test('a dry run answers 200 with whole events and leaves nothing behind', async () => {
  const rows = await countRows()
  const report = JSON.parse(readExample('content-phishing.json'))
  const body = JSON.stringify({ ...report, report_id: '7f0c6a52-0b52-4c5e-9f0e-5a3d1f3f7a10' })
  const answer = await push(body, '?dry_run=true')
  assert.equal(answer.status, 200)
  const [event] = answer.json().events
  assert.equal(event.outcome, 'created')
  for (const member of ['event_id', 'create_date', 'event_date', 'event_type', 'sender_email']) {
    assert.equal(typeof event[member], 'string', member)
  }
  assert.deepEqual(await countRows(), rows)
  assert.equal((await push(body)).json().events[0].outcome, 'created')
  assert.equal((await push(body, '?dry_run=true')).json().events[0].outcome, 'duplicate')
})

test('a dry run tells how it was read and where each value stands, the real thing does not', async () => {
  const body = readExample('connection-login_attack.json')
  const tried = (await push(body, '?dry_run=true')).json()
  assert.equal(tried.format, 'xarf_v4')
  assert.deepEqual(tried.passed_over, [])
  const ip = tried.events[0].findings.find((finding: { field: string }) => finding.field === '/ip')
  assert.equal(ip.value, tried.events[0].ip)
  assert.match(ip.excerpt, new RegExp(tried.events[0].ip.replaceAll('.', '\\.')))
  const real = (await push(body)).json()
  assert.equal('findings' in real.events[0] || 'passed_over' in real || 'format' in real, false)
})

test('a dry run names the case that is open, never one that it would have opened', async () => {
  const report = JSON.parse(readExample('connection-port_scan.json'))
  const of = (id: string): string =>
    JSON.stringify({ ...report, report_id: id, source_identifier: '198.51.100.77' })
  const fresh = await push(of('0b8f7a0e-4a0f-4f43-8a39-111111111111'), '?dry_run=true')
  assert.equal('case_id' in fresh.json().events[0], false)
  const real = await push(of('0b8f7a0e-4a0f-4f43-8a39-222222222222'))
  const known = await push(of('0b8f7a0e-4a0f-4f43-8a39-333333333333'), '?dry_run=true')
  assert.equal(known.json().events[0].case_id, real.json().events[0].case_id)
})

test('what no one here can read is quarantined with the reason and its bytes', async () => {
  for (const body of ['\u0001\u0000\u0002', '[1]', '{"a":1}']) {
    const answer = await push(body, '', 'message/rfc822')
    assert.equal(answer.status, 201, body)
    const { report_id: reportId, state, rejected, reason, events } = answer.json()
    assert.deepEqual(
      { state, rejected, events },
      { state: 'quarantined', rejected: true, events: [] },
    )
    assert.equal(typeof reason, 'string')
    const raw = await app.send('GET', `${PATH}/${reportId}/raw`, { token })
    assert.equal(raw.text, body)
  }
})

test('a mail that reports nothing is rejected with the reason', async () => {
  const body = 'Received: by mail.example\r\nSubject: hello\r\n\r\nspam!'
  const answer = await push(body, '', 'message/rfc822')
  assert.equal(answer.status, 201)
  const { state, rejected, reason, events } = answer.json()
  assert.deepEqual({ state, rejected, events }, { state: 'rejected', rejected: true, events: [] })
  assert.match(reason, /names no address, link or domain/)
})

test('XARF that breaks its rules is rejected, and the report tells every place', async () => {
  const { sender: _, ...report } = JSON.parse(readExample('messaging-spam.json'))
  const answer = (await push(JSON.stringify({ ...report, timestamp: 'soon' }))).json()
  assert.equal(answer.state, 'rejected')
  assert.equal(answer.rejected, true)
  const detail = (await app.send('GET', `${PATH}/${answer.report_id}`, { token })).json()
  assert.equal(detail.reason, answer.reason)
  assert.equal(detail.format, 'xarf_v4')
  const paths = detail.problems.map((problem: { path: string }) => problem.path)
  assert.ok(paths.includes('/sender') && paths.includes('/timestamp'), paths.join())
})

test('a report is read back with what became of it', async () => {
  const body = readExample('vulnerability-cve.json')
  const { report_id: reportId } = (await push(body)).json()
  const report = (await app.send('GET', `${PATH}/${reportId.toUpperCase()}`, { token })).json()
  const { received_at: receivedAt, ...rest } = report
  assert.match(receivedAt, /Z$/)
  assert.deepEqual(rest, {
    report_id: reportId,
    state: 'accepted',
    rejected: false,
    media_type: 'application/json',
    byte_length: Buffer.byteLength(body),
    sha256: createHash('sha256').update(body).digest('hex'),
    format: 'xarf_v4',
    reporter: 'reporter@example.com',
    reporter_report_id: JSON.parse(body).report_id,
    event_count: 1,
    version: 1,
    via: 'api',
  })
})

test('raw bytes come as a download only, byte for byte', async () => {
  const body = Buffer.from([0xff, 0x00, 0x3c, 0x68, 0x31, 0x3e])
  const { report_id: reportId } = (await push(body, '', 'text/html')).json()
  const raw = await app.app.inject({
    method: 'GET',
    url: `${PATH}/${reportId}/raw`,
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(raw.statusCode, 200)
  assert.deepEqual(raw.rawPayload, body)
  assert.equal(raw.headers['content-type'], 'application/octet-stream')
  assert.equal(raw.headers['x-content-type-options'], 'nosniff')
  assert.match(String(raw.headers['content-disposition']), /^attachment; filename="report-/)
  assert.match(String(raw.headers['content-security-policy']), /sandbox/)
})

test('reports are listed by state, page by page, the newest first', async () => {
  const walked: string[] = []
  let cursor = ''
  do {
    const page = await app.send(
      'GET',
      `${PATH}?state=accepted&limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`,
      { token },
    )
    assert.equal(page.status, 200)
    for (const report of page.json().items) {
      assert.equal(report.state, 'accepted')
      walked.push(report.report_id)
    }
    cursor = page.json().next_cursor
  } while (cursor !== '')
  assert.ok(walked.length >= 32)
  assert.deepEqual(walked, walked.toSorted().toReversed())
  assert.equal((await app.send('GET', `${PATH}?state=lost`, { token })).status, 400)
})

test('reports are listed by the door they came through', async () => {
  await push(readExample('messaging-spam.json'), '?via=import')
  for (const via of ['import', 'api']) {
    const page = (await app.send('GET', `${PATH}?via=${via}`, { token })).json()
    assert.ok(page.items.length > 0)
    for (const report of page.items) assert.equal(report.via, via)
  }
  assert.deepEqual((await app.send('GET', `${PATH}?via=smtp`, { token })).json().items, [])
  for (const query of ['?via=smtp', '?via=']) {
    assert.equal((await push('{}', query)).status, 400, query)
  }
})

test('403 for the raw bytes without the scope for them', async () => {
  const { report_id: reportId } = (await push('x', '', 'text/plain')).json()
  const reader = await app.createToken({ scopes: ['events:read'] })
  const raw = await app.send('GET', `${PATH}/${reportId}/raw`, { token: reader })
  assert.equal(raw.status, 403)
  assert.match(String(raw.headers['www-authenticate']), /events:raw/)
})

test('413 over 25 MiB and 415 without a media type', async () => {
  assert.equal((await push(Buffer.alloc(25 * 1024 * 1024 + 1))).status, 413)
  assert.equal((await app.send('POST', PATH, { token, body: 'x' })).status, 415)
})

test('a table that names no reporter is quarantined with what to pass, and accepted with it', async () => {
  const nobody = await app.createToken({ contactEmail: null })
  const handIn = (query: string): Promise<TestAnswer> =>
    app.send('POST', PATH + query, {
      token: nobody,
      body: 'ip,timestamp,type\n198.51.100.7,2026-03-01T10:00:00Z,brute-force\n',
      headers: { 'content-type': 'text/csv' },
    })
  const refused = (await handIn('')).json()
  assert.equal(refused.state, 'quarantined')
  assert.match(refused.reason, /names nobody who reports it.*\?reporter=.*contact_email/)
  const taken = (await handIn('?reporter=desk%40reporter.example')).json()
  assert.equal(taken.state, 'accepted')
  assert.equal(taken.events[0].sender_email, 'desk@reporter.example')
  for (const query of [
    '?reporter=nobody',
    '?reporter=',
    '?reporter=a@b@',
    '?reporter=a%0a@x.test',
  ]) {
    assert.equal((await handIn(query)).status, 400, query)
  }
})

test('400 for a dry_run that is neither true nor false, and for parameters that are not known', async () => {
  for (const query of [
    '?dry_run=maybe',
    '?dry_run=',
    '?dryrun=true',
    '?dry_run=true&dry_run=true',
  ]) {
    assert.equal((await push('{}', query)).status, 400, query)
  }
})

async function countRows(): Promise<unknown> {
  const result = await app.services.foundation.database.pool.query(`
    select (select count(*) from report) reports, (select count(*) from event) events,
      (select count(*) from event_fingerprint) fingerprints, (select count(*) from abuse_case) cases,
      (select count(*) from case_slot) slots, (select count(*) from case_history) history`)
  return result.rows[0]
}

test('an id with NUL or half a character is kept with what is storable of it', async () => {
  const lengthy = `<${'n'.repeat(254)}`
  for (const [id, kept] of [
    ['<nu\0l@d.example>', '<nu\uFFFDl@d.example>'],
    [`${lengthy}\u{1F600}@d.example>`, `${lengthy}\uFFFD`],
  ] as const) {
    const answer = await push(buildUndatedMail(id), '', 'message/rfc822')
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.json().state, 'accepted', answer.json().reason)
    const path = `${PATH}/${answer.json().report_id}`
    assert.equal((await app.send('GET', path, { token })).json().reporter_report_id, kept)
  }
})

test('the same mail without any date again is a duplicate, though it came at another time', async () => {
  const body = buildUndatedMail('<undated@d.example>')
  const first = (await push(body, '', 'message/rfc822')).json().events[0]
  const again = (await push(body, '', 'message/rfc822')).json().events[0]
  assert.equal(first.outcome, 'created')
  assert.deepEqual([again.outcome, again.event_id], ['duplicate', first.event_id])
})

function buildUndatedMail(id: string): string {
  return `From: a@d.example\r\nSubject: ssh brute force\r\nMessage-ID: ${id}\r\n\r\nhost 192.0.2.160 ssh brute force\r\n`
}

test('a report that breaks the rules of XARF is told all of them, stored or tried', async () => {
  const body = '{"xarf_version":"4.0.0","type":5,"reporter":{"contact":"x"}}'
  const taken = (await push(body)).json()
  const kept = (await app.send('GET', `${PATH}/${taken.report_id}`, { token })).json()
  const tried = (await push(body, '?dry_run=true')).json()
  assert.equal(taken.state, 'rejected')
  assert.ok(kept.problems.length > 5)
  assert.deepEqual(taken.problems, kept.problems)
  assert.deepEqual(tried.problems, kept.problems)
  const paths = taken.problems.map((problem: { path: string }) => problem.path)
  for (const path of ['/report_id', '/category', '/type', '/reporter/contact']) {
    assert.ok(paths.includes(path), path)
  }
  assert.equal('problems' in (await push(readExample('content-phishing.json'))).json(), false)
})

test('who hands a report in stands in only where it names nobody, and a dry run says so', async () => {
  const text = 'The host 192.0.2.77 tried passwords on our SSH server at 2026-02-27 07:00 UTC.\n'
  const query = '?dry_run=true&reporter=desk@north.example'
  const [event] = (await push(text, query, 'text/plain')).json().events
  const sender = event.findings.find(({ field }: { field: string }) => field === '/sender_email')
  assert.deepEqual([sender.value, sender.part], ['desk@north.example', 'report'])
  assert.match(sender.reason, /names nobody.*handed it over/)
})

function pushWithKey(body: string, key: string, query = '', as = token): Promise<TestAnswer> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  return app.send('POST', PATH + query, { token: as, body, headers })
}

async function countReports(): Promise<number> {
  const { pool } = app.services.foundation.database
  return (await pool.query('select 1 from report')).rowCount ?? 0
}

test('a repeat under one Idempotency-Key is the same report with 200, and another body is 422', async () => {
  const example = JSON.parse(readExample('connection-port_scan.json'))
  const body = JSON.stringify({ ...example, report_id: '01890000-0000-4000-8000-00000000000a' })
  const first = await pushWithKey(body, 'k-1')
  assert.equal(first.status, 201)
  const count = await countReports()
  const again = await pushWithKey(body, 'k-1')
  assert.equal(again.status, 200)
  assert.equal(again.headers['location'], first.headers['location'])
  const { events, ...report } = again.json()
  const { events: firstEvents, ...firstReport } = first.json()
  assert.deepEqual(report, firstReport)
  assert.deepEqual(events, [{ ...firstEvents[0], outcome: 'duplicate' }])
  for (const other of [
    await pushWithKey(`${body} `, 'k-1'),
    await pushWithKey(body, 'k-1', '?via=import'),
  ]) {
    assert.equal(other.status, 422)
    assert.equal(other.json().code, 'CASEWORK_IDEMPOTENCY_KEY_REUSED')
  }
  assert.equal(await countReports(), count)
  assert.equal((await pushWithKey(body, 'k-1', '', await app.createToken())).status, 201)
  assert.equal((await pushWithKey(body, 'k\u00e9')).status, 400)
  assert.equal((await pushWithKey(`${body}  `, 'k-1', '?dry_run=true')).status, 200)
})

test('first uses of one Idempotency-Key at the same time keep one report, read for all of them', async () => {
  const body = readExample('connection-ddos.json')
  const count = await countReports()
  const answers = await Promise.all([1, 2, 3, 4].map(() => pushWithKey(body, 'k-2')))
  assert.deepEqual(
    answers.map((answer) => answer.status).toSorted((one, other) => one - other),
    [200, 200, 200, 201],
  )
  for (const answer of answers) {
    const { report_id: id, state, events } = answer.json()
    assert.deepEqual([id, state, events.length], [answers[0]?.json().report_id, 'accepted', 1])
  }
  assert.equal(await countReports(), count + 1)
})

test('a key whose report could not be kept is free again', async () => {
  const { pool } = app.services.foundation.database
  await pool.query('alter table report add constraint no_report check (false) not valid')
  assert.equal((await pushWithKey('x', 'k-3')).status, 500)
  await pool.query('alter table report drop constraint no_report')
  assert.equal((await pushWithKey('y', 'k-3')).status, 201)
})

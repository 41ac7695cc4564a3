// The list of reports by its filters, over HTTP.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { openPlanReader, readKeptPlan } from '../../../test/plan-kit.ts'
import { query } from '../../../test/query.ts'
import { listReports, type ReportFilters } from './report-store.ts'

const app = withApp()
const REPORTS = '/beta/casework/reports'

async function keep(from: string, subject: string, line: string): Promise<string> {
  const body = [
    `From: ${from}`,
    'To: abuse@provider.example',
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(' ', '-')}@blimpworks.example>`,
    '',
    line,
  ].join('\r\n')
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await app.send('POST', REPORTS, { token: app.token, body, headers })
  return answer.json().report_id
}

let scan = ''
let away = ''

// Two reports, once: the first test that lists them hands them in.
async function list(filter: string): Promise<readonly string[]> {
  if (scan === '') {
    scan = await keep('olga@blimpworks.example', 'Port scan', '192.0.2.10 scanned our ports.')
    away = await keep('pia@other.example', 'Hello there', 'Nice weather in town today.')
  }
  const answer = await app.send('GET', `${REPORTS}?${filter}`, { token: app.token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json().items.map((one: { report_id: string }) => one.report_id)
}

test('by reporter, in upper or lower case', async () => {
  assert.deepEqual(await list('reporter=OLGA@blimpworks.example'), [scan])
  assert.deepEqual(await list('reporter=nobody@blimpworks.example'), [])
})

test('by format, time, text and whether they were read', async () => {
  assert.deepEqual(await list('format=text&state=accepted'), [scan])
  assert.deepEqual(await list('received_before=2020-01-01T00:00:00Z'), [])
  assert.deepEqual(await list('received_after=2020-01-01T00:00:00Z'), [away, scan])
  assert.deepEqual(await list('text=port-scan@blimp'), [scan])
  assert.deepEqual(await list('text=100%25'), [])
  assert.deepEqual(await list('text=OLGA@blimp'), [scan])
  assert.deepEqual(await list('unread=true'), [])
  assert.deepEqual(await list('unread=false'), [away, scan])
})

test('expand=first_event tells who reports what', async () => {
  const answer = await app.send('GET', `${REPORTS}?expand=first_event`, { token: app.token })
  const [, one] = answer.json().items
  assert.equal(one.reporter, 'olga@blimpworks.example')
  assert.equal(one.first_event.ip, '192.0.2.10')
})

test('400 for a filter that is not valid, with its name', async () => {
  for (const filter of ['reporter=olga', 'text=%25%25', 'received_after=yesterday', 'format=']) {
    const answer = await app.send('GET', `${REPORTS}?${filter}`, { token: app.token })
    assert.equal(answer.status, 400, filter)
  }
})

test('a quarantined report without events is rejected by withdraw_all, once', async () => {
  const body = '{"a": 1}'
  const headers = { 'content-type': 'application/json' }
  const sent = await app.send('POST', REPORTS, { token: app.token, body, headers })
  const { report_id: id, state } = sent.json()
  assert.equal(state, 'quarantined')
  const correct = (version: number) =>
    app.send('POST', `${REPORTS}/${id}/correct`, {
      token: app.token,
      json: { version, withdraw_all: true, reason: 'An advertisement.' },
    })
  const done = await correct(1)
  assert.equal(done.status, 200, done.text)
  assert.equal(done.json().state, 'rejected')
  assert.equal(done.json().corrections[0].former_state, 'quarantined')
  assert.equal((await correct(2)).status, 400)
})

test('each filter has an index that its plan uses, and rare ones are found behind many others', async () => {
  await app.createTenant('plans')
  await query(
    app.connection,
    `insert into report_raw (tenant_id, sha256, bytes) values ('plans', sha256('x'), 'x')`,
  )
  await query(
    app.connection,
    `insert into report (tenant_id, id, received_at, media_type, byte_length, sha256, state, reason, format, event_count,
       received_by, via, envelope_from, fallback_reporter, message_id, version)
     select 'plans', ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, timestamptz '2026-01-01' + n * interval '1 minute',
       'message/rfc822', 1, sha256('x'), case when n = 7 then 'quarantined' when n % 50 = 0 then 'rejected' else 'accepted' end,
       case when n = 7 then 'The report has not been read yet.' when n % 50 = 0 then 'It reports nothing.' end,
       case when n = 7 then 'arf' else 'text' end, 0, 'token', case when n = 7 then 'imap' else 'smtp' end,
       case when n = 7 then 'rare@desk.example' else 'often@desk.example' end, null, 'mail-' || n || '@desk.example', case when n = 7 then 2 else 1 end
     from generate_series(1, 6000) as n`,
  )
  await query(app.connection, 'vacuum analyze report')
  const plans = openPlanReader(app.connection)
  const page = { limit: 50, order: 'desc', position: null } as const
  const cases: readonly (readonly [ReportFilters, RegExp])[] = [
    [{ state: 'quarantined' }, /report_by_state/],
    [{ via: 'imap' }, /report_by_via/],
    [{ isCorrected: true }, /report_corrected/],
    [{ isUnread: true }, /report_unread/],
    [{ format: 'arf' }, /report_by_format/],
    [{ received: { before: '2026-01-01T00:07:30Z' } }, /report_by_time/],
    [{ reporter: 'rare@desk.example' }, /report_by_sender/],
    [{ text: 'RARE@desk' }, /report_by_part/],
  ]
  try {
    for (const [filters, index] of cases) {
      const found = await listReports(plans.db, { tenantId: 'plans' }, filters, page)
      const plan = (await plans.readPlans()).join('\n')
      assert.ok(
        found.some(({ id }) => id.endsWith('000000000007')),
        plan,
      )
      assert.match(plan, index)
    }
    const often = await listReports(plans.db, { tenantId: 'plans' }, { text: 'often@' }, page)
    assert.equal(often.length, 51)
    const sent = await plans.readPlans()
    assert.equal(sent.length, 2, 'the newest ones fill the page')
    assert.doesNotMatch(sent.join('\n'), /find_events_by_words/)
  } finally {
    await plans.close()
  }
})

test('a word of very many reports is searched for by the database alone', async () => {
  await app.createTenant('frequent')
  await query(
    app.connection,
    `insert into report (tenant_id, id, received_at, media_type, byte_length, sha256, state, format, event_count, received_by)
     select 'frequent', ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, timestamptz '2026-01-01' + n * interval '1 minute',
       'text/plain', 1, sha256('x'), 'accepted', 'text', 1, 'token'
     from generate_series(1, 12500) as n`,
  )
  // Behind the newest reports, which are looked at one by one.
  await query(
    app.connection,
    `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, event_subtypes, tags, report_id, details)
     select 'frequent', ('01900000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), now(), 'Spam', 'a@reporter.example', '{}', '{}',
       ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '{"note": "frequent"}'
     from generate_series(1, 10001) as n`,
  )
  await query(app.connection, 'analyze report, event')
  const plans = openPlanReader(app.connection)
  const page = { limit: 50, order: 'desc', position: null } as const
  try {
    const found = await listReports(plans.db, { tenantId: 'frequent' }, { text: 'frequent' }, page)
    assert.equal(found[0]?.id, '01900000-0000-7000-8000-000000002711')
    assert.equal(found.length, 51)
    const last = (await plans.readPlans()).at(-1) ?? ''
    assert.match(last, /jsonb_to_tsvector|event_words/)
    assert.doesNotMatch(last, /on unnest named/)
  } finally {
    await plans.close()
  }
})

test('the beginning of the address of a reporter is looked up by its index, also behind row security', async () => {
  // With statistics of the events of the test before.
  const plan = await readKeptPlan(app.connection, 'find_reports_of_senders')
  assert.match(plan, /Index Cond: \(\(tenant_id = \$1\) AND \(lower\(sender_email\) >= \$2\)/)
})

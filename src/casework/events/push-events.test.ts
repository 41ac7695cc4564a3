import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import { query } from '../../../test/playbook-fixtures.ts'
import { waitUntil } from '../../../test/wait.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { lockRows } from '../cases/case-locks.ts'

const PATH = '/beta/casework/events'

let app: TestApp
let token: string
before(async () => {
  app = await openTestApp()
  token = await app.createToken()
})
after(async () => app.close())

let minute = 0
function eventOf(members: object = {}): Record<string, unknown> {
  minute += 1
  const eventDate = new Date(Date.UTC(2026, 0, 31) + minute * 60_000).toISOString()
  return { event_date: eventDate, event_type: 'LoginAttack', ip: '192.0.2.1', ...members }
}

function push(json: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return app.send('POST', PATH, { token, json, headers })
}

function pushLines(
  lines: readonly string[],
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return app.send('POST', PATH, {
    token,
    body: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  })
}

async function read(eventId: string): Promise<Record<string, unknown>> {
  const answer = await app.send('GET', `${PATH}/${eventId}`, { token })
  assert.equal(answer.status, 200)
  return answer.json()
}

test('201 once, 200 with the same ids when it arrives again, counted', async () => {
  const event = eventOf()
  const first = await push(event)
  assert.equal(first.status, 201)
  assert.equal(first.json().outcome, 'created')
  assert.match(first.json().case_id, /^C-[0-9A-F-]{36}$/)
  assert.equal(first.headers['location'], `${PATH}/${first.json().event_id}`)
  const again = await push(event)
  assert.equal(again.status, 200)
  const { seen_count: count, last_seen: last, ...rest } = again.json()
  assert.deepEqual(rest, { ...first.json(), outcome: 'duplicate' })
  assert.equal(count, 2)
  const { event_id: id } = first.json()
  const record = await read(id)
  assert.deepEqual(await read(`${id}?repeats=true`), {
    ...record,
    seen_count: 2,
    last_seen: last,
  })
  assert.deepEqual(await read(`${id}?repeats=false`), record)
})

test('an event that came once was seen once; a token without its tenant sees no more of it', async () => {
  const [one, twice] = [eventOf(), eventOf()]
  const { items } = (await push([one, twice, twice])).json()
  assert.deepEqual(
    items.map(({ seen_count: count }: { seen_count?: number }) => count),
    [undefined, undefined, 2],
  )
  const record = await read(`${items[0].event_id}?repeats=true`)
  assert.equal(record['seen_count'], 1)
  assert.match(String(record['last_seen']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const path = `${items[0].event_id}?repeats=true`
  const ops = await app.send('GET', `/beta/ops/events/${path}`, { token })
  assert.deepEqual(ops.json(), record)
  await app.createTenant('elsewhere')
  const stranger = await app.createToken({ tenantId: 'elsewhere', scopes: ['events:read'] })
  for (const group of ['casework', 'ops']) {
    const answer = await app.send('GET', `/beta/${group}/events/${path}`, { token: stranger })
    assert.equal(answer.status, 404)
  }
})

test('a full event is read back as it was sent, in canonical form', async () => {
  const sent = eventOf({
    event_subtypes: ['ssh', 'brute-force'],
    sender_email: 'honeypot@example.org',
    recipient_email: 'abuse@example.com',
    ip: '2001:DB8:0::1',
    domain: 'Login.Example.COM',
    tags: ['night shift', '𝔱𝔞𝔤', '{\'"\\,}'],
    event_details: { port: 22, text: 'a\nb\u2028"\\', list: [1.5, null, { deep: true }] },
    customer_id: 'customer 7',
    contract_id: 'line/3',
    tenant_id: 'default',
    report_id: 'r-1',
  })
  const pushed = (await push(sent)).json()
  const record = await read(pushed.event_id)
  const { create_date: createDate, ...rest } = record
  assert.match(String(createDate), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const { report_id: _, ...expected } = sent
  assert.deepEqual(rest, {
    ...expected,
    event_id: pushed.event_id,
    case_id: pushed.case_id,
    ip: '2001:db8::1',
    domain: 'login.example.com',
    xarf_class: 'connection',
    resolved: false,
  })
})

test('the address of the token is the sender where none is named, and 400 when it has none', async () => {
  const record = await read((await push(eventOf())).json().event_id)
  assert.equal(record['sender_email'], 'reporter@example.com')
  const nameless = await app.createToken({ contactEmail: null })
  const refused = await app.send('POST', PATH, { token: nameless, json: eventOf() })
  assert.equal(refused.status, 400)
  assert.deepEqual(
    refused.json().errors.map((problem: { path: string }) => problem.path),
    ['/sender_email'],
  )
})

test('400 with every fault of one event, and nothing is stored', async () => {
  const refused = await push({ event_date: 'yesterday', ip: '999.0.2.1', event_id: 'x', y: 1 })
  assert.equal(refused.status, 400)
  assert.equal(refused.headers['content-type'], 'application/problem+json')
  assert.equal(refused.json().code, 'CASEWORK_EVENT_NOT_VALID')
  assert.deepEqual(
    refused
      .json()
      .errors.map((problem: { path: string }) => problem.path)
      .toSorted(),
    ['/event_date', '/event_id', '/event_type', '/ip', '/y'],
  )
})

test('400 for what is neither an event nor a list of 1 to 1,000 events', async () => {
  for (const json of [null, 1, 'x', true, [], Array.from({ length: 1_001 }, () => ({}))]) {
    assert.equal((await push(json)).status, 400, JSON.stringify(json).slice(0, 20))
  }
  assert.equal((await push([])).json().code, 'CASEWORK_EVENTS_NOT_READABLE')
  assert.equal((await pushLines(['', ' ', '\r'])).status, 400)
  assert.equal((await pushLines(Array.from({ length: 1_001 }, () => '{}'))).status, 400)
  for (const body of ['', '{', '{"a":1}{"b":2}']) {
    const headers = { 'content-type': 'application/json' }
    assert.equal((await app.send('POST', PATH, { token, body, headers })).status, 400)
  }
})

test('200 in bulk with an outcome for each event in its place', async () => {
  const repeated = eventOf()
  await push(repeated)
  const twice = eventOf({ ip: '192.0.2.2' })
  const answer = await push([
    eventOf(),
    repeated,
    { event_type: 'LoginAttack' },
    7,
    eventOf({ ip: undefined }),
    twice,
    twice,
  ])
  assert.equal(answer.status, 200)
  const { items } = answer.json()
  assert.deepEqual(
    items.map((item: { index: number; outcome: string }) => [item.index, item.outcome]),
    [
      [0, 'created'],
      [1, 'duplicate'],
      [2, 'invalid'],
      [3, 'invalid'],
      [4, 'unassigned'],
      [5, 'created'],
      [6, 'duplicate'],
    ],
  )
  assert.match(items[2].error, /event_date is missing/)
  assert.deepEqual(Object.keys(items[3]), ['index', 'outcome', 'error'])
  assert.deepEqual(Object.keys(items[4]), ['index', 'event_id', 'outcome'])
  assert.equal(items[6].event_id, items[5].event_id)
  assert.equal(items[6].case_id, items[5].case_id)
})

test('NDJSON is answered line by line, blank lines are none, a broken line is answered in its place', async () => {
  const lines = [JSON.stringify(eventOf()), '', '{"event_date":', `${JSON.stringify(eventOf())}\r`]
  for (const type of ['application/x-ndjson', 'application/jsonl; charset=utf-8']) {
    const answer = await pushLines(lines, { 'content-type': type })
    assert.equal(answer.status, 200)
    assert.deepEqual(
      answer.json().items.map((item: { outcome: string }) => item.outcome === 'invalid'),
      [false, true, false],
    )
  }
})

test('1,000 events at once are stored, each in the case of its customer', async () => {
  const events = Array.from({ length: 1_000 }, (_, index) =>
    eventOf({ ip: `198.51.100.${index % 100}` }),
  )
  const { items } = (await push(events)).json()
  assert.equal(items.length, 1_000)
  assert.equal(new Set(items.map((item: { event_id: string }) => item.event_id)).size, 1_000)
  assert.equal(new Set(items.map((item: { case_id: string }) => item.case_id)).size, 100)
})

test('the fourth batch of a tenant waits for its turn, and how many events wait is told', async () => {
  const { database, metrics } = app.services.foundation
  const ip = '198.51.100.200'
  const caseId = (await push(eventOf({ ip }))).json().case_id
  const tellWaiting = async (count: number): Promise<boolean> =>
    (await metrics.metrics()).includes(`casework_events_waiting{way="bulk"} ${count}\n`)
  const { pushing } = await inTransaction(database.kysely, async (tx) => {
    await lockRows(tx, { tenantId: 'default' }, [caseId])
    const answers = Array.from({ length: 5 }, () => push([eventOf({ ip }), eventOf({ ip })]))
    await waitUntil(() => tellWaiting(4), 'two batches that wait')
    return { pushing: answers }
  })
  for (const answer of await Promise.all(pushing)) assert.equal(answer.status, 200)
  assert.ok(await tellWaiting(0))
})

test('201 without a case for an event of nobody, and with one when its customer is named', async () => {
  const nobody = await push(eventOf({ ip: undefined }))
  assert.equal(nobody.status, 201)
  assert.deepEqual(Object.keys(nobody.json()), ['event_id', 'outcome'])
  assert.equal(nobody.json().outcome, 'unassigned')
  const record = await read(nobody.json().event_id)
  assert.equal('case_id' in record || 'customer_id' in record, false)
  const named = await push(eventOf({ ip: undefined, customer_id: 'c-1' }))
  assert.equal(named.json().outcome, 'created')
})

test('what customers did at one moment are events of their own, also where nothing but they are named', async () => {
  const json = ['moment-1', 'moment-2'].map((customer) =>
    eventOf({ event_date: '2026-03-03T03:03:03Z', ip: undefined, customer_id: customer }),
  )
  const { items } = (await push(json)).json()
  const outcomes = items.map((item: { outcome: string }) => item.outcome)
  assert.deepEqual(outcomes, ['created', 'created'])
  assert.notEqual(items[0].case_id, items[1].case_id)
  const again = (await push(json)).json().items
  assert.deepEqual(
    again.map((item: { outcome: string }) => item.outcome),
    ['duplicate', 'duplicate'],
  )
})

test('a tenant that wants no guesses gets unassigned events', async () => {
  await app.createTenant('strict')
  await app.services.foundation.database.pool.query(
    `update tenant set settings = '{"unmatched": "unassigned"}' where id = 'strict'`,
  )
  const strict = await app.createToken({ tenantId: 'strict' })
  const answer = await app.send('POST', PATH, { token: strict, json: eventOf() })
  assert.equal(answer.json().outcome, 'unassigned')
})

test('a repeat under one Idempotency-Key is answered by the same events, in every form of the body', async () => {
  const headers = { 'idempotency-key': 'k-1' }
  const event = eventOf()
  const first = await push(event, headers)
  assert.equal(first.status, 201)
  const second = await app.send('POST', PATH, {
    token,
    body: JSON.stringify(event, null, 2),
    headers: { ...headers, 'content-type': 'application/json' },
  })
  assert.equal(second.status, 200)
  assert.equal(second.json().event_id, first.json().event_id)
  const events = [eventOf(), {}, eventOf()]
  const [bulk, again] = [await push(events, keyed('k-2')), await push(events, keyed('k-2'))]
  assert.deepEqual(outcomesOf(bulk), ['created', 'invalid', 'created'])
  assert.deepEqual(outcomesOf(again), ['duplicate', 'invalid', 'duplicate'])
  assert.equal(again.json().items[2].event_id, bulk.json().items[2].event_id)
  const lines = [eventOf(), eventOf()].map((one) => JSON.stringify(one))
  const [stream, repeated] = [
    await pushLines(lines, keyed('k-3')),
    await pushLines(lines, keyed('k-3')),
  ]
  assert.deepEqual(outcomesOf(stream), ['created', 'created'])
  assert.deepEqual(outcomesOf(repeated), ['duplicate', 'duplicate'])
  const other = await app.createToken()
  const foreign = await app.send('POST', PATH, { token: other, json: eventOf(), headers })
  assert.equal(foreign.status, 201, 'a key belongs to its token')
})

test('422 for an Idempotency-Key with another body: nothing of it is stored, and nothing is lost', async () => {
  const event = eventOf()
  const forms: [TestAnswer, () => Promise<TestAnswer>][] = [
    [await push(event, keyed('k-4')), () => push({ ...event, ip: '192.0.2.99' }, keyed('k-4'))],
    [await push([event], keyed('k-5')), () => push([event, eventOf()], keyed('k-5'))],
    [
      await pushLines([JSON.stringify(event)], keyed('k-6')),
      () => pushLines(['{}', '{}', JSON.stringify(eventOf())], keyed('k-6')),
    ],
    [
      await push(eventOf({ report_id: 'r-1' }), keyed('k-7')),
      () => push([eventOf()], keyed('k-7')),
    ],
  ]
  const count = async (): Promise<unknown> => await query(app, 'select count(*) from event')
  for (const [first, repeat] of forms) {
    assert.ok(first.status < 300, first.text)
    const stored = await count()
    const answer = await repeat()
    assert.equal(answer.status, 422, answer.text)
    assert.equal(answer.json().code, 'CASEWORK_IDEMPOTENCY_KEY_REUSED')
    assert.deepEqual(await count(), stored)
  }
  // An invalid request uses no key, and a key is free for another request after a day.
  assert.equal((await push({}, keyed('k-8'))).status, 400)
  assert.equal((await push(eventOf(), keyed('k-8'))).status, 201)
  await query(app, `update kept_answer set created_at = now() - interval '24 hours'`)
  const later = await push({ ...event, ip: '192.0.2.99' }, keyed('k-4'))
  assert.equal(later.status, 201, 'another request after a day is an event of its own')
  const [left] = await query<{ count: number }>(app, 'select count(*) from kept_answer')
  assert.equal(left?.count, 1, 'expired keys are removed')
})

test('of first uses of one Idempotency-Key at the same time one is stored and the others are refused', async () => {
  const events = Array.from({ length: 8 }, (_, index) => eventOf({ ip: `192.0.2.${100 + index}` }))
  const singles = await Promise.all(events.map((event) => push(event, keyed('k-9'))))
  const bulks = await Promise.all(events.map((event) => push([event], keyed('k-10'))))
  for (const [answers, status] of [
    [singles, 201],
    [bulks, 200],
  ] as const) {
    const statuses = answers.map((answer) => answer.status).toSorted((one, other) => one - other)
    assert.deepEqual(statuses, [status, ...Array.from({ length: 7 }, () => 422)])
  }
  const same = await Promise.all(events.map(() => push(events[0], keyed('k-11'))))
  assert.equal(new Set(same.map((answer) => answer.json().event_id)).size, 1)
})

function keyed(key: string): Record<string, string> {
  return { 'idempotency-key': key }
}

function outcomesOf(answer: TestAnswer): readonly string[] {
  return answer.json().items.map((item: { outcome: string }) => item.outcome)
}

test('400 for an Idempotency-Key that is empty, too long or not printable', async () => {
  for (const key of ['', 'k'.repeat(256), 'k\u00e9']) {
    assert.equal((await push(eventOf(), { 'idempotency-key': key })).status, 400, key)
  }
})

test('one report_id may hold several events, and each is the same when it comes again', async () => {
  const events = [eventOf({ report_id: 'r-7' }), eventOf({ report_id: 'r-7' })]
  const first = (await push(events)).json().items
  assert.deepEqual(
    first.map((item: { outcome: string }) => item.outcome),
    ['created', 'created'],
  )
  const again = (await push(events.toReversed(), { 'idempotency-key': 'another' })).json().items
  assert.deepEqual(
    again.map((item: { event_id: string }) => item.event_id),
    first.map((item: { event_id: string }) => item.event_id).toReversed(),
  )
})

test('400 for another tenant, the same whether it exists or not', async () => {
  await app.createTenant('neighbour')
  const one = await push(eventOf({ tenant_id: 'neighbour' }))
  const other = await push(eventOf({ tenant_id: 'nobody' }))
  assert.equal(one.status, 400)
  assert.deepEqual(one.json().errors, other.json().errors)
})

test('413 over 8 MiB', async () => {
  const body = Buffer.alloc(8 * 1024 * 1024 + 1, ' ')
  const headers = { 'content-type': 'application/json' }
  assert.equal((await app.send('POST', PATH, { token, body, headers })).status, 413)
})

test('415 for a media type that holds no events', async () => {
  for (const type of ['text/plain', 'application/xml', 'application/json; charset=latin1', 'x']) {
    const headers = { 'content-type': type }
    const answer = await app.send('POST', PATH, { token, body: '{}', headers })
    assert.equal(answer.status, 415, type)
  }
})

test('text that PostgreSQL cannot keep is refused with its place', async () => {
  for (const text of ['a\u0000b', 'a\ud800b']) {
    const answer = await push(eventOf({ event_details: { note: [text] } }))
    assert.equal(answer.status, 400)
    assert.equal(answer.json().errors[0].path, '/event_details/note/0')
    assert.equal((await push(eventOf({ tags: [text] }))).status, 400)
    assert.equal((await push(eventOf({ customer_id: text }))).status, 400)
  }
})

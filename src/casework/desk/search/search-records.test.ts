// The search: how a text is read, what is found of each kind and in which order, its pages, bounds
// and plans, and that it follows every change of the records.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import {
  openPlanReader,
  type PlanReader,
  readKeptPlan,
  writeManyEvents,
} from '../../../../test/plan-kit.ts'
import type { Scope } from '../../../vocabulary/scopes.ts'
import { readSearch } from './read-search.ts'
import { findCustomersByWords, findEventsByWords } from './search-store.ts'

const MANY = 'many'
const COUNT = 24_000
let reader: PlanReader

// Before the hook that drops the database.
after(() => reader.close())
const app = withApp({}, async ({ connection, createTenant }) => {
  await createTenant(MANY)
  await writeManyEvents(connection, MANY, COUNT)
  reader = openPlanReader(connection)
})

const CASEWORK = '/beta/casework'

interface Item {
  readonly kind: string
  readonly id: string
  readonly case_id?: string
  readonly title: string
  readonly matched: { readonly field: string; readonly text: string }
}

interface Pushed {
  readonly event_id: string
  readonly case_id: string
}

async function openDesk(tenantId: string, scopes?: readonly Scope[]) {
  if (scopes === undefined) await app.createTenant(tenantId)
  const token = await app.createToken({ tenantId, ...(scopes === undefined ? {} : { scopes }) })
  const send = async (method: string, path: string, json?: unknown) => {
    const headers = { accept: 'application/json, application/problem+json' }
    const more = json === undefined ? {} : { json }
    return await app.send(method, `${CASEWORK}${path}`, { token, headers, ...more })
  }
  const search = (query: Record<string, string>) =>
    send('GET', `/search?${new URLSearchParams(query).toString()}`)
  return {
    send,
    search,
    async push(event: object): Promise<Pushed> {
      const json = { event_date: '2026-02-01T00:00:00Z', event_type: 'Phishing', ...event }
      const answer = await send('POST', '/events', json)
      assert.ok(answer.status < 300, answer.text)
      return answer.json()
    },
    /** All pages, two entries each. */
    async find(q: string, more: Record<string, string> = {}): Promise<readonly Item[]> {
      const items: Item[] = []
      for (let cursor = ''; ; ) {
        const page = { q, limit: '2', ...more, ...(cursor === '' ? {} : { cursor }) }
        const answer = await search(page)
        assert.equal(answer.status, 200, answer.text)
        items.push(...answer.json().items)
        cursor = answer.json().next_cursor
        if (cursor === '') return items
        assert.ok(items.length < 1_000)
      }
    },
  }
}

function name(items: readonly Item[]): readonly string[] {
  return items.map(({ kind, id }) => `${kind} ${id}`)
}

test('a text is read as an id, address, range, domain, URL, e-mail address or words', () => {
  const uuid = '01890000-0000-7000-8000-00000000000a'
  const samples: readonly (readonly [string, string, string])[] = [
    [`c-${uuid}`, 'case_id', `C-${uuid.toUpperCase()}`],
    ['C-01890000-00', 'case_id', 'C-01890000-00'],
    ['C-01', 'words', 'C-01'],
    [uuid.toUpperCase(), 'record_id', uuid],
    [' 192[.]0[.]2[.]1 ', 'address', '192.0.2.1'],
    ['2001:DB8:0::1', 'address', '2001:db8::1'],
    ['192.0.2.77/24', 'range', '192.0.2.0/24'],
    ['192.0.2.1-192.0.2.9', 'range', '192.0.2.1-192.0.2.9'],
    ['EVIL[.]example', 'domain', 'evil.example'],
    ['hxxps://evil[.]example/a?b=1', 'url', 'https://evil.example/a?b=1'],
    ['<Ana@Example.org>', 'email', 'ana@example.org'],
    ['"evil.example"', 'words', 'evil.example'],
    ['stolen wallet', 'words', 'stolen wallet'],
    ['999.1.1.1/24', 'words', '999.1.1.1/24'],
  ]
  for (const [given, kind, text] of samples) {
    const read = readSearch(given)
    assert.deepEqual([read?.kind, read?.text], [kind, text], given)
  }
  assert.deepEqual([readSearch('--'), readSearch(' "" '), readSearch('a\0')], [null, null, null])
})

describe('one text', () => {
  let desk: Awaited<ReturnType<typeof openDesk>>
  /** The pushed records by a word: `case one`, `event three`. */
  const words = new Map<string, string>()
  const find = async (q: string, more: Record<string, string> = {}): Promise<readonly string[]> =>
    name(await desk.find(q, more)).map((one) => words.get(one) ?? one)
  let first: Pushed
  let third: Pushed
  before(async () => {
    desk = await openDesk('finds')
    await desk.send('POST', '/customers', {
      id: 'K-77',
      name: 'Gartenbau Muster',
      contacts: [{ email: 'desk@muster.example' }],
    })
    for (const id of ['other', 'third']) await desk.send('POST', '/customers', { id })
    await desk.send('POST', '/resources', {
      kind: 'ip_range',
      value: '198.51.100.0/24',
      customer_id: 'K-77',
    })
    first = await desk.push({ ip: '198.51.100.7', sender_email: 'Ana@Example.org' })
    const second = await desk.push({ ip: '198.51.100.8', event_type: 'Spam', customer_id: 'other' })
    third = await desk.push({
      domain: 'www.shop.example',
      customer_id: 'third',
      event_details: { url: 'https://www.shop.example/Wallet/seed', note: 'a stolen wallet' },
    })
    for (const [word, pushed] of Object.entries({ first, second, third })) {
      words.set(`case ${pushed.case_id}`, `case ${word}`)
      words.set(`event ${pushed.event_id}`, `event ${word}`)
    }
    const text = 'Her Wallet was found.'
    await desk.send('POST', `/cases/${second.case_id}/comments`, { text })
  })

  const SITE = ['case third', 'event third']
  const ROWS: readonly (readonly [what: string, q: string, readonly string[]])[] = [
    ['an address', '198.51.100.7', ['customer K-77', 'case first', 'event first']],
    [
      'a range, the newest first and page by page',
      '198.51.100.0/25',
      ['case second', 'case first', 'event second', 'event first'],
    ],
    ['a domain above', 'shop.example', SITE],
    ['a domain', 'www.shop.example', SITE],
    ['the end of a name, which is no domain above', 'hop.example', []],
    ['a URL, also defanged', 'hxxps://www.shop.example/Wallet/seed', ['event third']],
    ['the e-mail address of a reporter', 'ana@example.org', ['case first', 'event first']],
    ['the e-mail address of a contact', 'desk@muster.example', ['customer K-77']],
    ['a part of the name of a customer', 'muster', ['customer K-77']],
    ['the id of a customer', 'K-77', ['customer K-77', 'case first']],
    ['words of an event, by their beginnings', 'wallet stol', ['event third']],
    ['a word of a comment and of an event', 'wallet', ['case second', 'event third']],
  ]
  for (const [what, q, wanted] of ROWS) {
    test(`finds its records: ${what}`, async () => {
      assert.deepEqual(await find(q), wanted)
    })
  }

  test('finds its records: an id, also the beginning of that of a case', async () => {
    assert.ok((await find(third.case_id.slice(0, 30))).includes('case third'))
    assert.deepEqual(await find(third.event_id), ['event third'])
  })

  test('finds records of one kind where only that is asked for', async () => {
    assert.deepEqual(await find('wallet', { kind: 'case' }), ['case second'])
  })

  test('shows of an event its case, its title and the words that were met', async () => {
    const [found] = await desk.find('wallet stol')
    assert.equal(found?.case_id, third.case_id)
    assert.equal(found?.title, 'Phishing, www.shop.example')
    assert.match(found?.matched.text ?? '', /stolen wallet/)
  })

  test('shows that a comment was met', async () => {
    assert.equal((await desk.find('wallet'))[0]?.matched.field, 'comment')
  })

  test('is told as what it was read', async () => {
    const read = (await desk.search({ q: 'EVIL[.]example' })).json()
    assert.deepEqual(read.read_as, { kind: 'domain', text: 'evil.example' })
  })

  test('finds nothing of another tenant', async () => {
    const stranger = await openDesk('strangers')
    for (const q of ['198.51.100.7', 'wallet', 'muster', third.event_id, first.case_id]) {
      assert.deepEqual(await stranger.find(q), [], q)
    }
  })

  test('finds what the scopes of the token allow; 403 for a kind that they do not', async () => {
    const caseReader = await openDesk('finds', ['cases:read'])
    assert.deepEqual(name(await caseReader.find('198.51.100.7')), [`case ${first.case_id}`])
    assert.equal((await caseReader.search({ q: 'x', kind: 'event' })).status, 403)
  })
})

test('a report is found by our id, by that of its reporter and by its Message-ID', async () => {
  const desk = await openDesk('reports')
  const { pool } = app.services.foundation.database
  const id = '01890000-0000-7000-8000-00000000000b'
  await pool.query(
    `insert into report (tenant_id, id, received_at, media_type, byte_length, sha256, state, received_by, reporter_report_id, message_id)
     values ('reports', $1, now(), 'message/rfc822', 1, '', 'accepted', 'x', 'T-4711', '<a.1@mx.example>')`,
    [id],
  )
  for (const q of [id, 'T-4711', '"a.1@mx.example"']) {
    assert.deepEqual(name(await desk.find(q)), [`report ${id}`], q)
  }
})

test('merges, erasures and removals are followed at once', async () => {
  const desk = await openDesk('follows')
  const kept = await desk.push({
    ip: '203.0.113.1',
    customer_id: 'a',
    sender_email: 'z@example.org',
  })
  const moved = await desk.push({
    ip: '203.0.113.2',
    customer_id: 'b',
    sender_email: 'bea@example.org',
    event_details: { note: 'ask bea@example.org about the ledger' },
  })
  const merge = { from: [moved.case_id], reason: 'same machine' }
  assert.equal((await desk.send('POST', `/cases/${kept.case_id}/merge`, merge)).status, 200)
  assert.deepEqual(name(await desk.find('203.0.113.2')), [
    `case ${kept.case_id}`,
    `event ${moved.event_id}`,
  ])
  assert.equal((await desk.find('bea@example.org', { kind: 'event' })).length, 2)
  // On a slow machine an erasure answers before its end, and goes on when it is asked again.
  let state = 'under_way'
  for (let turn = 0; turn < 20 && state === 'under_way'; turn++) {
    const erased = await desk.send('POST', '/erasures', { address: 'bea@example.org' })
    state = erased.json().state
  }
  assert.equal(state, 'done')
  assert.deepEqual(await desk.find('bea@example.org'), [])
  assert.deepEqual(name(await desk.find('ledger')), [`event ${moved.event_id}`])
  const cases = await desk.send('GET', '/cases?reporter=bea@example.org')
  assert.deepEqual(cases.json().items, [])
  const { pool } = app.services.foundation.database
  await pool.query(`delete from event where tenant_id = 'follows' and event_id = $1`, [
    moved.event_id,
  ])
  assert.deepEqual(await desk.find('ledger'), [])
  assert.deepEqual(await desk.find('203.0.113.2'), [])
})

const PLACE = { after: null, count: 51, isFrequent: false }

test('words of all events fill pages among the newest, and rare ones are found by the index', async () => {
  const scope = { tenantId: MANY }
  const frequent = await findEventsByWords(reader.db, scope, 'tcp', PLACE)
  assert.equal(frequent.rows.length, 51)
  assert.doesNotMatch((await reader.readPlans()).join('\n'), /Seq Scan on event/)
  const rare = await findEventsByWords(reader.db, scope, 'site-7.example.net', PLACE)
  assert.equal(rare.rows.length, 10)
  assert.match((await reader.readPlans()).join('\n'), /Function Scan on find_events_by_words/)
  assert.deepEqual(
    rare.rows.map((row) => row.event_id),
    rare.rows
      .map((row) => row.event_id)
      .toSorted()
      .toReversed(),
  )
  // Older than all events with the word: some thousand are looked at, and the next request goes on.
  const { pool } = app.services.foundation.database
  await pool.query(
    `update event set details = '{"protocol": "udp"}'
     where tenant_id = $1 and event_id > '019b76da-a800-7000-8000-000000002f00'`,
    [MANY],
  )
  const late = await findEventsByWords(reader.db, scope, 'tcp', PLACE)
  assert.deepEqual([late.rows.length, late.next === null], [0, false])
  // A later page does not ask the index again, which has named too many.
  await reader.readPlans()
  const next = { after: late.next, count: 51, isFrequent: true }
  const on = await findEventsByWords(reader.db, scope, 'tcp', next)
  assert.deepEqual([on.rows.length, on.next === null], [0, false])
  assert.doesNotMatch((await reader.readPlans()).join('\n'), /find_events_by_words/)
  const token = await app.createToken({ tenantId: MANY })
  let [cursor, pages] = ['', 0]
  let items: readonly Item[] = []
  while (items.length === 0 && pages < 10) {
    const more = cursor === '' ? '' : `&cursor=${cursor}`
    const path = `${CASEWORK}/search?q=tcp&kind=event${more}`
    const answer = await app.send('GET', path, { token })
    items = answer.json().items
    cursor = answer.json().next_cursor
    pages += 1
  }
  assert.ok(items.length === 20 && pages > 1, `${pages} pages`)
})

test('a later page of a rare word is found by the index too, and not by reading all events', async () => {
  await reader.readPlans()
  const place = { ...PLACE, after: '019b76da-a800-7000-8000-000000005000' }
  const found = await findEventsByWords(reader.db, { tenantId: MANY }, 'site-9.example.net', place)
  assert.equal(found.rows.length, 10)
  assert.match((await reader.readPlans()).join('\n'), /Function Scan on find_events_by_words/)
})

test('the plan that finds rare words by their index is the same among hundreds of tenants', async () => {
  const { pool } = app.services.foundation.database
  await pool.query(
    `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, event_subtypes, tags, details)
     select 'crowd-' || n % 600, ('019b76da-a800-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), now(), 'Spam', 'a@example.org', '{}', '{}',
       '{"protocol": "tcp"}'
     from generate_series(1, 60000) as n`,
  )
  await pool.query('analyze event')
  const plan = await readKeptPlan(app.connection, 'find_events_by_words')
  assert.match(plan, /Bitmap Index Scan on event_by_word/)
  assert.doesNotMatch(plan, /Index Cond: \(\(?tenant_id/)
})

test('a customer whose id begins as that of all others is found by the index of parts', async () => {
  await app.createTenant('numbers')
  const { pool } = app.services.foundation.database
  await pool.query(
    `insert into customer (tenant_id, id, name) select 'numbers', 'customer-' || place, 'Hosting ' || place from generate_series(1, 20000) as place
     returning 1 as inserted`,
  )
  await pool.query('analyze customer')
  const scope = { tenantId: 'numbers' }
  const find = async (text: string, behind: string | null = null): Promise<readonly string[]> => {
    const rows = await findCustomersByWords(reader.db, scope, text, { after: behind, count: 3 })
    return rows.map(({ id }) => id)
  }
  await reader.readPlans()
  assert.deepEqual(await find('customer-777'), ['customer-777', 'customer-7770', 'customer-7771'])
  assert.match((await reader.readPlans()).join('\n'), /customer_by_part/)
  assert.deepEqual(await find('777 hosting', 'customer-7770'), [
    'customer-7771',
    'customer-7772',
    'customer-7773',
  ])
  // More than the index may name: in the order of the ids.
  assert.deepEqual(await find('hosting', 'customer-1'), [
    'customer-10',
    'customer-100',
    'customer-1000',
  ])
})

test('parts of names are found where the database has trigrams, else beginnings of words', async () => {
  const desk = await openDesk('parts')
  await desk.send('POST', '/customers', { id: 'k1', name: 'Hausverwaltung Nord 100%' })
  await desk.send('POST', '/customers', { id: 'k2', name: 'Nordlicht' })
  const scope = { tenantId: 'parts' }
  const find = async (text: string): Promise<readonly string[]> => {
    const rows = await findCustomersByWords(reader.db, scope, text, { after: null, count: 9 })
    await reader.readPlans()
    return rows.map(({ id }) => id)
  }
  assert.deepEqual(await find('verwalt'), ['k1'])
  assert.deepEqual(await find('0%'), [])
  assert.deepEqual(await find('00%'), ['k1'])
  const { pool } = app.services.foundation.database
  await pool.query('drop extension pg_trgm cascade')
  assert.deepEqual(await find('verwalt'), [])
  assert.deepEqual(await find('nord'), ['k1', 'k2'])
  assert.deepEqual(name(await desk.find('hausv')), ['customer k1'])
})

test('comments with a word of more than the index may name come in their order', async () => {
  const desk = await openDesk('talk')
  const { case_id: id } = await desk.push({ ip: '192.0.2.9' })
  const { pool } = app.services.foundation.database
  await pool.query(
    `insert into case_comment (tenant_id, case_id, id, text, author, created_at)
     select 'talk', $1, ('01890000-0000-7000-8000-' || lpad(to_hex(place), 12, '0'))::uuid, 'called ' || place, 'ana', now()
     from generate_series(1, 10050) as place
     returning 1 as inserted`,
    [id],
  )
  const [newest] = (await desk.search({ q: 'called', limit: '1', kind: 'case' })).json().items
  assert.equal(newest.matched.text, 'called 10050')
  const [one] = await desk.find('called 4711', { kind: 'case' })
  assert.equal(one?.matched.text, 'called 4711')
})

test('400 for a text without a letter, one that is too long, and a cursor of another search', async () => {
  const desk = await openDesk('refused')
  for (const q of ['--', '', 'x'.repeat(501)]) {
    const answer = await desk.search({ q })
    assert.equal(answer.status, 400)
    assert.equal(answer.json().errors[0].path.endsWith('/q'), true, answer.text)
  }
  assert.equal((await desk.search({ q: 'x', limit: '101' })).status, 400)
  await desk.push({ ip: '192.0.2.1' })
  const cursor = (await desk.search({ q: '192.0.2.1', limit: '1' })).json().next_cursor
  assert.notEqual(cursor, '')
  assert.equal((await desk.search({ q: '192.0.2.1', limit: '1', cursor })).status, 200)
  const other = await desk.search({ q: '192.0.2.2', limit: '1', cursor })
  assert.equal(other.json().code, 'CASEWORK_CURSOR_NOT_VALID')
  await desk.send('POST', '/customers', { id: 'K-1' })
  await desk.send('POST', '/customers', { id: 'K-10' })
  await desk.send('POST', '/customers', { id: 'K-2' })
  const anyCustomer = { q: 'K', limit: '1' }
  const behindCustomer = (await desk.search(anyCustomer)).json().next_cursor
  assert.notEqual(behindCustomer, '')
  // A token without customers:read does not go through the customers.
  const withoutCustomers = await openDesk('refused', ['cases:read', 'events:read'])
  const foreign = await withoutCustomers.search({ ...anyCustomer, cursor: behindCustomer })
  assert.equal(foreign.json().code, 'CASEWORK_CURSOR_NOT_VALID', foreign.text)
  // The longest words and the most of them that an event may have.
  const words = Array.from({ length: 40 }, (_, at) => '語-'.repeat(1_500) + at)
  const event = { ip: '192.0.2.3', event_details: { words, other: 'x'.repeat(5_000) } }
  const { event_id: id } = await desk.push(event)
  assert.equal((await desk.find('192.0.2.3'))[1]?.id, id)
})

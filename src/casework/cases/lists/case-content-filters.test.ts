// Lists of cases by the content of their events and comments, and lists of events by range, sender,
// several types and with their case: what each filter takes, its bounds, and its plan.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { openPlanReader, type PlanReader, writeManyEvents } from '../../../../test/plan-kit.ts'
import { walkList } from '../../../../test/walk-list.ts'
import { parseAddressSpan } from '../../../values/address-span.ts'
import { type EventFilter, listEvents } from '../../events/event-list-store.ts'
import type { CaseContent } from './case-content-store.ts'
import { listCases } from './case-list-store.ts'

const CASES = '/beta/casework/cases'
const EVENTS = '/beta/casework/events'

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

interface Pushed {
  readonly event_id: string
  readonly case_id: string
}

async function openDesk(tenantId: string) {
  await app.createTenant(tenantId)
  const token = await app.createToken({ tenantId })
  const send = (method: string, path: string, json?: unknown) =>
    app.send(method, path, { token, ...(json === undefined ? {} : { json }) })
  return {
    token,
    send,
    async push(...events: readonly object[]): Promise<readonly Pushed[]> {
      const json = events.map((event) => ({
        event_date: '2026-02-01T00:00:00Z',
        event_type: 'PortScan',
        ...event,
      }))
      const answer = await send('POST', EVENTS, json)
      assert.equal(answer.status, 200, answer.text)
      return answer.json().items
    },
    async list(path: string, query: Record<string, string>): Promise<readonly string[]> {
      const items = await walkList(
        (page) => send('GET', page),
        `${path}?${new URLSearchParams({ ...query, limit: '2' }).toString()}`,
      )
      return items.map((item) => item.id ?? item.event_id ?? '')
    },
  }
}

test('cases are listed by address, range, domain, reporter, type, words and a later deadline', async () => {
  const desk = await openDesk('contents')
  const pushed = await desk.push(
    { customer_id: 'a', ip: '198.51.100.7', sender_email: 'Ana@Example.org' },
    { customer_id: 'b', ip: '198.51.100.200', domain: 'bad.example', event_type: 'Phishing' },
    {
      customer_id: 'c',
      ip: '2001:db8::7',
      event_details: { url: 'https://login.evil.example/Wallet/seed?x=1' },
    },
    { customer_id: 'a', ip: '198.51.100.8' },
  )
  const [a = '', b = '', c = ''] = pushed.map((item) => item.case_id)
  assert.equal(new Set([a, b, c]).size, 3)
  const of = (query: Record<string, string>) => desk.list(CASES, { order: 'asc', ...query })
  assert.deepEqual(await of({ ip: '::ffff:198.51.100.7' }), [a])
  assert.deepEqual(await of({ ip: '2001:DB8:0::7' }), [c])
  assert.deepEqual(await of({ range: '198.51.100.0/24' }), [a, b])
  assert.deepEqual(await of({ range: '198.51.100.8-198.51.100.9' }), [a])
  assert.deepEqual(await of({ range: '2001:db8::/32' }), [c])
  assert.deepEqual(await of({ range: '0.0.0.0/0' }), [a, b])
  assert.deepEqual(await of({ domain: 'BAD.example.' }), [b])
  assert.deepEqual(await of({ domain: 'other.example' }), [])
  assert.deepEqual(await of({ reporter: 'ANA@example.org' }), [a])
  assert.deepEqual(await of({ event_type: 'Phishing' }), [b])
  assert.deepEqual(await of({ text: 'wallet' }), [])
  assert.deepEqual(await of({ text: 'https://login.evil.example/Wallet/seed?x=1' }), [c])
  assert.deepEqual(await of({ text: 'LOGIN.evil.exam' }), [c])
  assert.deepEqual(await of({ range: '198.51.100.0/24', event_type: 'Phishing' }), [b])
  assert.deepEqual(await of({ ip: '198.51.100.7', customer_id: 'b' }), [])
  for (const sort of ['created_at', 'first_event_date', 'last_event_date']) {
    assert.equal((await of({ range: '198.51.100.0/24', sort })).length, 2, sort)
  }

  await desk.send('POST', `${CASES}/${b}/comments`, { text: 'Called the Widow about her router.' })
  assert.deepEqual(await of({ text: 'router widow' }), [b])
  assert.deepEqual(await of({ text: 'rout' }), [b])
  assert.deepEqual(await of({ text: 'ro' }), [])
  const counted = await desk.send('GET', `${CASES}/counts?range=198.51.100.0/24&by=customer_id`)
  assert.equal(counted.json().total, 2)
  assert.equal(counted.json().groups.length, 2)

  await desk.send('PATCH', `${CASES}/${a}`, { version: 1, deadline_at: '2031-01-01T00:00:00Z' })
  await desk.send('PATCH', `${CASES}/${c}`, { version: 1, deadline_at: '2030-01-01T00:00:00Z' })
  assert.deepEqual(await of({ deadline_after: '2030-06-01T00:00:00Z' }), [a])
  assert.deepEqual(await of({ deadline_after: '2030-01-01T00:00:00Z', sort: 'due_at' }), [c, a])
  const between = {
    deadline_after: '2029-01-01T00:00:00Z',
    deadline_before: '2030-06-01T00:00:00Z',
  }
  assert.deepEqual(await of(between), [c])
  assert.deepEqual(await of({ ...between, ip: '198.51.100.7' }), [])

  const change = { filter: { reporter: 'ana@example.org' }, change: { severity: 'low' } }
  assert.equal((await desk.send('POST', `${CASES}/bulk`, change)).json().changed, 1)
  const stranger = await openDesk('strangers')
  assert.deepEqual(await stranger.list(CASES, { range: '0.0.0.0/0' }), [])
  assert.deepEqual(await stranger.list(CASES, { text: 'router' }), [])
})

test('events are listed by range, sender and several types, and show their case if it is asked for', async () => {
  const desk = await openDesk('ranges')
  const [one, two, three] = await desk.push(
    { ip: '203.0.113.1', customer_id: 'a', sender_email: 'Ana@Example.org' },
    { ip: '203.0.113.200', customer_id: 'b', event_type: 'Phishing' },
    { domain: 'x.example', customer_id: 'c', event_type: 'Spam' },
  )
  assert.ok(one !== undefined && two !== undefined && three !== undefined)
  const of = (query: Record<string, string>) => desk.list(EVENTS, { order: 'asc', ...query })
  for (const sort of ['event_date', 'create_date']) {
    assert.deepEqual(await of({ range: '203.0.113.0/24', sort }), [one.event_id, two.event_id])
    assert.deepEqual(await of({ range: '203.0.113.2-203.0.113.255', sort }), [two.event_id])
    assert.deepEqual(await of({ sender_email: 'ana@EXAMPLE.org', sort }), [one.event_id])
    const types = { event_type: 'Spam,Phishing,Spam', event_before: '2027-01-01T00:00:00Z', sort }
    assert.deepEqual(await of(types), [two.event_id, three.event_id])
    const latest = await of({ ...types, order: 'desc' })
    assert.deepEqual(latest, [three.event_id, two.event_id])
  }
  assert.deepEqual(await of({ range: '203.0.113.0/24', sender_email: 'no@example.org' }), [])
  const query = `${EVENTS}?range=203.0.113.1&expand=case`
  const [item] = (await desk.send('GET', query)).json().items
  assert.deepEqual([item.case_id, item.customer_id], [one.case_id, 'a'])
})

test('400 for a content that no case can have, with the name of the parameter', async () => {
  const wrong = [
    `${CASES}?ip=192.0.2.1/24`,
    `${CASES}?range=192.0.2.1/24`,
    `${CASES}?range=192.0.2.9-192.0.2.1`,
    `${CASES}?range=x`,
    `${CASES}?domain=-x-`,
    `${CASES}?reporter=ana`,
    `${CASES}?event_type=Nonsense`,
    `${CASES}?text=`,
    `${CASES}?text=--`,
    `${CASES}?text=${'x'.repeat(501)}`,
    `${CASES}?deadline_after=2026-01-01`,
    `${EVENTS}?range=x`,
    `${EVENTS}?sender_email=ana`,
    `${EVENTS}?event_type=Spam,`,
    `${EVENTS}?expand=report`,
  ]
  for (const path of wrong) {
    const headers = { accept: 'application/problem+json' }
    const answer = await app.send('GET', path, { token: app.token, headers })
    assert.equal(answer.status, 400, path)
    const name = /\?(\w+)/.exec(path)?.[1]
    assert.ok(answer.json().errors[0].path.endsWith(`/${name}`), answer.text)
  }
})

const PAGE = { limit: 50, order: 'desc', position: null } as const

async function explainCases(content: CaseContent, sort: 'created_at' | 'last_event_date') {
  const rows = await listCases(reader.db, { tenantId: MANY }, { content }, sort, PAGE)
  return { found: rows.length, plan: (await reader.readPlans()).join('\n') }
}

async function explainEvents(filter: EventFilter) {
  const request = { sort: 'event_date', page: PAGE, nowMs: Date.now() } as const
  const rows = await listEvents(reader.db, { tenantId: MANY }, filter, request)
  return { found: rows.length, plan: (await reader.readPlans()).join('\n') }
}

function spanOf(text: string) {
  const span = parseAddressSpan(text)
  assert.ok(typeof span !== 'string')
  return span
}

// The months of the value were looked up before, and there are none.
const NO_EVENT_IS_READ =
  /find_months_of_events[\s\S]*One-Time Filter: (?:false|\(false AND false\))/

test('every filter by content is answered by an index, for few cases and for many', async () => {
  const filters: readonly (readonly [CaseContent, RegExp, number])[] = [
    [{ ip: '10.0.0.7' }, /event_case_by_ip/, 1],
    [{ range: spanOf('10.0.0.0/28') }, /event_case_by_ip/, 16],
    [{ range: spanOf('10.0.0.0/8') }, /event_case_by_ip/, 51],
    [{ domain: 'site-7.example.net' }, /event_case_by_domain/, 1],
    [{ reporter: 'reporter-1@example.org' }, /event_case_by_sender/, 51],
    [{ reporter: 'nobody@example.org' }, NO_EVENT_IS_READ, 0],
    [{ eventType: 'ChildAbuse' }, /case_by_event_type/, 0],
    [{ eventType: 'Spam' }, /case_by_created|case_last_event_pkey/, 51],
    [{ text: 'site-7.example.net' }, /find_events_by_words[\s\S]*case_comment/, 1],
  ]
  for (const [content, index, cases] of filters) {
    for (const sort of ['created_at', 'last_event_date'] as const) {
      const { found, plan } = await explainCases(content, sort)
      const named = `${Object.keys(content).join()} ${sort}\n${plan}`
      assert.equal(found, cases, named)
      assert.match(plan, index, named)
      assert.doesNotMatch(plan, /Seq Scan on (?:event|case_last_event)\b/, named)
    }
  }
})

test('of cases that were found by words, each is read once by its key', async () => {
  const { plan } = await explainCases({ text: 'site-7.example.net' }, 'created_at')
  const page = plan.slice(plan.lastIndexOf('Limit'))
  assert.match(page, /Function Scan on unnest/)
  assert.doesNotMatch(page, /ANY/, plan)
})

test('lists of events by range, sender and types are answered by an index', async () => {
  const filters: readonly (readonly [EventFilter, RegExp, number])[] = [
    [{ range: spanOf('10.0.0.0/30') }, /event_case_by_ip/, 40],
    [{ range: spanOf('10.0.0.0/8') }, /event_by_date/, 51],
    [{ senderEmail: 'nobody@example.org' }, NO_EVENT_IS_READ, 0],
    [{ senderEmail: 'reporter-1@example.org' }, /event_by_date/, 51],
    [{ eventTypes: ['Spam', 'Phishing'] }, /event_by_type[\s\S]*event_by_type/, 51],
  ]
  for (const [filter, index, events] of filters) {
    const { found, plan } = await explainEvents(filter)
    assert.equal(found, events, plan)
    assert.match(plan, index)
    const page = plan.slice(plan.indexOf('\n', plan.lastIndexOf('Limit')))
    assert.doesNotMatch(page, /Seq Scan on event\b/, plan)
  }
})

test('400 for words of too many events, which a rarer word mends', async () => {
  const token = await app.createToken({ tenantId: MANY })
  const headers = { accept: 'application/problem+json' }
  const answer = await app.send('GET', `${CASES}?text=tcp`, { token, headers })
  assert.equal(answer.status, 400)
  assert.equal(answer.json().code, 'CASEWORK_FILTER_NOT_VALID')
  assert.match(answer.json().errors[0].reason, /more than 10000 events.*rarer/)
  const rarer = await app.send('GET', `${CASES}?text=tcp site-7.example.net`.replace(' ', '%20'), {
    token,
  })
  assert.equal(rarer.json().items.length, 1)
})

// Lists of cases by the content of their events and comments, and lists of events by range, sender,
// several types and with their case: what each filter takes, its bounds, and its plan.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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

describe('a list of cases', () => {
  let desk: Awaited<ReturnType<typeof openDesk>>
  /** The ids of the cases, in the order in which they were opened. */
  let ids: readonly string[]
  /** The numbers of the cases in the list: 0 for the first one. */
  const of = async (query: Record<string, string>): Promise<readonly number[]> =>
    (await desk.list(CASES, { order: 'asc', ...query })).map((id) => ids.indexOf(id))
  before(async () => {
    desk = await openDesk('contents')
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
    ids = pushed.slice(0, 3).map((item) => item.case_id)
    assert.equal(new Set(ids).size, 3)
    const text = 'Called the Widow about her router.'
    await desk.send('POST', `${CASES}/${ids[1]}/comments`, { text })
    const setDeadline = (at: number, deadline: string) =>
      desk.send('PATCH', `${CASES}/${ids[at]}`, { version: 1, deadline_at: deadline })
    await setDeadline(0, '2031-01-01T00:00:00Z')
    await setDeadline(2, '2030-01-01T00:00:00Z')
  })

  const BETWEEN = {
    deadline_after: '2029-01-01T00:00:00Z',
    deadline_before: '2030-06-01T00:00:00Z',
  }
  const ROWS: readonly (readonly [what: string, Record<string, string>, readonly number[]])[] = [
    ['an address, also mapped to IPv6', { ip: '::ffff:198.51.100.7' }, [0]],
    ['an IPv6 address, however it is written', { ip: '2001:DB8:0::7' }, [2]],
    ['a range', { range: '198.51.100.0/24' }, [0, 1]],
    ['a range from one address to another', { range: '198.51.100.8-198.51.100.9' }, [0]],
    ['an IPv6 range', { range: '2001:db8::/32' }, [2]],
    ['the range of all IPv4 addresses', { range: '0.0.0.0/0' }, [0, 1]],
    ['a domain, however it is written', { domain: 'BAD.example.' }, [1]],
    ['a domain that none has', { domain: 'other.example' }, []],
    ['a reporter, in any case of letters', { reporter: 'ANA@example.org' }, [0]],
    ['a type of event', { event_type: 'Phishing' }, [1]],
    ['a word of a URL, which is no word of the case', { text: 'wallet' }, []],
    ['a URL', { text: 'https://login.evil.example/Wallet/seed?x=1' }, [2]],
    ['the beginning of a host', { text: 'LOGIN.evil.exam' }, [2]],
    ['two words of a comment', { text: 'router widow' }, [1]],
    ['the beginning of a word', { text: 'rout' }, [1]],
    ['two letters, which are too few for a beginning', { text: 'ro' }, []],
    ['a range and a type', { range: '198.51.100.0/24', event_type: 'Phishing' }, [1]],
    ['an address and another customer', { ip: '198.51.100.7', customer_id: 'b' }, []],
    ['a later deadline', { deadline_after: '2030-06-01T00:00:00Z' }, [0]],
    [
      'a deadline from its moment on',
      { deadline_after: '2030-01-01T00:00:00Z', sort: 'due_at' },
      [2, 0],
    ],
    ['a deadline between two moments', BETWEEN, [2]],
    ['such a deadline and an address of another case', { ...BETWEEN, ip: '198.51.100.7' }, []],
  ]
  for (const [what, query, wanted] of ROWS) {
    test(`is found by ${what}`, async () => {
      assert.deepEqual(await of(query), wanted)
    })
  }

  for (const sort of ['created_at', 'first_event_date', 'last_event_date']) {
    test(`by a range is sorted by ${sort}`, async () => {
      assert.equal((await of({ range: '198.51.100.0/24', sort })).length, 2)
    })
  }

  test('by a range is counted', async () => {
    const counted = await desk.send('GET', `${CASES}/counts?range=198.51.100.0/24&by=customer_id`)
    assert.equal(counted.json().total, 2)
    assert.equal(counted.json().groups.length, 2)
  })

  test('by a reporter is changed in bulk', async () => {
    const change = { filter: { reporter: 'ana@example.org' }, change: { severity: 'low' } }
    assert.equal((await desk.send('POST', `${CASES}/bulk`, change)).json().changed, 1)
  })

  test('holds none of another tenant', async () => {
    const stranger = await openDesk('strangers')
    assert.deepEqual(await stranger.list(CASES, { range: '0.0.0.0/0' }), [])
    assert.deepEqual(await stranger.list(CASES, { text: 'router' }), [])
  })
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

// The lists of endpoints 1 and 4: filters, sort, order, pages and cursors (design section 5.4).

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'

const EVENTS = '/beta/casework/events'
const CASES = '/beta/casework/cases'

interface Item {
  readonly id: string
  readonly event_id: string
  readonly event_date: string
}

const app = withApp()

function list(
  path: string,
  query: Record<string, string | number> = {},
  as = app.token,
): Promise<TestAnswer> {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  )
  return app.send('GET', `${path}?${parameters.toString()}`, { token: as })
}

async function listIds(
  path: string,
  query: Record<string, string | number> = {},
): Promise<string[]> {
  const answer = await list(path, query)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().items.map((item: Item) => item.id ?? item.event_id)
}

async function walk(
  path: string,
  query: Record<string, string | number>,
  between: () => Promise<void> = async () => undefined,
  as = app.token,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < 500; pages += 1) {
    const answer = await list(path, { ...query, ...(cursor === undefined ? {} : { cursor }) }, as)
    assert.equal(answer.status, 200, answer.text)
    items.push(...answer.json().items)
    cursor = answer.json().next_cursor
    assert.equal(typeof cursor, 'string')
    if (cursor === '') return items
    await between()
  }
  return assert.fail('the walk does not end')
}

async function pushEvents(
  events: readonly object[],
  as = app.token,
): Promise<{ event_id: string; case_id: string }[]> {
  const answer = await app.send('POST', EVENTS, { token: as, json: events })
  assert.equal(answer.status, 200, answer.text)
  for (const item of answer.json().items) assert.equal(item.outcome, 'created', item.error)
  return answer.json().items
}

function eventOf(members: object): object {
  return { event_date: '2026-02-01T00:00:00Z', event_type: 'PortScan', ...members }
}

async function createTenantToken(tenantId: string): Promise<string> {
  await app.createTenant(tenantId)
  return await app.createToken({ tenantId })
}

test('an empty list is a page without items and with an empty next_cursor', async () => {
  const empty = await createTenantToken('empty')
  for (const path of [EVENTS, CASES]) {
    const answer = await list(path, {}, empty)
    assert.deepEqual(answer.json(), { items: [], next_cursor: '' })
    assert.equal(answer.headers['cache-control'], 'no-store')
  }
})

function minuteOf(minute: number): string {
  return `2026-03-01T00:0${minute}:00.000Z`
}

describe('a list of events', () => {
  let ids: readonly string[]
  let firstCase = ''
  const range = { event_after: minuteOf(1), event_before: '2026-03-01T00:04:00Z' }
  /** The numbers of the events in the list: 0 for the oldest one. */
  const of = async (query: object): Promise<readonly number[]> =>
    (await listIds(EVENTS, { ...range, ...query })).map((id) => ids.indexOf(id))
  before(async () => {
    const pushed = await pushEvents([
      { event_date: minuteOf(1), event_type: 'LoginAttack', ip: '198.51.100.1' },
      { event_date: minuteOf(2), event_type: 'Phishing', ip: '2001:db8::f', domain: 'bad.example' },
      {
        event_date: minuteOf(3),
        event_type: 'Phishing',
        domain: 'worse.example',
        customer_id: 'c 3',
      },
    ])
    ids = pushed.map((one) => one.event_id)
    firstCase = pushed[0]?.case_id ?? assert.fail()
  })

  const ROWS: readonly (readonly [what: string, object, readonly number[]])[] = [
    ['none, the newest first', {}, [2, 1, 0]],
    ['none, the oldest first', { order: 'asc' }, [0, 1, 2]],
    ['a customer', { customer_id: 'c 3' }, [2]],
    ['a type', { event_type: 'Phishing' }, [2, 1]],
    ['an IPv6 address, however it is written', { ip: '2001:DB8:0:0::F' }, [1]],
    ['an address, also mapped to IPv6', { ip: '::ffff:198.51.100.1' }, [0]],
    ['a domain, however it is written', { domain: 'BAD.example.' }, [1]],
    ['resolved', { resolved: 'true' }, []],
    ['not resolved', { resolved: 'false' }, [2, 1, 0]],
    ['a span, without its end', { event_after: minuteOf(2), event_before: minuteOf(3) }, [1]],
    ['a type and a domain', { event_type: 'Phishing', domain: 'bad.example' }, [1]],
    ['none, by arrival', { sort: 'create_date', order: 'asc' }, [0, 1, 2]],
  ]
  for (const [what, query, wanted] of ROWS) {
    test(`takes what the filter names and nothing else: ${what}`, async () => {
      assert.deepEqual(await of(query), wanted)
    })
  }

  test('takes what the filter names and nothing else: a case', async () => {
    assert.deepEqual(await of({ case_id: firstCase.toLowerCase() }), [0])
  })
})

test('an event in the list has the members of the interface and no others', async () => {
  const [pushed] = await pushEvents([eventOf({ ip: '198.51.100.9', domain: 'x.example' })])
  const [item] = (await list(EVENTS, { ip: '198.51.100.9' })).json().items
  assert.deepEqual(item, {
    event_date: '2026-02-01T00:00:00.000Z',
    event_id: pushed?.event_id,
    event_type: 'PortScan',
    sender_email: 'reporter@example.com',
    domain: 'x.example',
    ip: '198.51.100.9',
  })
})

describe('a list of cases', () => {
  let as = ''
  let ids: readonly string[]
  const listItems = async (query: Record<string, string>) =>
    (await list(CASES, query, as)).json().items
  /** The cases of the list by the letters of their customers. */
  const of = async (query: Record<string, string>): Promise<string> =>
    (await listItems(query)).map(({ id }) => 'abc'[ids.indexOf(id)] ?? '?').join('')
  before(async () => {
    as = await createTenantToken('filters')
    const pushed = await pushEvents(
      [
        eventOf({ customer_id: 'a', contract_id: 'k1', event_date: '2026-02-03T00:00:00Z' }),
        eventOf({ customer_id: 'b', event_date: '2026-02-01T00:00:00Z' }),
        eventOf({ customer_id: 'c', event_date: '2026-02-02T00:00:00Z' }),
      ],
      as,
    )
    ids = pushed.map((item) => item.case_id)
    const closing = { version: 1, state: 'CLOSED', close_reason: 'duplicate' }
    await app.send('PATCH', `${CASES}/${ids[1]}`, { token: as, json: closing })
  })

  const ROWS: readonly (readonly [what: string, Record<string, string>, string])[] = [
    ['none, the newest first', {}, 'cba'],
    ['a state', { state: 'NEW' }, 'ca'],
    ['two states', { state: 'CLOSED,NEW', order: 'asc' }, 'abc'],
    ['a customer', { customer_id: 'a' }, 'a'],
    ['a contract', { contract_id: 'k1' }, 'a'],
    ['a case group', { case_group: 'default' }, 'cba'],
    ['another case group', { case_group: 'block' }, ''],
    ['the tenant of the token', { tenant_id: 'filters' }, 'cba'],
    ['another tenant', { tenant_id: 'default' }, ''],
    ['a tenant that does not exist', { tenant_id: 'no-such-tenant' }, ''],
    ['none, by the first event', { sort: 'first_event_date' }, 'acb'],
    ['none, by the last event', { sort: 'last_event_date', order: 'asc' }, 'bca'],
    ['opened after a moment to come', { created_after: '2999-01-01T00:00:00Z' }, ''],
    ['opened before a moment to come', { created_before: '2999-01-01T00:00:00Z' }, 'cba'],
    ['opened within an hour', { created_within_hours: '1' }, 'cba'],
    ['opened within no time', { created_within_hours: '0' }, ''],
  ]
  for (const [what, query, wanted] of ROWS) {
    test(`takes what the filter names and nothing else: ${what}`, async () => {
      assert.equal(await of(query), wanted)
    })
  }

  test('has the members of the interface and no others', async () => {
    const { created_at: _, ...rest } = (await listItems({ customer_id: 'a' }))[0]
    assert.deepEqual(rest, {
      id: ids[0],
      state: 'NEW',
      first_event_date: '2026-02-03T00:00:00.000Z',
      last_event_date: '2026-02-03T00:00:00.000Z',
      customer_id: 'a',
      tenant_id: 'filters',
      contract_id: 'k1',
    })
  })

  test('from a moment on has a case of that moment, and before it has not', async () => {
    const { created_at: createdAt } = (await listItems({ customer_id: 'a' }))[0]
    assert.match(await of({ created_after: createdAt }), /a/)
    assert.doesNotMatch(await of({ created_before: createdAt }), /a/)
  })

  test('of nobody leaves out what somebody took', async () => {
    const query = { assignee_user_id: 'none', sort: 'last_event_date' }
    assert.equal(await of(query), 'acb')
    const taken = { version: 1, assignee_user_id: 'ana' }
    await app.send('PATCH', `${CASES}/${ids[0]}`, { token: as, json: taken })
    assert.equal(await of(query), 'cb')
  })
})

test('a list of cases has a summary of each where the reader asks for it, and only then', async () => {
  const as = await createTenantToken('summaries')
  const stranger = await createTenantToken('summaries-not')
  const [first, last] = await pushEvents(
    [
      eventOf({ customer_id: 'a', ip: '198.51.100.31', report_id: 'one' }),
      eventOf({ customer_id: 'a', event_date: '2026-02-02T00:00:00Z', domain: 'x.example' }),
    ],
    as,
  )
  assert.equal(first?.case_id, last?.case_id)
  const [other] = await pushEvents([eventOf({ customer_id: 'b' })], as)
  const path = `${CASES}/${first?.case_id}`
  const change = { severity: 'high', assignee_user_id: 'ana', tags: ['vip'], waiting_on: 'agent' }
  const deadline = { deadline_at: '2999-01-01T00:00:00.000Z' }
  const json = { version: 1, ...change, ...deadline }
  assert.equal((await app.send('PATCH', path, { token: as, json })).status, 200)
  await app.send('POST', `${path}/comments`, { token: as, json: { text: 'Called.' } })
  const plain = (await list(CASES, { limit: 1 }, as)).json()
  const page = (await list(CASES, { limit: 1, expand: 'summary', order: 'asc' }, as)).json()
  const [{ summary, ...members }] = page.items
  assert.deepEqual(Object.keys(members), Object.keys(plain.items[0]))
  assert.deepEqual(summary, {
    version: 2,
    case_group: 'default',
    ...change,
    due_at: deadline.deadline_at,
    customer_status: 'unnotified',
    event_types: ['PortScan'],
    event_count: 2,
    ip_count: 1,
    reporter_count: 1,
    comment_count: 1,
    reopen_count: 0,
    last_event: { event_id: last?.event_id, event_type: 'PortScan', domain: 'x.example' },
  })
  const next = { limit: 1, order: 'asc', cursor: page.next_cursor }
  assert.equal((await list(CASES, next, as)).json().items[0].id, other?.case_id)
  assert.deepEqual((await list(CASES, { expand: 'summary' }, stranger)).json().items, [])
  assert.equal((await list(CASES, { expand: 'events' }, as)).status, 400)
})

test('the summary names the customer, when it is recorded and has a name', async () => {
  const as = await createTenantToken('named-customers')
  const json = { id: 'a', name: 'Example Hosting' }
  await app.send('POST', '/beta/casework/customers', { token: as, json })
  await pushEvents([eventOf({ customer_id: 'a' }), eventOf({ customer_id: 'b' })], as)
  const { items } = (await list(CASES, { expand: 'summary' }, as)).json()
  const names = items.map((item: { summary: { customer_name?: string } }) => item.summary)
  assert.deepEqual(
    names.map((one: { customer_name?: string }) => one.customer_name),
    [undefined, 'Example Hosting'],
  )
})

test('400 for unknown, malformed, empty and doubled parameters, with the name of the parameter', async () => {
  const both = [
    'limit=0',
    'limit=1001',
    'limit=x',
    'limit=',
    'limit=1.5',
    'limit=1&limit=2',
    'order=up',
    'order=DESC',
  ]
  both.push(
    'sort=id',
    'cursor=',
    'cursor=x',
    'page=1',
    'customer_id=',
    'order=asc&order=asc',
    'customer_id=a&customer_id=b',
  )
  const events = [
    'ip=999.1.1.1',
    'ip=192.0.2.1/24',
    'domain=-x-',
    'case_id=7',
    'event_type=Nonsense',
    'resolved=maybe',
  ]
  events.push(
    'event_after=2026-01-01',
    'event_before=x',
    'state=NEW',
    'created_after=2026-01-01T00:00:00Z',
  )
  const cases = [
    'state=OPEN',
    'state=',
    'state=NEW,',
    'state=new',
    'state=NEW&state=CLOSED',
    'created_after=0',
    'created_within_hours=-1',
    'due_within_hours=1.5',
    'sender_email=ana@example.org',
  ]
  const queries = [
    ...[...both, ...events].map((query) => `${EVENTS}?${query}`),
    ...[...both, ...cases].map((query) => `${CASES}?${query}`),
  ]
  for (const query of queries) {
    const answer = await app.send('GET', query, { token: app.token })
    assert.equal(answer.status, 400, query)
    assert.equal(answer.text, '', query)
    const headers = { accept: 'application/problem+json' }
    const told = (await app.send('GET', query, { token: app.token, headers })).json()
    const name = /\?(\w+)/.exec(query)?.[1]
    assert.ok(told.errors[0].path.endsWith(`/${name}`), `${query}: ${JSON.stringify(told)}`)
  }
})

test('400 tells which filter is meant and what it takes', async () => {
  const headers = { accept: 'application/problem+json' }
  const answer = await app.send('GET', `${CASES}?state=OPEN`, { token: app.token, headers })
  assert.equal(answer.json().code, 'CASEWORK_FILTER_NOT_VALID')
  assert.match(answer.json().errors[0].reason, /NEW, IN_PROGRESS, RESOLVED, CLOSED/)
})

test('pages have 50 entries unless a limit is given, and end with an empty cursor', async () => {
  const as = await createTenantToken('pages')
  await pushEvents(
    Array.from({ length: 120 }, (_, index) => eventOf({ domain: `c${index}.example` })),
    as,
  )
  for (const path of [EVENTS, CASES]) {
    assert.equal((await list(path, {}, as)).json().items.length, 50)
    const all = await list(path, { limit: 120 }, as)
    assert.equal(all.json().items.length, 120)
    assert.equal(all.json().next_cursor, '')
    assert.equal((await walk(path, { limit: 40 }, undefined, as)).length, 120)
  }
})

test('ties are ordered by id, so that equal times are walked exactly once in either order', async () => {
  const as = await createTenantToken('ties')
  const events = Array.from({ length: 60 }, (_, index) => eventOf({ domain: `c${index}.example` }))
  const ids = (await pushEvents(events, as)).map((item) => item.event_id)
  for (const order of ['asc', 'desc'] as const) {
    const walked = (await walk(EVENTS, { limit: 7, order }, undefined, as)).map(
      (item) => item.event_id,
    )
    assert.deepEqual(walked, order === 'asc' ? ids.toSorted() : ids.toSorted().toReversed())
  }
})

test('a walk gives every row that was there exactly once while others are inserted', async () => {
  const as = await createTenantToken('walk')
  let count = 0
  const more = async (): Promise<void> => {
    await pushEvents(
      Array.from({ length: 25 }, () => {
        count += 1
        return {
          event_date: new Date(Date.UTC(2026, 0, 1) + ((count * 7_919) % 86_400) * 1_000),
          event_type: 'PortScan',
          customer_id: `w${count % 40}`,
        }
      }),
      as,
    )
  }
  for (let batch = 0; batch < 8; batch += 1) await more()
  for (const sort of ['event_date', 'create_date']) {
    for (const order of ['asc', 'desc']) {
      const present = (await walk(EVENTS, { limit: 1_000 }, undefined, as)).map(
        (item) => item.event_id,
      )
      const walked = (
        await walk(EVENTS, { limit: 30, sort, order }, count > 1_200 ? undefined : more, as)
      ).map((item) => item.event_id)
      assert.equal(new Set(walked).size, walked.length, 'nothing comes twice')
      const met = new Set(walked)
      assert.deepEqual(
        present.filter((id) => !met.has(id)),
        [],
        'nothing is missed',
      )
    }
  }
})

test('400 for a cursor of another filter, sort, order, list or tenant', async () => {
  const as = await createTenantToken('cursors')
  await pushEvents(
    Array.from({ length: 5 }, (_, index) => eventOf({ domain: `c${index}.example` })),
    as,
  )
  const query = { limit: 2, event_type: 'PortScan' }
  const cursor = (await list(EVENTS, query, as)).json().next_cursor
  assert.equal((await list(EVENTS, { ...query, cursor }, as)).status, 200)
  assert.equal(
    (await list(EVENTS, { ...query, limit: 3, cursor }, as)).status,
    200,
    'a limit is no filter',
  )
  assert.equal((await list(EVENTS, { limit: 2, cursor }, as)).status, 400)
  assert.equal((await list(EVENTS, { ...query, resolved: 'false', cursor }, as)).status, 400)
  assert.equal((await list(EVENTS, { ...query, sort: 'create_date', cursor }, as)).status, 400)
  assert.equal((await list(EVENTS, { ...query, order: 'asc', cursor }, as)).status, 400)
  assert.equal((await list(CASES, { limit: 2, cursor }, as)).status, 400)
  const foreign = await app.send('GET', `${EVENTS}?limit=2&event_type=PortScan&cursor=${cursor}`, {
    token: app.token,
    headers: { accept: 'application/problem+json' },
  })
  assert.equal(foreign.status, 400)
  assert.equal(foreign.json().code, 'CASEWORK_CURSOR_NOT_VALID')
})

test('400 for a cursor that was altered, cut, made longer or made up, and never a row', async () => {
  const { next_cursor: cursor } = (await list(EVENTS, { limit: 1 })).json()
  const attacks = [
    'A',
    '!',
    cursor.slice(0, -1),
    `${cursor}A`,
    'A'.repeat(10_000),
    `${cursor}=`,
    Buffer.from('["2026"]').toString('base64url'),
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.nat(cursor.length - 1),
      fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_'),
      async (at, letter) => {
        const altered = cursor.slice(0, at) + letter + cursor.slice(at + 1)
        if (altered !== cursor) attacks.push(altered)
      },
    ),
    { numRuns: 40 },
  )
  for (const attack of attacks) {
    const answer = await list(EVENTS, { limit: 1, cursor: attack })
    assert.ok([400, 431].includes(answer.status), attack.slice(0, 40))
    assert.equal(answer.text, '')
  }
})

test('another node reads the cursors of this one, and two first starts agree on one key', async () => {
  const { compose } = await import('../../../app/compose.ts')
  const { foundation } = app.services
  await foundation.database.pool.query('delete from cursor_key')
  const options = { config: foundation.config, connection: app.connection, log: foundation.log }
  const nodes = await Promise.all([compose(options), compose(options), compose(options)])
  const sealed = nodes[0]?.casework.cursors.seal(['a'], ['b']) ?? ''
  for (const node of nodes) assert.deepEqual(node.casework.cursors.open(['a'], sealed), ['b'])
  await Promise.all(nodes.map((node) => node.close()))
})

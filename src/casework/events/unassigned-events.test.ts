// Events that nobody is known to be responsible for: listed with their cause, taken up again after
// a fix, and moved on somebody's word.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'

const EVENTS = '/beta/casework/events'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

interface Tenant {
  readonly send: (method: string, path: string, json?: unknown) => Promise<TestAnswer>
  readonly id: string
}

/** A tenant with two customers, and one range of the first. */
async function openTenant(id: string): Promise<Tenant> {
  await app.createTenant(id)
  const token = await app.createToken({ tenantId: id })
  const send = (method: string, path: string, json?: unknown): Promise<TestAnswer> =>
    app.send(method, path, { token, ...(json === undefined ? {} : { json }) })
  await send('POST', '/beta/casework/customers/bulk', [{ id: 'k-1' }, { id: 'k-2' }])
  await own({ send, id }, '203.0.113.0/28', 'k-1')
  return { send, id }
}

async function own({ send }: Tenant, value: string, customerId: string): Promise<void> {
  const resource = { kind: 'ip_range', value, customer_id: customerId }
  const made = await send('POST', '/beta/casework/resources', resource)
  assert.equal(made.status, 201, made.text)
}

function event(ip: string | null, second: number): object {
  const at = new Date(Date.UTC(2026, 3, 1) + second * 1_000).toISOString()
  return { event_type: 'PortScan', event_date: at, ...(ip === null ? {} : { ip }) }
}

async function push({ send }: Tenant, events: readonly object[]) {
  const answer = await send('POST', EVENTS, events)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().items
}

async function list({ send }: Tenant, query: string): Promise<readonly string[]> {
  const answer = await send('GET', `${EVENTS}?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().items.map((item: { event_id: string }) => item.event_id)
}

/** Cases whose sums differ from a recount. */
async function findWrongCases({ id }: Tenant): Promise<readonly unknown[]> {
  const { pool } = app.services.foundation.database
  const wrong = await pool.query(
    `select id from abuse_case cross join lateral (
       select count(*) as count, min(event_date) as first, max(event_date) as last from event
       where event.tenant_id = abuse_case.tenant_id and event.case_id = abuse_case.id
     ) as counted
     where tenant_id = $1 and (event_count <> counted.count or counted.count > 0
       and (first_event_date, last_event_date) is distinct from (counted.first, counted.last))`,
    [id],
  )
  return wrong.rows
}

describe('the list', () => {
  test('takes unassigned events alone, or the others, or those of one cause', async () => {
    const tenant = await openTenant('listed')
    const [owned, nobodys, nothing] = await push(tenant, [
      event('203.0.113.1', 1),
      event('198.51.100.1', 2),
      event(null, 3),
    ])
    assert.deepEqual(
      [owned.outcome, nobodys.outcome, nothing.outcome],
      ['created', 'unassigned', 'unassigned'],
    )
    const [a, b, c] = [owned.event_id, nobodys.event_id, nothing.event_id]
    assert.deepEqual(await list(tenant, 'unassigned=true&order=asc'), [b, c])
    assert.deepEqual(await list(tenant, 'unassigned=true&sort=create_date'), [c, b])
    assert.deepEqual(await list(tenant, 'unassigned=false'), [a])
    assert.deepEqual(await list(tenant, 'unassigned_cause=no_match'), [b])
    assert.deepEqual(await list(tenant, 'unassigned_cause=no_target'), [c])
    assert.equal((await tenant.send('GET', `${EVENTS}?unassigned_cause=x`)).status, 400)
  })
})

describe('a replay', () => {
  test('200 gives events the owners they have now, in one case with those that came before', async () => {
    const tenant = await openTenant('replayed')
    await push(tenant, [event('198.51.100.1', 1), event('198.51.100.2', 2), event('192.0.2.9', 3)])
    await own(tenant, '198.51.100.0/24', 'k-2')
    const [known] = await push(tenant, [event('198.51.100.3', 4)])
    const replayed = await tenant.send('POST', `${EVENTS}/replay`, {})
    assert.deepEqual(replayed.json(), { assigned: 2, unassigned: 1, next_after: '' })
    const found = await tenant.send('GET', `/beta/casework/cases/${known.case_id}`)
    assert.equal(found.json().event_count, 3)
    assert.equal(found.json().first_event_date, '2026-04-01T00:00:01.000Z')
    assert.deepEqual(await findWrongCases(tenant), [])
    assert.equal((await list(tenant, 'unassigned=true')).length, 1)
    const again = await tenant.send('POST', `${EVENTS}/replay`, {})
    assert.deepEqual(again.json(), { assigned: 0, unassigned: 1, next_after: '' })
  })

  test('200 opens a case with history, and takes only what the filter names', async () => {
    const tenant = await openTenant('filtered')
    const [one, other] = await push(tenant, [event('198.51.100.1', 1), event('198.51.100.2', 2)])
    await own(tenant, '198.51.100.0/24', 'k-2')
    const replay = async (filter: object): Promise<number> =>
      (await tenant.send('POST', `${EVENTS}/replay`, filter)).json().assigned
    assert.equal(await replay({ cause: 'no_target' }), 0)
    assert.equal(await replay({ event_before: '2026-04-01T00:00:01Z' }), 0)
    assert.equal(await replay({ event_ids: [one.event_id.toUpperCase()] }), 1)
    const read = (await tenant.send('GET', `${EVENTS}/${one.event_id}`)).json()
    assert.equal(read.customer_id, 'k-2')
    const history = await tenant.send('GET', `/beta/casework/cases/${read.case_id}/history`)
    assert.equal(history.json().items[0].kind, 'open')
    assert.deepEqual(await list(tenant, 'unassigned=true'), [other.event_id])
    assert.equal((await tenant.send('POST', `${EVENTS}/replay`, { after: 'x' })).status, 400)
    assert.equal((await tenant.send('POST', `${EVENTS}/replay`, { owner: 'x' })).status, 400)
  })

  test('several at once with pushes between them settle every event once', async () => {
    const tenant = await openTenant('at-once')
    const events = Array.from({ length: 300 }, (_, at) => event(`198.51.100.${at % 200}`, at))
    await push(tenant, events)
    await own(tenant, '198.51.100.0/25', 'k-1')
    await own(tenant, '198.51.100.128/25', 'k-2')
    await Promise.all([
      ...Array.from({ length: 4 }, () => tenant.send('POST', `${EVENTS}/replay`, {})),
      ...Array.from({ length: 4 }, (_, at) => push(tenant, [event('198.51.100.5', 1_000 + at)])),
    ])
    // What one replay held, another passed over; by now nobody holds anything.
    await tenant.send('POST', `${EVENTS}/replay`, {})
    assert.deepEqual(await list(tenant, 'unassigned=true'), [])
    assert.deepEqual(await findWrongCases(tenant), [])
    const cases = (await tenant.send('GET', '/beta/casework/cases')).json().items
    assert.equal(cases.length, 2)
  })

  test('leaves what is another tenant’s alone, and needs cases:write', async () => {
    const tenant = await openTenant('mine')
    const [mine] = await push(tenant, [event('198.51.100.1', 1)])
    await own(tenant, '198.51.100.0/24', 'k-2')
    const stranger = await openTenant('strange')
    const tried = await stranger.send('POST', `${EVENTS}/replay`, { event_ids: [mine.event_id] })
    assert.deepEqual(tried.json(), { assigned: 0, unassigned: 0, next_after: '' })
    assert.equal((await list(tenant, 'unassigned=true')).length, 1)
    const reader = await app.createToken({ scopes: ['events:read'] })
    const path = `${EVENTS}/replay`
    assert.equal((await app.send('POST', path, { token: reader, json: {} })).status, 403)
  })
})

describe('a reassignment', () => {
  test('200 moves the event to the case of its new owner, with a row in both histories', async () => {
    const tenant = await openTenant('moved')
    const [one, two] = await push(tenant, [event('203.0.113.1', 1), event('203.0.113.2', 2)])
    assert.equal(one.case_id, two.case_id)
    const path = `${EVENTS}/${one.event_id}/reassign`
    const answer = await tenant.send('POST', path, { customer_id: 'k-2', reason: 'Sold.' })
    assert.equal(answer.status, 200, answer.text)
    const { case_id: caseId, ...rest } = answer.json()
    assert.deepEqual(rest, { event_id: one.event_id, outcome: 'reassigned', customer_id: 'k-2' })
    assert.notEqual(caseId, one.case_id)
    for (const [id, changes] of [
      [one.case_id, { event_id: one.event_id, to_customer_id: 'k-2' }],
      [caseId, { event_id: one.event_id, from_case_id: one.case_id }],
    ] as const) {
      const history = (await tenant.send('GET', `/beta/casework/cases/${id}/history`)).json().items
      const row = history.find((entry: { kind: string }) => entry.kind === 'reassign')
      assert.deepEqual([row.changes, row.reason], [changes, 'Sold.'])
    }
    assert.deepEqual(await findWrongCases(tenant), [])
    const same = await tenant.send('POST', path, { customer_id: 'k-2' })
    assert.equal(same.json().outcome, 'unchanged')
    const back = await tenant.send('POST', path, {})
    assert.deepEqual([back.json().outcome, back.json().case_id], ['reassigned', one.case_id])
    assert.deepEqual(await findWrongCases(tenant), [])
  })

  test('200 for an event that nobody had, and one that nobody has any more', async () => {
    const tenant = await openTenant('given')
    const [lost] = await push(tenant, [event('198.51.100.1', 1)])
    const path = `${EVENTS}/${lost.event_id}/reassign`
    assert.equal((await tenant.send('POST', path, {})).json().outcome, 'unassigned')
    await tenant.send('POST', '/beta/casework/contracts', { id: 'c', customer_id: 'k-1' })
    const given = await tenant.send('POST', path, { customer_id: 'k-1', contract_id: 'c' })
    assert.deepEqual(
      [given.json().outcome, given.json().customer_id, given.json().contract_id],
      ['reassigned', 'k-1', 'c'],
    )
    assert.equal((await tenant.send('POST', path, {})).json().outcome, 'unassigned')
    assert.deepEqual(await list(tenant, 'unassigned=true'), [lost.event_id])
    assert.deepEqual(await findWrongCases(tenant), [])
  })

  test('400 for a customer or contract that is not there, or a contract of another, where the tenant has customers', async () => {
    const tenant = await openTenant('mistyped')
    const [mine] = await push(tenant, [event('203.0.113.1', 1)])
    await tenant.send('POST', '/beta/casework/contracts', { id: 'c-2', customer_id: 'k-2' })
    for (const [json, path, reason] of [
      [{ customer_id: 'k-9' }, '/customer_id', 'names no customer'],
      [{ customer_id: 'k-2', contract_id: 'c-9' }, '/contract_id', 'names no contract'],
      [{ customer_id: 'k-1', contract_id: 'c-2' }, '/contract_id', 'is a contract of another'],
    ] as const) {
      const answer = await tenant.send('POST', `${EVENTS}/${mine.event_id}/reassign`, json)
      assert.equal(answer.status, 400, answer.text)
      assert.ok(answer.text.includes(path) && answer.text.includes(reason), answer.text)
    }
    const record = await tenant.send('GET', `${EVENTS}/${mine.event_id}`)
    assert.deepEqual([record.json().customer_id, record.json().case_id], ['k-1', mine.case_id])
  })

  test('404 for an event that is another tenant’s or none, 400 for a contract of nobody', async () => {
    const tenant = await openTenant('guarded')
    const [mine] = await push(tenant, [event('203.0.113.1', 1)])
    const stranger = await openTenant('curious')
    for (const id of [mine.event_id, UNKNOWN, 'x']) {
      const answer = await stranger.send('POST', `${EVENTS}/${id}/reassign`, { customer_id: 'k-1' })
      assert.equal(answer.status, 404)
    }
    const path = `${EVENTS}/${mine.event_id}/reassign`
    assert.equal((await tenant.send('POST', path, { contract_id: 'c' })).status, 400)
  })
})

// Whose an event is: from resources to contracts and customers, copied onto the event and its case,
// and what becomes of the others.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'

const EVENTS = '/beta/casework/events'

let token: string
const app = withApp({}, async (opened) => {
  token = opened.token
})

const send = (method: string, path: string, json?: unknown, as = token): Promise<TestAnswer> =>
  app.send(method, path, { token: as, ...(json === undefined ? {} : { json }) })

/** A tenant of its own with what it owns, and a token for it. */
async function openTenant(id: string, resources: readonly object[]): Promise<string> {
  await app.createTenant(id)
  const as = await app.createToken({ tenantId: id })
  for (const [path, rows] of [
    ['customers', [{ id: 'k-1' }, { id: 'k-2' }]],
    ['contracts', [{ id: 'line-1', customer_id: 'k-1' }]],
    ['resources', resources],
  ] as const) {
    if (rows.length === 0) continue
    const answer = await send('POST', `/beta/casework/${path}/bulk`, rows, as)
    assert.deepEqual(answer.json().rejected, [], answer.text)
  }
  return as
}

function event(members: object): object {
  return { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z', ...members }
}

const RANGE = {
  kind: 'ip_range',
  value: '192.0.2.0/24',
  customer_id: 'k-1',
  contract_id: 'line-1',
  valid_until: '2026-06-01',
}

describe('an event', () => {
  test('201 in a case of its customer and contract at the time it happened', async () => {
    const as = await openTenant('owned', [
      RANGE,
      {
        ...RANGE,
        customer_id: 'k-2',
        contract_id: undefined,
        valid_from: '2026-06-01',
        valid_until: undefined,
      },
    ])
    const first = (await send('POST', EVENTS, event({ ip: '192.0.2.9' }), as)).json()
    const later = event({ ip: '192.0.2.9', event_date: '2026-06-01T00:00:00Z' })
    const moved = (await send('POST', EVENTS, later, as)).json()
    const read = async (path: string) => {
      const { customer_id: customer, contract_id: contract } = (
        await send('GET', path, undefined, as)
      ).json()
      return [customer, contract]
    }
    assert.equal(first.outcome, 'created')
    for (const path of [`${EVENTS}/${first.event_id}`, `/beta/casework/cases/${first.case_id}`]) {
      assert.deepEqual(await read(path), ['k-1', 'line-1'])
    }
    for (const path of [`${EVENTS}/${moved.event_id}`, `/beta/casework/cases/${moved.case_id}`]) {
      assert.deepEqual(await read(path), ['k-2', undefined])
    }
    assert.notEqual(first.case_id, moved.case_id)
  })

  test('201 for whom its reporter names, whatever the resources say; an account is found in its details', async () => {
    const as = await openTenant('named', [
      RANGE,
      { kind: 'account', value: 'u-1', customer_id: 'k-2' },
    ])
    const rows = [
      event({ ip: '192.0.2.9', customer_id: 'k-2' }),
      event({ ip: '192.0.2.10', event_details: { account: 'u-1' } }),
      event({ sender_email: 'other@example.com', event_details: { account: 'u-1' } }),
    ]
    const { items } = (await send('POST', EVENTS, rows, as)).json()
    const customers = []
    for (const { event_id: id } of items) {
      customers.push((await send('GET', `${EVENTS}/${id}`, undefined, as)).json().customer_id)
    }
    assert.deepEqual(customers, ['k-2', 'k-2', 'k-2'])
  })
})

describe('an event that nobody has', () => {
  test('is of its address while the tenant has no resources, and unassigned from the first one on', async () => {
    const as = await openTenant('unmatched', [])
    const first = (await send('POST', EVENTS, event({ ip: '198.51.100.1' }), as)).json()
    assert.equal(first.outcome, 'created')
    await send('POST', '/beta/casework/resources', RANGE, as)
    const second = (await send('POST', EVENTS, event({ ip: '198.51.100.2' }), as)).json()
    assert.equal(second.outcome, 'unassigned')
    assert.equal('case_id' in second, false)
  })

  test('is what the setting of the tenant says, until it is taken back', async () => {
    const as = await openTenant('setting', [RANGE])
    const path = '/beta/admin/tenants/setting'
    const push = async (ip: string) =>
      (await send('POST', EVENTS, event({ ip }), as)).json().outcome
    const set = await send('PATCH', path, { settings: { unmatched: 'item_is_customer' } })
    assert.equal(set.status, 200, set.text)
    assert.equal(set.json().settings.unmatched, 'item_is_customer')
    assert.equal(await push('198.51.100.1'), 'created')
    const taken = await send('PATCH', path, { settings: { unmatched: null } })
    assert.equal(taken.json().settings.unmatched, undefined)
    assert.equal(await push('198.51.100.2'), 'unassigned')
    assert.equal((await send('PATCH', path, { settings: { unmatched: 'x' } })).status, 400)
    assert.equal((await send('PATCH', path, { settings: { unknown: 1 } })).status, 400)
  })

  test('404 APP_TENANT_NOT_FOUND for another tenant’s settings, 403 without tenant:admin', async () => {
    await openTenant('theirs', [])
    const own = await app.createToken({ tenantId: 'theirs', scopes: ['tenant:admin'] })
    const rename = { name: 'Renamed' }
    const renamed = await send('PATCH', '/beta/admin/tenants/theirs', rename, own)
    assert.equal(renamed.json().name, 'Renamed')
    for (const path of ['/beta/admin/tenants/default', '/beta/admin/tenants/none']) {
      for (const method of ['GET', 'PATCH']) {
        const answer = await send(method, path, method === 'GET' ? undefined : rename, own)
        assert.equal(answer.status, 404)
        assert.equal(answer.json().code, 'APP_TENANT_NOT_FOUND')
      }
    }
    assert.equal((await send('GET', '/beta/admin/tenants/theirs', undefined, own)).status, 200)
    const agent = await app.createToken({ tenantId: 'theirs', scopes: ['cases:write'] })
    assert.equal((await send('PATCH', '/beta/admin/tenants/theirs', rename, agent)).status, 403)
  })
})

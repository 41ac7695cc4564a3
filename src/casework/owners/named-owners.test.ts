// Events that name their customer and contract: taken at their word as far as there are such, and
// refused in their place otherwise.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'

const EVENTS = '/beta/casework/events'

const app = withApp()

type Send = (method: string, path: string, json?: unknown) => Promise<TestAnswer>

/**
 * A tenant with two customers, a contract of each, and one range, so that it no longer names
 * customers as it likes.
 */
async function openTenant(id: string): Promise<Send> {
  await app.createTenant(id)
  const token = await app.createToken({ tenantId: id })
  const send: Send = (method, path, json) =>
    app.send(method, path, { token, ...(json === undefined ? {} : { json }) })
  for (const [path, rows] of [
    ['customers', [{ id: 'k-1' }, { id: 'k-2' }]],
    ['contracts', ['1', '2'].map((n) => ({ id: `line-${n}`, customer_id: `k-${n}` }))],
    ['resources', [{ kind: 'ip_range', value: '192.0.2.0/24', customer_id: 'k-1' }]],
  ] as const) {
    const answer = await send('POST', `/beta/casework/${path}/bulk`, rows)
    assert.deepEqual(answer.json().rejected, [], answer.text)
  }
  return send
}

let events = 0
function event(members: object): object {
  events += 1
  const at = new Date(Date.UTC(2026, 3, 1) + events * 1_000).toISOString()
  return { event_type: 'PortScan', event_date: at, ip: '192.0.2.9', ...members }
}

const FAULTS = [
  [{ customer_id: 'k-9' }, '/customer_id', 'names no customer'],
  [{ customer_id: 'k-2', contract_id: 'line-9' }, '/contract_id', 'names no contract'],
  [
    { customer_id: 'k-1', contract_id: 'line-2' },
    '/contract_id',
    'is a contract of another customer',
  ],
] as const

async function countEvents(send: Send): Promise<number> {
  return (await send('GET', EVENTS)).json().items.length
}

test('400 for an event that names a customer or contract that is not there, or a contract of another customer; nothing is kept', async () => {
  const send = await openTenant('singly')
  for (const [members, path, reason] of FAULTS) {
    const json = event(members)
    for (const target of [EVENTS, '/beta/casework/case-groups/test']) {
      const answer = await send('POST', target, json)
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.json().code, 'CASEWORK_EVENT_NOT_VALID')
      assert.deepEqual(answer.json().errors, [{ path, reason }])
    }
  }
  assert.equal(await countEvents(send), 0)
  const kept = await send('POST', EVENTS, event({ customer_id: 'k-2', contract_id: 'line-2' }))
  assert.equal(kept.status, 201, kept.text)
})

test('200 in bulk with such events refused in their place and the others kept; a corrected one is no repeat', async () => {
  const send = await openTenant('in-bulk')
  const rows = [
    event({ customer_id: 'k-2', contract_id: 'line-2' }),
    ...FAULTS.map(([members]) => event(members)),
    event({}),
    event({ customer_id: 'k-1' }),
  ]
  const { items } = (await send('POST', EVENTS, rows)).json()
  assert.deepEqual(
    items.map(({ index, outcome, error }: Record<string, unknown>) => [index, outcome, error]),
    [
      [0, 'created', undefined],
      ...FAULTS.map(([, path, reason], at) => [1 + at, 'invalid', `${path} ${reason}`]),
      [4, 'created', undefined],
      [5, 'created', undefined],
    ],
  )
  assert.equal(await countEvents(send), 3)
  const first = (await send('GET', `${EVENTS}/${items[0].event_id}`)).json()
  assert.deepEqual([first.customer_id, first.contract_id], ['k-2', 'line-2'])
  const corrected = rows.map((row) => ({ ...row, customer_id: 'k-1', contract_id: 'line-1' }))
  const again = (await send('POST', EVENTS, corrected)).json().items
  assert.deepEqual(
    again.map(({ outcome }: { outcome: string }) => outcome),
    ['duplicate', 'created', 'created', 'created', 'duplicate', 'duplicate'],
  )
  const wrong = (await send('POST', EVENTS, [event({ customer_id: 'k-9' })])).json().items
  assert.equal(wrong[0].outcome, 'invalid')
})

test('an event that is stored is a repeat, whatever became of its customer', async () => {
  const send = await openTenant('repeated')
  const json = event({ customer_id: 'k-2', contract_id: 'line-2' })
  const first = (await send('POST', EVENTS, json)).json()
  for (const path of ['contracts/line-2', 'customers/k-2']) {
    assert.equal((await send('DELETE', `/beta/casework/${path}`)).status, 204)
  }
  const again = await send('POST', EVENTS, json)
  assert.equal(again.status, 200, again.text)
  assert.deepEqual(
    [again.json().outcome, again.json().event_id, again.json().case_id],
    ['duplicate', first.event_id, first.case_id],
  )
  assert.equal((await send('POST', EVENTS, event({ customer_id: 'k-2' }))).status, 400)
})

test('201 for whoever is named where items are customers, but for no contract of another customer', async () => {
  const send = await openTenant('freely')
  await app.send('PATCH', '/beta/admin/tenants/freely', {
    token: await app.createToken(),
    json: { settings: { unmatched: 'item_is_customer' } },
  })
  for (const members of [{ customer_id: 'k-9' }, { customer_id: 'k-9', contract_id: 'line-9' }]) {
    assert.equal((await send('POST', EVENTS, event(members))).status, 201)
  }
  const wrong = event({ customer_id: 'k-9', contract_id: 'line-2' })
  assert.equal((await send('POST', EVENTS, wrong)).status, 400)
})

test('400 for a customer of another tenant, as for one that is nowhere', async () => {
  const [send, other] = [await openTenant('here'), await openTenant('there')]
  assert.equal((await other('POST', '/beta/casework/customers', { id: 'theirs' })).status, 201)
  const answer = await send('POST', EVENTS, event({ customer_id: 'theirs' }))
  assert.deepEqual(answer.json().errors, [{ path: '/customer_id', reason: 'names no customer' }])
})

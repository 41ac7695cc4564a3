// The list of cases by their last event has a table of its own (migration 0026): it says what the
// cases say, whatever happens to them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { recountCases } from '../recount/recount-cases.ts'

const CASES = '/beta/casework/cases'

interface Listed {
  readonly id: string
  readonly state: string
  readonly last_event_date: string
  readonly customer_id: string
  readonly contract_id?: string
}

const app = withApp()

async function send(method: string, path: string, json: object, status = 200) {
  const answer = await app.send(method, path, { token: app.token, json })
  assert.equal(answer.status, status, answer.text)
  return answer.json()
}

async function push(customer: string, day: number, more: object = {}): Promise<string> {
  const { items } = await send('POST', '/beta/casework/events', [
    {
      event_date: `2026-03-${String(day).padStart(2, '0')}T00:00:00Z`,
      event_type: 'Spam',
      sender_email: 'reporter@example.org',
      customer_id: customer,
      ...more,
    },
  ])
  return items[0].case_id
}

async function change(id: string, to: object): Promise<void> {
  const { version } = (await app.send('GET', `${CASES}/${id}`, { token: app.token })).json()
  await send('PATCH', `${CASES}/${id}`, { version, ...to })
}

async function list(query: string): Promise<Listed[]> {
  const items: Listed[] = []
  // Ends: each page starts behind the one before.
  for (let cursor = ''; ; ) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await app.send('GET', `${CASES}?limit=3&${query}${more}`, { token: app.token })
    assert.equal(answer.status, 200, answer.text)
    items.push(...answer.json().items)
    cursor = answer.json().next_cursor
    if (cursor === '') return items
  }
}

async function checkLists(): Promise<void> {
  const all = await list('sort=created_at')
  const inOrder = all.toSorted(
    (a, b) => b.last_event_date.localeCompare(a.last_event_date) || b.id.localeCompare(a.id),
  )
  const filters: readonly [string, (one: Listed) => boolean][] = [
    ['', () => true],
    ['state=NEW', ({ state }) => state === 'NEW'],
    ['state=NEW,IN_PROGRESS', ({ state }) => state === 'NEW' || state === 'IN_PROGRESS'],
    ['state=RESOLVED,CLOSED', ({ state }) => state === 'RESOLVED' || state === 'CLOSED'],
    ['customer_id=b', ({ customer_id: customer }) => customer === 'b'],
    ['contract_id=k', ({ contract_id: contract }) => contract === 'k'],
    ['case_group=default', () => true],
    ['created_before=2999-01-01T00:00:00Z&state=CLOSED', ({ state }) => state === 'CLOSED'],
    ['severity=high', () => false],
  ]
  for (const [query, isWanted] of filters) {
    const wanted = inOrder.filter(isWanted).map(({ id }) => id)
    const down = await list(`sort=last_event_date&${query}`)
    const up = await list(`sort=last_event_date&order=asc&${query}`)
    assert.deepEqual(
      down.map(({ id }) => id),
      wanted,
      query,
    )
    assert.deepEqual(
      up.map(({ id }) => id),
      wanted.toReversed(),
      query,
    )
  }
  const { kysely } = app.services.foundation.database
  assert.deepEqual((await recountCases(kysely, { tenantId: 'default' })).differences, [])
}

test('cases come in the order of their last events through later and earlier events, moves, merges and splits', async () => {
  const a = await push('a', 3)
  const b = await push('b', 5)
  const c = await push('c', 5, { contract_id: 'k' })
  const d = await push('d', 4)
  await checkLists()
  await push('a', 9)
  await push('d', 1)
  await push('b', 5, { event_type: 'PortScan' })
  await checkLists()
  await change(b, { state: 'CLOSED', close_reason: 'duplicate' })
  await change(c, { state: 'RESOLVED', resolution: 'fixed' })
  await checkLists()
  await change(c, { state: 'IN_PROGRESS' })
  const bulk = { ids: [a, c], change: { state: 'RESOLVED', resolution: 'fixed' } }
  await send('POST', `${CASES}/bulk`, bulk)
  await checkLists()
  const e = await push('e', 20)
  await push('e', 21, { event_type: 'PortScan' })
  await send('POST', `${CASES}/${d}/merge`, { from: [e] })
  await checkLists()
  await send('POST', `${CASES}/${d}/unmerge`, { from: [e] })
  await checkLists()
  await send('POST', `${CASES}/${e}/split`, { filter: { event_type: 'PortScan' } }, 201)
  await checkLists()
})

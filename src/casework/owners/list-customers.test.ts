// The list of customers by their words, with the number of their open cases.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'

const PATH = '/beta/casework/customers'
const CUSTOMERS = [
  { id: 'kd-4711', name: 'Example Hosting' },
  { id: 'kd-4712', name: '100%_Sure' },
  { id: 'kd-9' },
]

const app = withApp({}, async ({ send, token }) => {
  for (const json of CUSTOMERS) {
    const answer = await send('POST', PATH, { token, json })
    assert.equal(answer.status, 201, answer.text)
  }
  const event = { event_date: '2026-11-20T10:00:00Z', event_type: 'Spam', customer_id: 'kd-4711' }
  const json = { ...event, sender_email: 'r@reporter.example', ip: '192.0.2.7' }
  const pushed = await send('POST', '/beta/casework/events', { token, json })
  assert.equal(pushed.status, 201, pushed.text)
})

interface Row {
  readonly id: string
  readonly open_cases?: number
}

async function list(query: string): Promise<readonly Row[]> {
  const answer = await app.send('GET', `${PATH}?order=asc&${query}`, { token: app.token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json().items
}

async function ids(text: string): Promise<readonly string[]> {
  const rows = await list(new URLSearchParams({ text }).toString())
  return rows.map((one) => one.id)
}

test('text finds parts of id and name, each word of it', async () => {
  assert.deepEqual(await ids('4711'), ['kd-4711'])
  assert.deepEqual(await ids('HOST exam'), ['kd-4711'])
  assert.deepEqual(await ids('kd'), ['kd-4711', 'kd-4712', 'kd-9'])
  assert.deepEqual(await ids('%_s'), ['kd-4712'])
  assert.deepEqual(await ids('host nothing'), [])
})

test('400 for a text without a letter or digit', async () => {
  assert.equal((await app.send('GET', `${PATH}?text=%25`, { token: app.token })).status, 400)
})

test('expand=open_cases counts them, and only then', async () => {
  const rows = await list('expand=open_cases')
  assert.deepEqual(
    rows.map((one) => one.open_cases),
    [1, 0, 0],
  )
  assert.equal((await list(''))[0]?.open_cases, undefined)
})

test('text finds a name with capitals of any language', async () => {
  const { token } = app
  const json = { id: 'x-1', name: 'Österreich İzmir ΟΔΟΣ' }
  assert.equal((await app.send('POST', PATH, { token, json })).status, 201)
  for (const text of ['Österreich', 'İzmir', 'ΟΔΟΣ']) {
    assert.deepEqual(await ids(text), ['x-1'], text)
  }
})

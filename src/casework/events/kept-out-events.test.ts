// The list of events narrowed to those that have an owner and are in no case: muted by a rule, or
// held below the threshold of their group.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import { walkList } from '../../../test/walk-list.ts'

const CASEWORK = '/beta/casework'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(async () => app.close())

type Send = (method: string, path: string, json?: unknown) => Promise<TestAnswer>

const HELD = '192.0.2.1'
const MUTED = '192.0.2.2'
const OTHER = '192.0.2.3'

/**
 * A tenant that holds the events of one address until there are four, and wants to hear nothing of
 * another.
 */
async function openTenant(id: string): Promise<Send> {
  await app.createTenant(id)
  const token = await app.createToken({ tenantId: id })
  const send: Send = (method, path, json) =>
    app.send(method, `${CASEWORK}/${path}`, { token, ...(json === undefined ? {} : { json }) })
  const group = { name: 'Made up', order: 1, condition: `event.ip == "${HELD}"` }
  const rule = {
    key: { ip: MUTED },
    reason: 'Made up.',
    until: new Date(Date.now() + 86_400_000).toISOString(),
  }
  for (const [path, json] of [
    ['case-groups', { ...group, threshold: { events: 4 } }],
    ['mute-rules', rule],
  ] as const) {
    const answer = await send('POST', path, json)
    assert.equal(answer.status, 201, answer.text)
  }
  return send
}

function event(ip: string | null, second: number): object {
  const date = new Date(Date.UTC(2026, 3, 1) + second * 1_000).toISOString()
  return { event_type: 'Spam', event_date: date, ...(ip === null ? {} : { ip }) }
}

async function push(send: Send, events: readonly object[]): Promise<readonly string[]> {
  const { items } = (await send('POST', 'events', events)).json()
  return items.map((item: { event_id: string }) => item.event_id)
}

async function list(send: Send, query: string): Promise<readonly string[]> {
  const items = await walkList((path) => send('GET', path), `events?${query}`)
  return items.map((item) => item.event_id)
}

test('without_case takes muted events alone, or held ones, page by page, until they join a case', async () => {
  const send = await openTenant('kept-out')
  // The later of two pushed first, so that the two orders differ.
  const [held2, held1, muted2, muted1, muted3] = await push(send, [
    event(HELD, 2),
    event(HELD, 1),
    event(MUTED, 2),
    event(MUTED, 1),
    event(MUTED, 3),
    event(OTHER, 1),
    event(null, 1),
  ])
  for (const limit of [1, 50]) {
    const ask = (query: string) => list(send, `${query}&limit=${limit}`)
    assert.deepEqual(await ask('without_case=held'), [held2, held1])
    assert.deepEqual(await ask('without_case=held&sort=create_date'), [held1, held2])
    assert.deepEqual(await ask('without_case=muted'), [muted3, muted2, muted1])
    assert.deepEqual(await ask('without_case=muted&sort=create_date&order=asc'), [
      muted2,
      muted1,
      muted3,
    ])
    assert.deepEqual(await ask(`without_case=held&ip=${MUTED}`), [])
  }
  await push(send, [event(HELD, 3), event(HELD, 4)])
  assert.deepEqual(await list(send, 'without_case=held'), [])
  assert.deepEqual(await list(send, 'without_case=muted'), [muted3, muted2, muted1])
})

test('400 for a without_case of no such word, and for its cursor without it; nothing of another tenant', async () => {
  const send = await openTenant('kept-out-mine')
  await push(send, [event(HELD, 1), event(HELD, 2), event(MUTED, 1)])
  for (const word of ['unassigned', 'true', 'Muted', '']) {
    assert.equal((await send('GET', `events?without_case=${word}`)).status, 400, word)
  }
  const { next_cursor: cursor } = (await send('GET', 'events?without_case=held&limit=1')).json()
  for (const query of ['', 'without_case=muted&']) {
    assert.equal((await send('GET', `events?${query}limit=1&cursor=${cursor}`)).status, 400)
  }
  const other = await openTenant('kept-out-other')
  for (const word of ['held', 'muted']) {
    assert.deepEqual(await list(other, `without_case=${word}`), [])
  }
})

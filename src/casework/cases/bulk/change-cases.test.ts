// One change to many cases over HTTP: what becomes of each, the preview, the key that makes a
// repeat harmless.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'

const CASES = '/beta/casework/cases'

const app = withApp()

let events = 0
async function openCases(count: number, as = app.token): Promise<readonly string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    events += 1
    const json = {
      event_date: '2026-01-01T00:00:00Z',
      event_type: 'Spam',
      customer_id: `customer-${events}`,
      report_id: `report-${events}`,
    }
    const answer = await app.send('POST', '/beta/casework/events', { token: as, json })
    ids.push(answer.json().case_id)
  }
  return ids
}

function bulk(json: object, query = '', headers = {}, as = app.token): Promise<TestAnswer> {
  return app.send('POST', `${CASES}/bulk${query}`, { token: as, json, headers })
}

async function read(caseId: string, path = ''): Promise<ReturnType<TestAnswer['json']>> {
  return (await app.send('GET', `${CASES}/${caseId}${path}`, { token: app.token })).json()
}

const RESOLVE = { state: 'RESOLVED', resolution: 'fixed', severity: 'low', add_tags: ['swept'] }
const NOBODY = 'C-00000000-0000-7000-8000-000000000000'

/** One that can move, one that is so already, one that was merged away. */
async function openMixed(): Promise<readonly [string, string, string]> {
  const [open = '', done = '', merged = ''] = await openCases(3)
  await bulk({ ids: [done], change: RESOLVE })
  await bulk({ ids: [merged], change: { state: 'CLOSED', close_reason: 'duplicate' } })
  const { pool } = app.services.foundation.database
  await pool.query(`update abuse_case set close_reason = 'merged' where id = $1`, [merged])
  return [open, done, merged]
}

test('one change reaches every case it may, and says why not the others', async () => {
  const [open, done, merged] = await openMixed()
  const ids = [open.toLowerCase(), done, merged, NOBODY, 'x']
  const answer = await bulk({ ids, change: { ...RESOLVE, comment: 'swept' }, reason: 'sweep' })
  assert.equal(answer.status, 200, answer.text)
  const { items, change_id: _, ...counts } = answer.json()
  assert.deepEqual(counts, { preview: false, changed: 2, unchanged: 0, refused: 1, not_found: 2 })
  assert.deepEqual(items[0], {
    id: open,
    outcome: 'changed',
    version: 3,
    changes: {
      state: { from: 'NEW', to: 'RESOLVED' },
      severity: { from: null, to: 'low' },
      tags: { from: [], to: ['swept'] },
    },
  })
  assert.deepEqual(items[1], { id: done, outcome: 'changed', version: 3, changes: {} })
  assert.equal(items[2].code, 'CASEWORK_CASE_IS_MERGED')
  assert.deepEqual(
    [items[3], items[4]],
    [
      { id: NOBODY, outcome: 'not_found' },
      { id: 'x', outcome: 'not_found' },
    ],
  )
  const history = (await read(open, '/history')).items
  assert.deepEqual(
    history.map((entry: { kind: string }) => entry.kind),
    ['comment', 'change', 'move', 'open'],
  )
  assert.equal(history[2].reason, 'sweep')
  assert.equal((await read(merged, '/comments')).items.length, 0, 'a refused case is left alone')
  const again = await bulk({ ids: [open], change: RESOLVE })
  assert.equal(again.json().items[0].outcome, 'unchanged')
})

test('a preview says the same as the act and changes nothing', async () => {
  const [open, done, merged] = await openMixed()
  const json = { ids: [open, done, merged], change: { ...RESOLVE, assignee_user_id: 'u' } }
  const was = await read(open)
  const preview = await bulk(json, '?preview=true')
  assert.equal(preview.json().preview, true)
  assert.deepEqual(await read(open), was)
  assert.equal((await read(open, '/history')).items.length, 1)
  const act = await bulk(json)
  assert.deepEqual(act.json().items, preview.json().items)
})

test('a filter finds the cases, of the caller’s tenant only', async () => {
  await app.createTenant('swept')
  const as = await app.createToken({ tenantId: 'swept' })
  const ids = await openCases(2, as)
  const change = { remove_tags: ['x'], severity: 'high' }
  const answer = await bulk({ filter: { state: 'NEW' }, change }, '', {}, as)
  assert.deepEqual(
    answer.json().items.map((item: { id: string }) => item.id),
    ids,
  )
  const foreign = await bulk({ ids, change })
  assert.equal(foreign.json().not_found, 2)
  const named = await bulk({ filter: { tenant_id: 'swept' }, change })
  assert.deepEqual(named.json().items, [])
})

test('a case that cannot be opened again, since another one is, is refused among those that can', async () => {
  const [one = '', two = ''] = await openCases(2)
  await bulk({ ids: [one, two], change: RESOLVE })
  const { customer_id: customer } = await read(one)
  const json = { event_date: new Date().toISOString(), event_type: 'Spam', customer_id: customer }
  await app.send('POST', '/beta/casework/events', { token: app.token, json })
  const answer = await bulk({ ids: [one, two], change: { state: 'IN_PROGRESS' } })
  const { items } = answer.json()
  assert.equal(items[0].code, 'CASEWORK_SLOT_IS_TAKEN')
  assert.equal(items[1].outcome, 'changed')
  const { pool } = app.services.foundation.database
  const slots = await pool.query('select 1 from case_slot where case_id = any($1)', [[one, two]])
  assert.equal(slots.rowCount, 1)
})

test('a repeat under its Idempotency-Key changes nothing and says the same, another request is refused', async () => {
  const [id = ''] = await openCases(1)
  const headers = { 'idempotency-key': 'k-1' }
  const json = { ids: [id], change: { comment: 'once' } }
  const answers = await Promise.all([1, 2, 3].map(() => bulk(json, '', headers)))
  for (const answer of answers) {
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.json(), answers[0]?.json())
  }
  assert.equal((await read(id, '/comments')).items.length, 1)
  const other = await bulk({ ids: [id], change: { comment: 'twice' } }, '', headers)
  assert.equal(other.status, 422)
  assert.equal(other.json().code, 'CASEWORK_IDEMPOTENCY_KEY_REUSED')
  const bad = await bulk(json, '', { 'idempotency-key': 'ä' })
  assert.equal(bad.status, 400)
})

test('400 for what is no bulk change, and 403 without the scope for moves', async () => {
  const ids = await openCases(1)
  const wrong: [object, string][] = [
    [{ change: { severity: 'low' } }, '/ids'],
    [{ ids, filter: {}, change: { severity: 'low' } }, '/ids'],
    [{ ids: [ids[0], ids[0]?.toLowerCase()], change: { severity: 'low' } }, '/ids'],
    [{ ids: [], change: { severity: 'low' } }, '/ids'],
    [{ ids, change: {} }, '/change'],
    [{ ids, change: { state: 'RESOLVED' } }, '/change/resolution'],
    [{ ids, change: { state: 'CLOSED' } }, '/change/close_reason'],
    [{ ids, change: { resolution: 'fixed' } }, '/change/state'],
    [{ ids, change: { metadata: { a: 'x'.repeat(5_000) } } }, '/change/metadata/a'],
    [{ ids, change: { aware_at: '2999-01-01T00:00:00Z' } }, '/change/aware_at'],
    [{ ids, change: { deadline_at: 'soon' } }, '/change/deadline_at'],
    [{ ids, change: { waiting_on: 'nobody' } }, '/change/waiting_on'],
    [{ ids, change: { version: 1 } }, '/change/version'],
    [{ ids, change: { comment: ' \n\t' } }, '/change/comment'],
    [{ filter: { colour: 'red' }, change: { severity: 'low' } }, '/filter/colour'],
    [{ filter: { state: 'OPEN' }, change: { severity: 'low' } }, '/state'],
  ]
  for (const [json, path] of wrong) {
    const answer = await bulk(json)
    assert.equal(answer.status, 400, JSON.stringify(json))
    const paths = answer.json().errors.map((problem: { path: string }) => problem.path)
    assert.ok(paths.includes(path), `${path} in ${paths}`)
  }
  const writer = await app.createToken({ scopes: ['cases:write'] })
  assert.equal((await bulk({ ids, change: RESOLVE }, '', {}, writer)).status, 403)
  assert.equal((await bulk({ ids, change: { severity: 'low' } }, '', {}, writer)).status, 200)
})

test('400 for a filter that matches more than a thousand cases', async () => {
  await app.createTenant('crowded')
  const as = await app.createToken({ tenantId: 'crowded' })
  const { pool } = app.services.foundation.database
  const [pattern = ''] = await openCases(1, as)
  await pool.query(
    `insert into abuse_case (tenant_id, id, case_group_id, key_hash, state, created_at, updated_at, customer_id,
       first_event_date, last_event_date, event_count, event_types, event_ips, event_reporters, event_tags)
     select tenant_id, 'C-' || upper(gen_random_uuid()::text), case_group_id, decode(md5(n::text), 'hex'), state,
       created_at, updated_at, customer_id, first_event_date, last_event_date, event_count, event_types, event_ips,
       event_reporters, event_tags
     from abuse_case, generate_series(1, 1000) as n where id = $1`,
    [pattern],
  )
  const answer = await bulk({ filter: {}, change: { severity: 'low' } }, '', {}, as)
  assert.equal(answer.status, 400)
  assert.equal(answer.json().errors[0].path, '/filter')
})

const TIME = '2026-03-01T12:00:00.000Z'

/** Each is a change, and the changes that the case has before it. */
const CHANGES: readonly (readonly [object, ...object[]])[] = [
  [{ waiting_on: 'customer' }],
  [{ customer_status: 'notified' }],
  [{ customer_status: 'unnotified' }, { customer_status: 'seen' }],
  [{ deadline_at: TIME, aware_at: TIME, deadlines_met: ['receipt'] }],
  [
    { deadline_at: null, aware_at: null },
    { deadline_at: TIME, aware_at: TIME },
  ],
  [{ metadata: { ticket: 'T-1', nested: { a: [1, 2] } } }, { metadata: { old: true } }],
  [{ tags: ['a', 'b'] }, { tags: ['c'] }],
  [{ add_tags: ['d'], remove_tags: ['c'] }, { tags: ['c'] }],
  [{ severity: 'critical', assignee_user_id: 'u-1' }],
  [
    { severity: null, assignee_user_id: null },
    { severity: 'low', assignee_user_id: 'u' },
  ],
  [{ waiting_on: 'agent' }, { state: 'RESOLVED', resolution: 'fixed' }],
  [{ state: 'RESOLVED', resolution: 'fixed', waiting_on: 'agent' }],
  [
    { state: 'IN_PROGRESS', waiting_on: 'agent' },
    { state: 'RESOLVED', resolution: 'fixed' },
  ],
  [{ state: 'CLOSED', close_reason: 'expired', tags: ['z'], waiting_on: 'none' }],
]

/** What a change leaves of the case that it was made on. */
async function describeCase(caseId: string): Promise<object> {
  const { id: _id, customer_id: _customer, event_ips: _ips, ...shown } = await read(caseId)
  const own = Object.entries(shown).filter(([name]) => !/_at$|_date$/.test(name))
  const { aware_at: aware, created_at: created, deadline_at: deadline } = shown
  const { items } = await read(caseId, '/history')
  const history = items.map((entry: { kind: string; changes?: object }) => [
    entry.kind,
    entry.kind === 'open' ? null : entry.changes,
  ])
  return {
    ...Object.fromEntries(own),
    deadlines: null,
    isAware: aware !== created,
    deadline,
    history,
  }
}

test('a bulk change changes and refuses exactly what the change of one case does, and so does its preview', async () => {
  for (const [change, ...before] of CHANGES) {
    const [one = '', other = ''] = await openCases(2)
    for (const json of before) {
      for (const id of [one, other]) await patch(id, json)
    }
    const name = JSON.stringify(change)
    const single = await patch(one, change)
    const preview = (await bulk({ ids: [other], change }, '?preview=true')).json()
    const [item] = (await bulk({ ids: [other], change })).json().items
    assert.deepEqual(preview.items, [item], name)
    assert.equal(item.outcome, single.status === 200 ? 'changed' : 'refused', name)
    if (single.status !== 200) assert.equal(item.code, single.json().code, name)
    assert.deepEqual(await describeCase(other), await describeCase(one), name)
  }
})

function patch(caseId: string, json: object): Promise<TestAnswer> {
  const headers = { 'if-match': '*' }
  return app.send('PATCH', `${CASES}/${caseId}`, { token: app.token, json, headers })
}

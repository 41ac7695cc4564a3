// What stands beside the state of a case, over HTTP: whose turn it is, what the customer knows,
// tags, deadlines, and the lists by them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { walkList } from '../../../test/walk-list.ts'
import { LAW_CLOCKS, listDeadlines } from './case-deadline.ts'
import { CASE_STATES } from './case-state.ts'

const CASES = '/beta/casework/cases'

const TENANT = '/beta/admin/tenants/default'

function setLaws(laws: readonly string[] | null, tenantId = 'default'): Promise<TestAnswer> {
  const path = `/beta/admin/tenants/${tenantId}`
  const json = { settings: { legal_deadlines: laws } }
  return app.send('PATCH', path, { token: app.token, json })
}

const app = withApp({}, async (opened) => {
  const json = { settings: { legal_deadlines: ['dsa', 'nis2'] } }
  const answer = await opened.send('PATCH', TENANT, { token: opened.token, json })
  assert.equal(answer.status, 200, answer.text)
})

let customers = 0
async function openCase(members: object = {}, as = app.token): Promise<string> {
  customers += 1
  const json = {
    event_date: '2026-01-01T00:00:00Z',
    event_type: 'PortScan',
    customer_id: `customer-${customers}`,
    report_id: `report-${customers}`,
    ...members,
  }
  const answer = await app.send('POST', '/beta/casework/events', { token: as, json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().case_id
}

function patch(caseId: string, json: object, as = app.token): Promise<TestAnswer> {
  const headers = { 'if-match': '*' }
  return app.send('PATCH', `${CASES}/${caseId}`, { token: as, json, headers })
}

async function listIds(query: Record<string, string>, as = app.token): Promise<string[]> {
  const path = `${CASES}?${new URLSearchParams(query).toString()}`
  const answer = await app.send('GET', path, { token: as })
  assert.equal(answer.status, 200, answer.text)
  return answer.json().items.map((item: { id: string }) => item.id)
}

test('all that stands beside the state is changed at once, with one row of history', async () => {
  const caseId = await openCase()
  const wish = {
    waiting_on: 'customer',
    customer_status: 'notified',
    tags: ['vip', 'port-22'],
    aware_at: '2026-03-01T00:00:00.000Z',
    deadline_at: '2026-03-01T12:00:00.000Z',
    deadlines_met: ['receipt'],
  }
  const answer = await patch(caseId, { ...wish, reason: 'called' })
  assert.equal(answer.status, 200, answer.text)
  const { deadlines_met: met, ...shown } = wish
  const json = answer.json()
  const fields: Record<string, unknown> = json
  for (const [name, value] of Object.entries(shown)) assert.deepEqual(fields[name], value, name)
  assert.deepEqual(json.deadlines, [
    { kind: 'agreed', due_at: '2026-03-01T12:00:00.000Z', met: false },
    { kind: 'receipt', due_at: '2026-03-02T00:00:00.000Z', met: true },
  ])
  assert.equal(json.due_at, '2026-03-01T12:00:00.000Z')
  assert.equal(json.version, 2)
  const history = (await app.send('GET', `${CASES}/${caseId}/history`, { token: app.token })).json()
    .items
  assert.equal(history.length, 2)
  assert.deepEqual(history[0].changes.waiting_on, { from: 'none', to: 'customer' })
  assert.deepEqual(history[0].changes.deadlines_met, { from: [], to: met })
  assert.deepEqual(Object.keys(history[0].changes).toSorted(), Object.keys(wish).toSorted())
  const again = await patch(caseId, wish)
  assert.equal(again.json().version, 2, 'what changes nothing is not written')
  const cleared = (await patch(caseId, { aware_at: null, deadline_at: null, tags: [] })).json()
  assert.equal('deadline_at' in cleared || 'due_at' in cleared, false)
  assert.equal(cleared.aware_at, cleared.created_at)
})

test('409 for an ended case that is to wait, and for a customer who is to have heard nothing', async () => {
  const caseId = await openCase()
  await patch(caseId, { waiting_on: 'agent', customer_status: 'seen' })
  const ended = (await patch(caseId, { state: 'RESOLVED', resolution: 'fixed' })).json()
  assert.equal(ended.waiting_on, 'none')
  assert.deepEqual(ended.deadlines, [])
  for (const json of [{ waiting_on: 'timer' }, { customer_status: 'unnotified' }]) {
    const answer = await patch(caseId, json)
    assert.equal(answer.status, 409)
    assert.equal(answer.json().code, 'CASEWORK_CHANGE_NOT_ALLOWED')
  }
  assert.equal((await patch(caseId, { customer_status: 'disputed' })).status, 200)
})

test('a case has the deadlines of the laws that its tenant had switched on when it was opened, and none by default', async (t) => {
  await app.createTenant('lawless')
  const as = await app.createToken({ tenantId: 'lawless' })
  const severe = await openCase({ event_type: 'CVE' }, as)
  const { deadlines, due_at: due } = (await patch(severe, { severity: 'high' }, as)).json()
  assert.deepEqual([deadlines, due], [[], undefined])
  assert.deepEqual(await listIds({ sort: 'due_at' }, as), [])

  t.after(() => setLaws(['dsa', 'nis2']))
  const kindsOf = async (caseId: string): Promise<readonly string[]> => {
    const shown = (await patch(caseId, { severity: 'high' })).json()
    assert.equal(shown.due_at, shown.deadlines[0]?.due_at)
    return shown.deadlines.map((deadline: { kind: string }) => deadline.kind)
  }
  const nis2 = ['early_warning', 'incident_notification', 'final_report']
  assert.deepEqual((await setLaws(['nis2'])).json().settings.legal_deadlines, ['nis2'])
  const before = await openCase()
  assert.deepEqual(await kindsOf(before), nis2)
  assert.equal((await setLaws(null)).json().settings.legal_deadlines, undefined)
  assert.deepEqual(await kindsOf(await openCase()), [])
  assert.deepEqual(await kindsOf(before), nis2, 'an open case keeps its deadlines')
  for (const wrong of [['gdpr'], ['dsa', 'dsa'], 'dsa', {}]) {
    const json = { settings: { legal_deadlines: wrong } }
    assert.equal((await app.send('PATCH', TENANT, { token: app.token, json })).status, 400)
  }
})

test('412 for a change on an old version', async () => {
  const caseId = await openCase()
  await patch(caseId, { tags: ['a'] })
  const json = { version: 1, waiting_on: 'agent' }
  const answer = await app.send('PATCH', `${CASES}/${caseId}`, { token: app.token, json })
  assert.equal(answer.status, 412)
})

test('404 for a change of another tenant’s case', async () => {
  const caseId = await openCase()
  await app.createTenant('neighbour')
  const as = await app.createToken({ tenantId: 'neighbour' })
  assert.equal((await patch(caseId, { waiting_on: 'agent' }, as)).status, 404)
})

test('cases are listed by assignee, severity, whose turn it is, tag and deadline, and sorted by what is due', async () => {
  await app.createTenant('queue')
  const as = await app.createToken({ tenantId: 'queue' })
  const ids: string[] = []
  for (const severity of ['low', 'high', null]) {
    const caseId = await openCase({}, as)
    ids.push(caseId)
    await patch(caseId, { severity, deadlines_met: [...LAW_CLOCKS] }, as)
  }
  const [one, two, three] = ids
  assert.ok(one !== undefined && two !== undefined && three !== undefined)
  await patch(one, { assignee_user_id: 'u', deadline_at: '2027-01-02T00:00:00Z' }, as)
  await patch(two, { waiting_on: 'customer', deadline_at: '2027-01-01T00:00:00Z' }, as)
  await patch(three, { tags: ['x', 'y'] }, as)
  assert.deepEqual(await listIds({ assignee_user_id: 'u' }, as), [one])
  assert.deepEqual(await listIds({ severity: 'high' }, as), [two])
  assert.deepEqual(await listIds({ waiting_on: 'customer' }, as), [two])
  assert.deepEqual(await listIds({ waiting_on: 'none' }, as), [three, one])
  assert.deepEqual(await listIds({ tag: 'y', state: 'NEW,CLOSED' }, as), [three])
  assert.deepEqual(await listIds({ deadline_before: '2027-01-02T00:00:00Z' }, as), [two])
  assert.deepEqual(await listIds({ sort: 'due_at', order: 'asc' }, as), [two, one])
  const query = { sort: 'due_at', order: 'asc', limit: '1' }
  const first = await app.send('GET', `${CASES}?${new URLSearchParams(query).toString()}`, {
    token: as,
  })
  assert.deepEqual(await listIds({ ...query, cursor: first.json().next_cursor }, as), [one])
  assert.deepEqual(await listIds({ assignee_user_id: 'u' }), [], 'another tenant')
})

test('what is due before a day comes in every order, page by page, with every other filter', async () => {
  await app.createTenant('due')
  const as = await app.createToken({ tenantId: 'due' })
  const ids: string[] = []
  for (const day of ['03', '01', '05', '02', '04']) {
    const id = await openCase({ event_date: `2026-02-${day}T00:00:00Z` }, as)
    await patch(id, { deadlines_met: [...LAW_CLOCKS] }, as)
    await patch(id, { deadline_at: `2026-12-${day}T00:00:00Z` }, as)
    ids.push(id)
  }
  const [third = '', first = '', , second = '', fourth = ''] = ids
  await patch(first, { state: 'IN_PROGRESS' }, as)
  await patch(second, { severity: 'high' }, as)
  const walk = async (query: Record<string, string>): Promise<readonly string[]> => {
    const path = `${CASES}?${new URLSearchParams({ ...query, limit: '1' }).toString()}`
    const items = await walkList((page) => app.send('GET', page, { token: as }), path)
    return items.map((item) => item.id)
  }
  const due = { deadline_before: '2026-12-05T00:00:00Z' }
  const byEvent = [first, second, third, fourth]
  const byOpening = [third, first, second, fourth]
  for (const sort of ['first_event_date', 'last_event_date', 'due_at']) {
    assert.deepEqual(await walk({ ...due, sort, order: 'asc' }), byEvent, sort)
    assert.deepEqual(await walk({ ...due, sort, order: 'desc' }), byEvent.toReversed(), sort)
  }
  assert.deepEqual(await walk({ ...due, sort: 'created_at', order: 'asc' }), byOpening)
  assert.deepEqual(await walk(due), byOpening.toReversed())
  assert.deepEqual(await walk({ ...due, state: 'IN_PROGRESS,CLOSED' }), [first])
  const open = await walk({
    ...due,
    state: 'NEW,IN_PROGRESS',
    sort: 'last_event_date',
    order: 'asc',
  })
  assert.deepEqual(open, byEvent)
  assert.deepEqual(await walk({ ...due, severity: 'high' }), [second])
  const early = { ...due, created_before: '2026-01-01T00:00:00Z' }
  assert.deepEqual(await walk(early), [])
})

test('cases are counted by state, and by a member beside it, within the filters of the list', async () => {
  await app.createTenant('counted')
  const as = await app.createToken({ tenantId: 'counted' })
  const ids: string[] = []
  for (let at = 0; at < 3; at += 1) ids.push(await openCase({}, as))
  const [one = '', two = ''] = ids
  await patch(one, { state: 'RESOLVED', resolution: 'fixed' }, as)
  await patch(two, { assignee_user_id: 'u' }, as)
  const count = async (query: string): Promise<object> => {
    const answer = await app.send('GET', `${CASES}/counts${query}`, { token: as })
    assert.equal(answer.status, 200, answer.text)
    return answer.json()
  }
  const states = { NEW: 2, IN_PROGRESS: 0, RESOLVED: 1, CLOSED: 0 }
  assert.deepEqual(await count(''), { total: 3, counts: states })
  assert.deepEqual(await count('?case_group=default&state=RESOLVED,CLOSED'), {
    total: 1,
    counts: { ...states, NEW: 0 },
  })
  assert.deepEqual(await count('?by=assignee_user_id'), {
    total: 3,
    counts: states,
    groups: [
      { total: 2, counts: { ...states, NEW: 1 } },
      { value: 'u', total: 1, counts: { ...states, NEW: 1, RESOLVED: 0 } },
    ],
    has_more_groups: false,
  })
  const foreign = await count('?tenant_id=default&by=case_group')
  const none = { NEW: 0, IN_PROGRESS: 0, RESOLVED: 0, CLOSED: 0 }
  assert.deepEqual(foreign, { total: 0, counts: none, groups: [], has_more_groups: false })
  for (const query of ['?by=tenant_id', '?limit=1', '?state=OPEN']) {
    const answer = await app.send('GET', `${CASES}/counts${query}`, { token: as })
    assert.equal(answer.status, 400, query)
  }
})

test('due_within_hours finds what is due in so many hours in every order, and what is overdue with 0', async () => {
  await app.createTenant('hours')
  const as = await app.createToken({ tenantId: 'hours' })
  const ids: string[] = []
  for (const hours of [-1, 2, 100]) {
    const id = await openCase({}, as)
    await patch(id, { deadlines_met: [...LAW_CLOCKS] }, as)
    const due = new Date(Date.now() + hours * 3_600_000)
    await patch(id, { deadline_at: due.toISOString() }, as)
    ids.push(id)
  }
  const [late = '', soon = '', far = ''] = ids
  for (const sort of ['created_at', 'first_event_date', 'last_event_date', 'due_at']) {
    const order = { sort, order: 'asc' }
    assert.deepEqual(await listIds({ ...order, due_within_hours: '0' }, as), [late], sort)
    assert.deepEqual(await listIds({ ...order, due_within_hours: '24' }, as), [late, soon], sort)
    assert.deepEqual(await listIds({ ...order, due_within_hours: '200' }, as), [late, soon, far])
  }
  const query = { due_within_hours: '24', order: 'asc', limit: '1' }
  const path = `${CASES}?${new URLSearchParams(query).toString()}`
  const first = await app.send('GET', path, { token: as })
  const next = { ...query, cursor: first.json().next_cursor }
  assert.deepEqual(await listIds(next, as), [soon], 'a cursor holds while the time goes on')
  const counted = await app.send('GET', `${CASES}/counts?due_within_hours=0`, { token: as })
  assert.equal(counted.json().total, 1)
})

test('400 for a filter that is no value of its kind', async () => {
  for (const query of ['severity=huge', 'waiting_on=me', 'tag=a,b', 'deadline_before=soon']) {
    assert.equal(
      (await app.send('GET', `${CASES}?${query}`, { token: app.token })).status,
      400,
      query,
    )
  }
})

test('the database and the model agree on what is due, whatever the case', async () => {
  const caseId = await openCase()
  const { pool } = app.services.foundation.database
  const times = fc.date({
    min: new Date('2024-01-01T00:00:00Z'),
    max: new Date('2028-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  const facts = fc.record({
    laws: fc.subarray(['dsa', 'nis2']),
    state: fc.constantFrom(...CASE_STATES),
    severity: fc.constantFrom('low', 'medium', 'high', 'critical', null),
    eventTypes: fc.subarray(['Spam', 'ChildAbuse', 'CVE']),
    createdAt: times,
    awareAt: fc.option(times),
    deadlineAt: fc.option(times),
    met: fc.subarray([...LAW_CLOCKS]),
  })
  await fc.assert(
    fc.asyncProperty(facts, async (given) => {
      const isOpen = given.state === 'NEW' || given.state === 'IN_PROGRESS'
      const written = await pool.query<{ due_at: Date | null }>(
        `update abuse_case set state = $2, severity = $3, event_types = $4, created_at = $5, aware_at = $6,
           deadline_at = $7, deadlines_met = $8, ended_at = $9, resolved_at = $9, resolution = 'fixed',
           close_reason = $10, laws = $11
         where id = $1 returning due_at`,
        [
          caseId,
          given.state,
          given.severity,
          given.eventTypes,
          given.createdAt,
          given.awareAt,
          given.deadlineAt,
          given.met,
          isOpen ? null : new Date(0),
          given.state === 'CLOSED' ? 'expired' : null,
          given.laws,
        ],
      )
      const next = listDeadlines(given).find((deadline) => !deadline.isMet)
      assert.deepEqual(written.rows[0]?.due_at ?? null, next?.dueAt ?? null)
    }),
    { numRuns: 200 },
  )
})

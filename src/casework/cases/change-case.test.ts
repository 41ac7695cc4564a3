// One case over HTTP: reading it, moving it, its comments, its history and its group.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { APPROVAL, createActivePlaybook, runDueSteps } from '../../../test/playbook-fixtures.ts'

const CASES = '/beta/casework/cases'
const EVENTS = '/beta/casework/events'

const app = withApp()

let customers = 0
/** A new case with one event; its customer is its own. */
async function openCase(
  members: object = {},
): Promise<{ caseId: string; eventId: string; customer: string }> {
  customers += 1
  const customer = `customer-${customers}`
  const { case_id: caseId, event_id: eventId } = await pushEvent(customer, members)
  return { caseId, eventId, customer }
}

let seconds = 0
async function pushEvent(
  customer: string,
  members: object = {},
): Promise<{ case_id: string; event_id: string; outcome: string }> {
  seconds += 1
  const eventDate = new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString()
  const json = { event_date: eventDate, event_type: 'PortScan', customer_id: customer, ...members }
  const answer = await app.send('POST', EVENTS, { token: app.token, json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json()
}

/** After all that the test does, and no further ahead than an event may be dated. */
function inHours(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString()
}

function get(path: string): Promise<TestAnswer> {
  return app.send('GET', `${CASES}/${path}`, { token: app.token })
}

function patch(
  caseId: string,
  json: object,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return app.send('PATCH', `${CASES}/${caseId}`, { token: app.token, json, headers })
}

async function readCase(caseId: string): Promise<Record<string, unknown>> {
  return (await get(caseId)).json()
}

async function isResolved(eventId: string): Promise<boolean> {
  return (await app.send('GET', `${EVENTS}/${eventId}`, { token: app.token })).json().resolved
}

test('a case shows its sums, its version and the same version as ETag', async () => {
  const { caseId, customer } = await openCase({ ip: '192.0.2.1', tags: ['x'], contract_id: 'k' })
  await pushEvent(customer, { event_type: 'Spam', ip: '192.0.2.2', sender_email: 'b@example.org' })
  const answer = await get(caseId.toLowerCase())
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['etag'], '"1"')
  assert.equal(answer.headers['cache-control'], 'no-store')
  const {
    created_at: createdAt,
    updated_at: updatedAt,
    first_event_date: first,
    last_event_date: last,
    aware_at: awareAt,
    deadlines,
    ...rest
  } = answer.json()
  assert.ok(createdAt <= updatedAt && first < last)
  assert.equal(awareAt, createdAt)
  assert.deepEqual(deadlines, [], 'deadlines by law are off')
  assert.deepEqual(rest, {
    id: caseId,
    state: 'NEW',
    customer_id: customer,
    tenant_id: 'default',
    contract_id: 'k',
    version: 1,
    case_group: 'default',
    event_count: 2,
    event_types: ['PortScan', 'Spam'],
    event_ips: ['192.0.2.1', '192.0.2.2'],
    event_reporters: ['reporter@example.com', 'b@example.org'],
    event_tags: ['x'],
    reopen_count: 0,
    metadata: {},
    waiting_on: 'none',
    customer_status: 'unnotified',
    legal_hold: false,
    tags: [],
    waiting: [],
  })
})

test('a move by version or If-Match raises the version and writes who, what and why', async () => {
  const { caseId } = await openCase()
  const first = await patch(caseId, { version: 1, state: 'IN_PROGRESS', reason: 'mine' })
  assert.equal(first.status, 200, first.text)
  assert.equal(first.headers['etag'], '"2"')
  assert.equal(first.json().state, 'IN_PROGRESS')
  const headers = { 'if-match': '"2"', 'x-request-id': 'request-0001' }
  const second = await patch(caseId, { state: 'RESOLVED', resolution: 'fixed' }, headers)
  assert.equal(second.json().version, 3)
  assert.equal(second.json().resolution, 'fixed')
  assert.ok(second.json().resolved_at && second.json().ended_at)
  const { items } = (await get(`${caseId}/history`)).json()
  assert.deepEqual(
    items.map((entry: Record<string, unknown>) => [
      entry['kind'],
      entry['from_state'],
      entry['to_state'],
      entry['reason'],
    ]),
    [
      ['move', 'IN_PROGRESS', 'RESOLVED', undefined],
      ['move', 'NEW', 'IN_PROGRESS', 'mine'],
      ['open', undefined, 'NEW', undefined],
    ],
  )
  assert.equal(items[0].cause_id, 'request-0001')
  assert.deepEqual(items[0].changes, { resolution: 'fixed' })
  assert.equal(items[0].actor_kind, 'token')
  assert.match(items[0].actor, /^tok_/)
})

test('a request for the state it has is 200 and writes nothing', async () => {
  const { caseId } = await openCase()
  await patch(caseId, { version: 1, state: 'IN_PROGRESS' })
  const again = await patch(caseId, { version: 2, state: 'IN_PROGRESS' })
  assert.equal(again.status, 200)
  assert.equal(again.json().version, 2)
  assert.equal((await get(`${caseId}/history`)).json().items.length, 2)
})

test('412 for a stale version in either place, and nothing changes', async () => {
  const { caseId } = await openCase()
  await patch(caseId, { version: 1, severity: 'high' })
  for (const answer of [
    await patch(caseId, { version: 1, state: 'IN_PROGRESS' }),
    await patch(caseId, { state: 'IN_PROGRESS' }, { 'if-match': '"1"' }),
    await patch(caseId, { severity: 'low' }, { 'if-match': '"7"' }),
  ]) {
    assert.equal(answer.status, 412)
    assert.equal(answer.json().code, 'CASEWORK_VERSION_IS_STALE')
  }
  const { state, severity, version } = await readCase(caseId)
  assert.deepEqual({ state, severity, version }, { state: 'NEW', severity: 'high', version: 2 })
})

test('two changes on one version: one wins, the other is stale', async () => {
  const { caseId } = await openCase()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      patch(caseId, { version: 1, assignee_user_id: `u${index}` }),
    ),
  )
  const statuses = answers.map((answer) => answer.status).toSorted((one, other) => one - other)
  assert.deepEqual(statuses, [200, ...Array.from({ length: 7 }, () => 412)])
})

test('409 for a move the table does not have', async () => {
  const { caseId } = await openCase()
  await patch(caseId, { version: 1, state: 'IN_PROGRESS' })
  const answer = await patch(caseId, { version: 2, state: 'NEW' })
  assert.equal(answer.status, 409)
  assert.equal(answer.json().code, 'CASEWORK_MOVE_NOT_ALLOWED')
})

test('409 for a merged case', async () => {
  const { caseId } = await openCase()
  await patch(caseId, { version: 1, state: 'CLOSED', close_reason: 'duplicate' })
  await app.services.foundation.database.pool.query(
    `update abuse_case set close_reason = 'merged' where id = $1`,
    [caseId],
  )
  const answer = await patch(caseId, { version: 2, state: 'IN_PROGRESS' })
  assert.equal(answer.status, 409)
  assert.equal(answer.json().code, 'CASEWORK_CASE_IS_MERGED')
})

test('400 without a version, without what the move needs, and for what cannot be changed', async () => {
  const { caseId } = await openCase()
  const wrong: [object, string][] = [
    [{ state: 'IN_PROGRESS' }, '/version'],
    [{ version: 1, state: 'RESOLVED' }, '/resolution'],
    [{ version: 1, state: 'CLOSED' }, '/close_reason'],
    [{ version: 1, resolution: 'fixed' }, '/state'],
    [{ version: 1, state: 'OPEN' }, '/state'],
    [{ version: 1, state: 'CLOSED', close_reason: 'merged' }, '/close_reason'],
    [{ version: 1, event_count: 0 }, '/event_count'],
    [{ version: 1, metadata: { a: 'x'.repeat(5_000) } }, '/metadata/a'],
    [{ version: 1, severity: 'huge' }, '/severity'],
    [{ version: 1, waiting_on: 'nobody' }, '/waiting_on'],
    [{ version: 1, customer_status: 'happy' }, '/customer_status'],
    [{ version: 1, tags: ['a', 'a'] }, '/tags'],
    [{ version: 1, tags: ['two words'] }, '/tags/0'],
    [{ version: 1, deadline_at: '2026-01-01' }, '/deadline_at'],
    [{ version: 1, aware_at: '2026-02-30T00:00:00Z' }, '/aware_at'],
    [{ version: 1, deadlines_met: ['agreed'] }, '/deadlines_met/0'],
    [{ version: 1, due_at: '2026-01-01T00:00:00Z' }, '/due_at'],
  ]
  for (const [json, path] of wrong) {
    const answer = await patch(caseId, json)
    assert.equal(answer.status, 400, JSON.stringify(json))
    const paths = answer.json().errors.map((problem: { path: string }) => problem.path)
    assert.ok(paths.includes(path), `${path} in ${paths}`)
  }
  assert.equal((await patch(caseId, { state: 'NEW' }, { 'if-match': 'W/"1"' })).status, 400)
  assert.equal((await patch(caseId, { version: 2 }, { 'if-match': '"1"' })).status, 400)
  assert.equal((await readCase(caseId))['version'], 1)
  const bare = await patch(caseId, { state: 'IN_PROGRESS' })
  assert.equal(bare.json().code, 'CASEWORK_CHANGE_NOT_VALID')
})

test('severity, assignee and metadata are set and taken away, each with history', async () => {
  const { caseId } = await openCase()
  const set = { severity: 'critical', assignee_user_id: 'u-1', metadata: { note: { a: [1] } } }
  const answer = await patch(caseId, set, { 'if-match': '*' })
  assert.equal(answer.status, 200)
  const { severity, assignee_user_id: assignee, metadata } = answer.json()
  assert.deepEqual({ severity, assignee_user_id: assignee, metadata }, set)
  const cleared = (
    await patch(caseId, { version: 2, severity: null, assignee_user_id: null })
  ).json()
  assert.equal('severity' in cleared || 'assignee_user_id' in cleared, false)
  const [entry] = (await get(`${caseId}/history`)).json().items
  assert.deepEqual(entry.changes.severity, { from: 'critical', to: null })
})

test('a move and a change in one request are both done, or neither', async () => {
  const { caseId } = await openCase()
  const both = { version: 1, state: 'IN_PROGRESS', severity: 'low' }
  assert.equal((await patch(caseId, both)).status, 200)
  const refused = await patch(caseId, { version: 3, state: 'NEW', severity: 'high' })
  assert.equal(refused.status, 409)
  assert.equal((await readCase(caseId))['severity'], 'low')
})

test('403 for a move without the scope for it, 200 for the rest', async () => {
  const { caseId } = await openCase()
  const writer = await app.createToken({ scopes: ['cases:read', 'cases:write'] })
  const send = (json: object): Promise<TestAnswer> =>
    app.send('PATCH', `${CASES}/${caseId}`, { token: writer, json })
  const refused = await send({ version: 1, state: 'IN_PROGRESS' })
  assert.equal(refused.status, 403)
  assert.match(String(refused.headers['www-authenticate']), /cases:transition/)
  assert.equal((await send({ version: 1, severity: 'low' })).status, 200)
})

test('resolving settles the events dated until then, and the next event opens a new case that follows', async () => {
  const { caseId, eventId, customer } = await openCase()
  const future = await pushEvent(customer, { event_date: inHours(2) })
  assert.equal(future.case_id, caseId)
  await patch(caseId, { version: 1, state: 'RESOLVED', resolution: 'handled' })
  assert.equal(await isResolved(eventId), true)
  assert.equal(await isResolved(future.event_id), false)
  const next = await pushEvent(customer, { event_date: inHours(1) })
  assert.notEqual(next.case_id, caseId)
  assert.equal((await readCase(next.case_id))['linked_case_id'], caseId)
})

test('a late event joins the resolved case, tagged and settled, and does not reopen it', async () => {
  const { caseId, customer } = await openCase()
  await patch(caseId, { version: 1, state: 'RESOLVED', resolution: 'handled' })
  const late = await pushEvent(customer, { tags: ['a'], event_date: '2020-01-01T00:00:00Z' })
  assert.equal(late.case_id, caseId)
  const record = (await app.send('GET', `${EVENTS}/${late.event_id}`, { token: app.token })).json()
  assert.deepEqual(record.tags, ['a', 'late'])
  assert.equal(record.resolved, true)
  const detail = await readCase(caseId)
  assert.equal(detail['state'], 'RESOLVED')
  assert.equal(detail['version'], 2)
  assert.equal(detail['event_count'], 2)
  assert.equal(detail['first_event_date'], '2020-01-01T00:00:00.000Z')
  assert.equal((await get(`${caseId}/history`)).json().items[0].kind, 'late_event')
  const slots = await app.services.foundation.database.pool.query(
    'select 1 from case_slot join abuse_case using (tenant_id) where abuse_case.id = case_slot.case_id and customer_id = $1',
    [customer],
  )
  assert.equal(slots.rowCount, 0, 'no slot is held without an open case')
})

test('a closed case keeps its events open, except those of a false positive', async () => {
  const ignored = await openCase()
  await patch(ignored.caseId, { version: 1, state: 'CLOSED', close_reason: 'ignored_by_policy' })
  assert.equal(await isResolved(ignored.eventId), false)
  const wrong = await openCase({ event_date: inHours(1) })
  await patch(wrong.caseId, { version: 1, state: 'CLOSED', close_reason: 'false_positive' })
  assert.equal(await isResolved(wrong.eventId), true)
  const again = await pushEvent(wrong.customer)
  assert.notEqual(
    again.case_id,
    wrong.caseId,
    'what was closed and never resolved takes no more events',
  )
})

test('a reopened case takes the events of its key again, and 409 while another one does', async () => {
  const { caseId, customer } = await openCase()
  await patch(caseId, { version: 1, state: 'RESOLVED', resolution: 'fixed' })
  const reopened = (await patch(caseId, { version: 2, state: 'IN_PROGRESS' })).json()
  assert.equal(reopened.reopen_count, 1)
  assert.equal(
    'resolution' in reopened || 'resolved_at' in reopened || 'ended_at' in reopened,
    false,
  )
  assert.equal((await pushEvent(customer)).case_id, caseId)
  await patch(caseId, { version: 3, state: 'RESOLVED', resolution: 'fixed' })
  const other = await pushEvent(customer, { event_date: inHours(1) })
  const refused = await patch(caseId, { version: 4, state: 'IN_PROGRESS' })
  assert.equal(refused.status, 409)
  assert.equal(refused.json().code, 'CASEWORK_SLOT_IS_TAKEN')
  assert.ok(refused.json().detail.includes(other.case_id))
  assert.equal((await readCase(caseId))['state'], 'RESOLVED')
})

test('400 for a comment of spaces alone, and for having been aware of a case in the future', async () => {
  const { caseId } = await openCase()
  const blank = await app.send('POST', `${CASES}/${caseId}/comments`, {
    token: app.token,
    json: { text: ' \n ' },
  })
  assert.equal(blank.status, 400, blank.text)
  const headers = { 'if-match': '*' }
  const setAware = (aware: string): Promise<TestAnswer> =>
    app.send('PATCH', `${CASES}/${caseId}`, {
      token: app.token,
      json: { aware_at: aware },
      headers,
    })
  const future = await setAware('2999-01-01T00:00:00Z')
  assert.equal(future.status, 400, future.text)
  assert.match(future.text, /must not be in the future/)
  assert.equal((await setAware('2026-01-01T00:00:00Z')).status, 200)
})

test('comments are kept with their author and listed page by page, the newest first', async () => {
  const { caseId } = await openCase()
  for (const text of ['one', 'two', 'three\n<b>']) {
    const answer = await app.send('POST', `${CASES}/${caseId}/comments`, {
      token: app.token,
      json: { text },
    })
    assert.equal(answer.status, 201)
    assert.equal(answer.json().text, text)
    assert.equal(answer.json().author, 'test')
  }
  const first = (await get(`${caseId}/comments?limit=2`)).json()
  assert.deepEqual(
    first.items.map((comment: { text: string }) => comment.text),
    ['three\n<b>', 'two'],
  )
  const rest = (await get(`${caseId}/comments?limit=2&cursor=${first.next_cursor}`)).json()
  assert.deepEqual(Object.keys(rest.items[0]), ['id', 'text', 'author', 'created_at'])
  assert.equal(rest.next_cursor, '')
  const other = await openCase()
  assert.equal(
    (await get(`${other.caseId}/comments?limit=2&cursor=${first.next_cursor}`)).status,
    400,
  )
  const kinds = (await get(`${caseId}/history?order=asc`)).json().items
  assert.deepEqual(
    kinds.map((entry: { kind: string }) => entry.kind),
    ['open', 'comment', 'comment', 'comment'],
  )
})

test('400 for a comment without text', async () => {
  const { caseId } = await openCase()
  for (const json of [
    {},
    { text: '' },
    { text: 1 },
    { text: 'x', author: 'y' },
    [],
    { text: 'x'.repeat(20_001) },
  ]) {
    const answer = await app.send('POST', `${CASES}/${caseId}/comments`, { token: app.token, json })
    assert.equal(answer.status, 400)
  }
})

test('case groups are listed in order, and the last one takes everything', async () => {
  const { items, next_cursor: cursor } = (
    await app.send('GET', '/beta/casework/case-groups', { token: app.token })
  ).json()
  assert.equal(cursor, '')
  assert.deepEqual(
    items.map((group: { id: string; enabled: boolean }) => [group.id, group.enabled]),
    [
      ['block', false],
      ['take-down', false],
      ['clean-up', false],
      ['harden', false],
      ['default', true],
    ],
  )
  assert.equal('xarf_classes' in items[4], false)
})

test('an enabled group takes the events of its categories into cases of its own', async () => {
  await app.createTenant('grouped')
  const as = await app.createToken({ tenantId: 'grouped' })
  const path = '/beta/casework/case-groups/harden'
  const enabled = await app.send('PATCH', path, { token: as, json: { enabled: true } })
  assert.equal(enabled.status, 200)
  assert.equal(enabled.json().enabled, true)
  const event = { event_date: '2026-01-01T00:00:00Z', ip: '192.0.2.50' }
  const json = [
    { ...event, event_type: 'CVE', xarf_class: 'vulnerability' },
    { ...event, event_type: 'PortScan' },
  ]
  const { items } = (await app.send('POST', EVENTS, { token: as, json })).json()
  assert.notEqual(items[0].case_id, items[1].case_id, JSON.stringify(items))
  const list = await app.send('GET', `${CASES}?case_group=harden`, { token: as })
  assert.deepEqual(
    list.json().items.map((item: { id: string }) => item.id),
    [items[0].case_id],
  )
})

test('a playbook attached to the group starts with each new case, which then shows where it waits', async () => {
  await app.createTenant('played')
  const as = await app.createToken({ tenantId: 'played' })
  const playbook = await createActivePlaybook(app, as, APPROVAL)
  const path = '/beta/casework/case-groups/default'
  const attached = await app.send('PATCH', path, { token: as, json: { playbook_id: playbook } })
  assert.equal(attached.json().playbook_id, playbook)
  const json = { event_date: '2026-01-01T00:00:00Z', event_type: 'Spam', ip: '192.0.2.60' }
  const { case_id: caseId } = (await app.send('POST', EVENTS, { token: as, json })).json()
  await runDueSteps(app)
  const detail = (await app.send('GET', `${CASES}/${caseId}`, { token: as })).json()
  assert.equal(detail.playbook_id, playbook)
  assert.equal(detail.playbook_version, 1)
  assert.equal(detail.playbook_step, 'ask')
  assert.deepEqual(detail.waiting[0].paths, ['approve', 'reject'])
  const detached = await app.send('PATCH', path, { token: as, json: { playbook_id: null } })
  assert.equal('playbook_id' in detached.json(), false)
  assert.equal(
    (await app.send('PATCH', path, { token: app.token, json: { playbook_id: playbook } })).status,
    400,
  )
})

function patchGroup(id: string, json: unknown): Promise<TestAnswer> {
  return app.send('PATCH', `/beta/casework/case-groups/${id}`, { token: app.token, json })
}

test('400 and 404 for group changes that cannot be', async () => {
  assert.equal((await patchGroup('default', { enabled: false })).status, 400)
  assert.equal((await patchGroup('default', {})).status, 400)
  assert.equal((await patchGroup('default', { playbook_id: 'x' })).status, 400)
  assert.equal((await patchGroup('default', { threshold: 2 })).status, 400)
  assert.equal((await patchGroup('nothing', { enabled: true })).status, 404)
})

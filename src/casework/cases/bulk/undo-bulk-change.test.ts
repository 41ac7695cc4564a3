// The undo of a bulk change over HTTP: what goes back in each case, what stays and why.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import { query } from '../../../../test/query.ts'
import { silentLog } from '../../../kernel/log.ts'
import { removeOldBulkChanges } from './bulk-change-store.ts'

const CASES = '/beta/casework/cases'

const app = withApp()

let events = 0
async function openCase(as = app.token): Promise<string> {
  events += 1
  const json = {
    event_date: '2026-01-01T00:00:00Z',
    event_type: 'Spam',
    customer_id: `customer-${events}`,
    report_id: `report-${events}`,
  }
  return (await app.send('POST', '/beta/casework/events', { token: as, json })).json().case_id
}

async function change(ids: readonly string[], body: object, as = app.token): Promise<string> {
  const json = { ids, change: body }
  const answer = await app.send('POST', `${CASES}/bulk`, { token: as, json })
  assert.equal(answer.status, 200, answer.text)
  return answer.json().change_id
}

function undo(changeId: string, options: { query?: string; as?: string; json?: object } = {}) {
  const { query: text = '', as = app.token, json = {} } = options
  return app.send('POST', `${CASES}/bulk/${changeId}/undo${text}`, { token: as, json })
}

async function patch(caseId: string, json: object): Promise<void> {
  const headers = { 'if-match': '*' }
  const answer = await app.send('PATCH', `${CASES}/${caseId}`, { token: app.token, json, headers })
  assert.equal(answer.status, 200, answer.text)
}

async function read(caseId: string, path = ''): Promise<ReturnType<TestAnswer['json']>> {
  return (await app.send('GET', `${CASES}/${caseId}${path}`, { token: app.token })).json()
}

const NOBODY = '01890000-0000-7000-8000-000000000000'
const codes = (item: { kept?: readonly { member: string; code: string }[] }) =>
  (item.kept ?? []).map(({ member, code }) => [member, code])

test('an undo of a bulk change takes back every member that nobody has changed since', async () => {
  const [one, other] = [await openCase(), await openCase()]
  await patch(one, {
    tags: ['old'],
    metadata: { ticket: 'T-1' },
    deadline_at: '2026-03-01T00:00:00Z',
  })
  const was = await read(one)
  const changeId = await change([one, other], {
    severity: 'high',
    assignee_user_id: 'ana',
    add_tags: ['swept'],
    metadata: { ticket: 'T-2', deep: { z: 1, a: [2] } },
    deadline_at: null,
    waiting_on: 'customer',
  })
  await patch(other, { severity: 'low' })
  const answer = await undo(changeId, { json: { reason: 'wrong filter' } })
  assert.equal(answer.status, 200, answer.text)
  const { items, ...counts } = answer.json()
  assert.deepEqual(counts, {
    change_id: changeId,
    preview: false,
    undone: 1,
    partly_undone: 1,
    kept: 0,
    not_found: 0,
  })
  assert.equal(items[0].outcome, 'undone')
  assert.deepEqual(items[0].changes.tags, { from: ['old', 'swept'], to: ['old'] })
  const is = await read(one)
  assert.deepEqual({ ...is, version: was.version, updated_at: was.updated_at }, was)
  assert.deepEqual(codes(items[1]), [['severity', 'CASEWORK_VERSION_IS_STALE']])
  assert.equal((await read(other)).severity, 'low')
  assert.equal((await read(other)).assignee_user_id, undefined)
  const [entry] = (await read(one, '/history')).items
  assert.equal(entry.kind, 'change')
  assert.equal(entry.reason, `Undo of the bulk change ${changeId}: wrong filter`)
})

test('a member that was changed and changed back since is not undone', async () => {
  const id = await openCase()
  const changeId = await change([id], { severity: 'high' })
  await patch(id, { severity: 'low' })
  await patch(id, { severity: 'high' })
  const [item] = (await undo(changeId)).json().items
  assert.equal(item.outcome, 'kept')
  assert.deepEqual(codes(item), [['severity', 'CASEWORK_VERSION_IS_STALE']])
  assert.equal((await read(id)).severity, 'high')
})

test('a member that is as it was before the bulk change needs no undo', async () => {
  const id = await openCase()
  const changeId = await change([id], { severity: 'high' })
  await patch(id, { severity: null })
  const [item] = (await undo(changeId)).json().items
  assert.deepEqual([item.outcome, item.changes, item.kept], ['undone', {}, undefined])
})

test('an undo moves cases back by the table of moves, those that were NEW to IN_PROGRESS', async () => {
  const [fresh, worked, fixed, reopened] = [
    await openCase(),
    await openCase(),
    await openCase(),
    await openCase(),
  ]
  await patch(worked, { state: 'IN_PROGRESS', waiting_on: 'customer' })
  await patch(fixed, { state: 'RESOLVED', resolution: 'fixed' })
  const closing = { state: 'CLOSED', close_reason: 'duplicate' }
  const changeId = await change([fresh, worked, fixed, reopened], closing)
  await patch(reopened, { state: 'IN_PROGRESS' })
  await patch(reopened, { state: 'CLOSED', close_reason: 'duplicate' })
  const { items } = (await undo(changeId)).json()
  assert.deepEqual(
    items.map((item: { outcome: string }) => item.outcome),
    ['undone', 'undone', 'undone', 'kept'],
  )
  assert.deepEqual(items[0].changes.state, { from: 'CLOSED', to: 'IN_PROGRESS' })
  const [one, two, three] = [await read(worked), await read(fixed), await read(reopened)]
  assert.deepEqual([one.state, one.waiting_on], ['IN_PROGRESS', 'customer'])
  assert.deepEqual([two.state, two.resolution, two.close_reason], ['RESOLVED', 'fixed', undefined])
  assert.deepEqual(codes(items[3]), [['state', 'CASEWORK_VERSION_IS_STALE']])
  assert.equal(three.state, 'CLOSED')
  const [entry] = (await read(fixed, '/history')).items
  assert.deepEqual([entry.kind, entry.to_state], ['move', 'RESOLVED'])
  assert.equal(entry.reason, `Undo of the bulk change ${changeId}`)
})

test('an undo leaves a state that the table of moves does not lead back to, and says so', async () => {
  const [fresh, done] = [await openCase(), await openCase()]
  await patch(done, { state: 'CLOSED', close_reason: 'expired' })
  const changeId = await change([fresh, done], {
    state: 'IN_PROGRESS',
    severity: 'low',
    comment: 'x',
  })
  const { items } = (await undo(changeId)).json()
  assert.deepEqual(codes(items[0]), [
    ['state', 'CASEWORK_MOVE_NOT_ALLOWED'],
    ['comment', 'CASEWORK_CHANGE_NOT_ALLOWED'],
  ])
  assert.deepEqual([items[0].outcome, items[1].outcome], ['partly_undone', 'partly_undone'])
  assert.deepEqual(codes(items[1]), [['comment', 'CASEWORK_CHANGE_NOT_ALLOWED']])
  const [one, two] = [await read(fresh), await read(done)]
  assert.deepEqual([one.state, one.severity], ['IN_PROGRESS', undefined])
  assert.deepEqual([two.state, two.close_reason], ['CLOSED', 'expired'])
})

test('an undo is refused case by case where the case may not take the change', async () => {
  const [taken, notified, merged] = [await openCase(), await openCase(), await openCase()]
  const customer = (await read(taken)).customer_id
  const changeId = await change([taken, notified, merged], {
    state: 'RESOLVED',
    resolution: 'fixed',
    customer_status: 'notified',
  })
  const json = { event_date: new Date().toISOString(), event_type: 'Spam', customer_id: customer }
  await app.send('POST', '/beta/casework/events', { token: app.token, json })
  await query(
    app.connection,
    `update abuse_case set state = 'CLOSED', close_reason = 'merged' where id = $1`,
    [merged],
  )
  const { items } = (await undo(changeId)).json()
  assert.deepEqual(codes(items[0]), [
    ['state', 'CASEWORK_SLOT_IS_TAKEN'],
    ['customer_status', 'CASEWORK_CHANGE_NOT_ALLOWED'],
  ])
  assert.deepEqual(codes(items[1]), [['customer_status', 'CASEWORK_CHANGE_NOT_ALLOWED']])
  assert.equal(codes(items[2])[0]?.[0], 'state')
  assert.equal((await read(taken)).state, 'RESOLVED')
  assert.equal((await read(notified)).state, 'IN_PROGRESS')
})

test('a repeated undo changes nothing and says the same, also at the same time', async () => {
  const id = await openCase()
  const changeId = await change([id], { severity: 'high' })
  const [first, second] = await Promise.all([undo(changeId), undo(changeId)])
  assert.deepEqual(first?.json(), second?.json())
  await patch(id, { severity: 'critical' })
  assert.deepEqual((await undo(changeId)).json(), first?.json())
  assert.equal((await read(id)).severity, 'critical')
  assert.equal((await read(id, '/history')).items.length, 4)
})

test('a preview of an undo says the same as the undo and changes nothing', async () => {
  const id = await openCase()
  const changeId = await change([id], { state: 'RESOLVED', resolution: 'fixed', severity: 'low' })
  const was = await read(id)
  const preview = (await undo(changeId, { query: '?preview=true' })).json()
  assert.equal(preview.preview, true)
  assert.deepEqual(await read(id), was)
  assert.deepEqual((await undo(changeId)).json().items, preview.items)
})

test('404 for a bulk change that is unknown, of another tenant, or too old to be undone', async () => {
  await app.createTenant('others')
  const foreigner = await app.createToken({ tenantId: 'others' })
  const id = await openCase()
  const changeId = await change([id], { severity: 'high' })
  for (const answer of [
    await undo(NOBODY),
    await undo('x'),
    await undo(changeId, { as: foreigner }),
  ]) {
    assert.equal(answer.status, 404)
    assert.equal(answer.json().code, 'CASEWORK_BULK_CHANGE_NOT_FOUND')
  }
  await query(
    app.connection,
    `update bulk_change set at = now() - interval '7 days' where id = $1`,
    [changeId],
  )
  assert.equal((await undo(changeId)).status, 404)
  assert.equal((await read(id)).severity, 'high')
  await removeOldBulkChanges({
    db: app.services.foundation.database.kysely,
    log: silentLog,
  })
  assert.deepEqual(
    await query(app.connection, 'select from bulk_change_case where bulk_change_id = $1', [
      changeId,
    ]),
    [],
  )
})

test('403 for the undo of a move without its scope; a colleague undoes the rest', async () => {
  const id = await openCase()
  const writer = await app.createToken({ scopes: ['cases:write'] })
  const moved = await change([id], { state: 'IN_PROGRESS' })
  const refused = await undo(moved, { as: writer })
  assert.equal(refused.status, 403)
  const changed = await change([id], { severity: 'high' })
  assert.equal((await undo(changed, { as: writer })).json().undone, 1)
})

test('a preview, and a bulk change that changes nothing, have no change_id', async () => {
  const id = await openCase()
  const json = { ids: [id], change: { severity: 'high' } }
  const send = (text: string) =>
    app.send('POST', `${CASES}/bulk${text}`, { token: app.token, json })
  assert.equal((await send('?preview=true')).json().change_id, undefined)
  assert.match((await send('')).json().change_id, /^[0-9a-f-]{36}$/)
  assert.equal((await send('')).json().change_id, undefined)
})

// Saved views over HTTP: who sees them, what the list would refuse, and their limit.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'

const PATH = '/beta/casework/views'
const QUEUE = { name: 'Queue', list: 'cases', query: { state: 'NEW', sort: 'due_at', limit: 20 } }

const app = withApp()

function send(method: string, path: string, json?: object, token = app.token): Promise<TestAnswer> {
  return app.send(method, path, { token, ...(json === undefined ? {} : { json }) })
}

async function listNames(token = app.token, query = ''): Promise<string[]> {
  const { items } = (await send('GET', `${PATH}${query}`, undefined, token)).json()
  return items.map(({ name }: { name: string }) => name)
}

test('a view is saved, shown with the path of its list, changed and deleted', async () => {
  const made = await send('POST', PATH, { ...QUEUE, shared: true })
  assert.equal(made.status, 201, made.text)
  const { id, path, query, shared } = made.json()
  assert.deepEqual([query, shared], [QUEUE.query, true])
  assert.equal(path, '/beta/casework/cases?sort=due_at&limit=20&state=NEW')
  assert.equal((await send('GET', path)).status, 200)
  assert.deepEqual((await send('GET', `${PATH}/${id.toUpperCase()}`)).json(), made.json())
  const change = { name: 'Mine', query: { assignee_user_id: 'ana', expand: 'summary' } }
  const changed = await send('PATCH', `${PATH}/${id}`, change)
  assert.equal(changed.json().path, '/beta/casework/cases?expand=summary&assignee_user_id=ana')
  assert.equal(changed.json().name, 'Mine')
  const events = { name: 'Attacks', list: 'events', query: { ip: '192.0.2.1', resolved: false } }
  assert.equal((await send('POST', PATH, events)).status, 201)
  assert.deepEqual(await listNames(), ['Attacks', 'Mine'])
  assert.deepEqual(await listNames(app.token, '?list=cases'), ['Mine'])
  assert.deepEqual(await listNames(app.token, '?order=asc&limit=1'), ['Mine'])
  assert.equal((await send('DELETE', `${PATH}/${id}`)).status, 204)
  assert.equal((await send('DELETE', `${PATH}/${id}`)).json().code, 'CASEWORK_VIEW_NOT_FOUND')
  assert.equal((await send('GET', `${PATH}/x`)).json().code, 'CASEWORK_VIEW_NOT_FOUND')
  assert.equal((await send('PATCH', `${PATH}/${id}`, change)).status, 404)
})

test('an own view is seen by its token alone, a shared one by the tenant, and written with cases:write', async () => {
  const reader = await app.createToken({ scopes: ['cases:read'] })
  const other = await app.createToken({ scopes: ['cases:read'] })
  await app.createTenant('other')
  const stranger = await app.createToken({ tenantId: 'other' })
  const own = await send('POST', PATH, { ...QUEUE, name: 'Own' }, reader)
  assert.equal(own.status, 201, own.text)
  const shared = (await send('POST', PATH, { ...QUEUE, name: 'All', shared: true })).json()
  const ownPath = `${PATH}/${own.json().id}`
  const sharedPath = `${PATH}/${shared.id}`
  assert.ok((await listNames(reader)).includes('Own'))
  for (const token of [other, app.token, stranger]) {
    assert.ok(!(await listNames(token)).includes('Own'))
    assert.equal((await send('GET', ownPath, undefined, token)).status, 404)
    assert.equal((await send('DELETE', ownPath, undefined, token)).status, 404)
  }
  assert.ok((await listNames(other)).includes('All'))
  assert.equal((await send('GET', sharedPath, undefined, stranger)).status, 404)
  for (const [method, path, json] of [
    ['POST', PATH, { ...QUEUE, shared: true }],
    ['PATCH', sharedPath, { name: 'x' }],
    ['PATCH', ownPath, { shared: true }],
    ['DELETE', sharedPath, undefined],
  ] as const) {
    assert.equal((await send(method, path, json, reader)).status, 403, `${method} ${path}`)
  }
  assert.equal((await send('PATCH', ownPath, { name: 'Own 2' }, reader)).status, 200)
  const { pool } = app.services.foundation.database
  await pool.query(`update api_token set revoked_at = now() where id = $1`, [own.json().created_by])
  await send('POST', PATH, QUEUE)
  const left = await pool.query('select 1 from saved_view where id = $1', [own.json().id])
  assert.equal(left.rowCount, 0, 'what nobody can see any more is removed')
})

test('400 for a view that its list would refuse, with the parameter', async () => {
  const wrong: [object, string][] = [
    [{ list: 'cases', query: { colour: 'red' } }, '/query/colour'],
    [{ list: 'cases', query: { state: 'OPEN' } }, '/query/state'],
    [{ list: 'cases', query: { created_after: 'soon' } }, '/query/created_after'],
    [{ list: 'cases', query: { limit: 0 } }, '/query/limit'],
    [{ list: 'cases', query: { cursor: 'x' } }, '/query/cursor'],
    [{ list: 'events', query: { state: 'NEW' } }, '/query/state'],
    [{ list: 'events', query: { ip: 'x' } }, '/query/ip'],
    [{ list: 'events', query: { report_id: 'x' } }, '/query/report_id'],
  ]
  for (const [view, path] of wrong) {
    const answer = await send('POST', PATH, { name: 'Wrong', ...view })
    assert.equal(answer.status, 400, JSON.stringify(view))
    assert.equal(answer.json().code, 'CASEWORK_VIEW_NOT_VALID')
    assert.deepEqual(
      answer.json().errors.map((problem: { path: string }) => problem.path),
      [path],
    )
  }
  const { id } = (await send('POST', PATH, QUEUE)).json()
  const change = await send('PATCH', `${PATH}/${id}`, { query: { state: 'x' } })
  assert.equal(change.json().code, 'CASEWORK_VIEW_NOT_VALID')
  assert.equal((await send('POST', PATH, { ...QUEUE, list: 'reports' })).status, 400)
  assert.ok(!(await listNames()).includes('Wrong'))
})

test('409 for a view beyond 500, and another tenant has room', async () => {
  await app.createTenant('crowded')
  const crowded = await app.createToken({ tenantId: 'crowded' })
  const { pool } = app.services.foundation.database
  const rows = Array.from(
    { length: 500 },
    () => `('crowded', '${randomUUID()}', 'x', 'cases', '{}', true, 'x')`,
  )
  await pool.query(
    `insert into saved_view (tenant_id, id, name, list, query, is_shared, created_by)
     values ${rows.join(', ')}`,
  )
  const answer = await send('POST', PATH, QUEUE, crowded)
  assert.equal(answer.status, 409)
  assert.equal(answer.json().code, 'CASEWORK_TOO_MANY_VIEWS')
  assert.equal((await send('POST', PATH, QUEUE)).status, 201)
})

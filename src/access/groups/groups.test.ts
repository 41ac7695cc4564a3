// Groups of users: a desk of one tenant.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { invite } from '../../../test/people-kit.ts'
import { countLockWaits } from '../../../test/query.ts'
import { waitUntil } from '../../../test/wait.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { renameGroup } from './group-store.ts'

const app = withApp()

test('a group has users of its tenant, is renamed and deleted; names are taken once', async () => {
  await app.createTenant('desks')
  const token = await app.createToken({ tenantId: 'desks', scopes: ['users:manage', 'cases:read'] })
  const person = await invite(app, token, { roles: [] })
  const stranger = await invite(app, app.token, { roles: [] })
  const send = (method: string, rest: string, json?: object) =>
    app.send(method, `/beta/admin/groups${rest}`, { token, ...(json && { json }) })
  const wrong = await send('POST', '', { name: 'Night', user_ids: [person.id, stranger.id] })
  assert.deepEqual(
    [wrong.status, wrong.json().code, wrong.json().errors[0].path],
    [400, 'APP_GROUP_NOT_VALID', '/user_ids/1'],
  )
  const made = await send('POST', '', { name: 'Night', user_ids: [person.id] })
  const { id } = made.json()
  assert.deepEqual([made.status, made.json().user_ids], [201, [person.id]])
  const twice = await send('POST', '', { name: 'Night' })
  assert.deepEqual([twice.status, twice.json().code], [409, 'APP_GROUP_TAKEN'])
  const second = (await send('POST', '', { name: 'Day' })).json()
  assert.equal((await send('PATCH', `/${second.id}`, { name: 'Night' })).status, 409)
  const changed = await send('PATCH', `/${id}`, { name: 'Late', user_ids: [] })
  assert.deepEqual([changed.json().name, changed.json().user_ids], ['Late', []])
  const first = (await send('GET', '?limit=1')).json()
  assert.deepEqual([first.items[0].name, first.items.length], ['Day', 1])
  const rest = await send('GET', `?limit=1&cursor=${encodeURIComponent(first.next_cursor)}`)
  assert.equal(rest.json().items[0].name, 'Late')
  for (const [method, json] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
    const path = `/beta/admin/groups/${id}`
    const foreign = await app.send(method, path, { token: app.token, ...(json && { json }) })
    assert.deepEqual([foreign.status, foreign.json().code], [404, 'APP_GROUP_NOT_FOUND'])
  }
  assert.equal((await send('DELETE', `/${id}`)).status, 204)
  assert.equal((await send('GET', `/${id}`)).status, 404)
})

test('409 for a name that another group gets at the same time', async () => {
  const send = (method: string, rest: string, name: string) =>
    app.send(method, `/beta/admin/groups${rest}`, { token: app.token, json: { name } })
  const [first, second] = [await send('POST', '', 'Morning'), await send('POST', '', 'Evening')]
  const { kysely } = app.services.foundation.database
  const { renaming } = await inTransaction(kysely, async (tx) => {
    await renameGroup(tx, 'default', first.json().id, 'Weekend')
    const answer = send('PATCH', `/${second.json().id}`, 'Weekend')
    await waitUntil(
      async () => (await countLockWaits(app.connection, 'user_group')) > 0,
      'the second waits for the first',
    )
    return { renaming: answer }
  })
  const refused = await renaming
  assert.deepEqual([refused.status, refused.json().code], [409, 'APP_GROUP_TAKEN'])
})

test('a person who leaves the tenant leaves its groups', async () => {
  const person = await invite(app, app.token, { roles: [] })
  const { token } = app
  const json = { name: 'Leavers', user_ids: [person.id] }
  const { id } = (await app.send('POST', '/beta/admin/groups', { token, json })).json()
  await app.send('DELETE', `/beta/admin/users/${person.id}`, { token })
  const group = await app.send('GET', `/beta/admin/groups/${id}`, { token })
  assert.deepEqual(group.json().user_ids, [])
})

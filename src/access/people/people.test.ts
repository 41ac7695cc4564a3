// People of a tenant: who may invite and change whom, and how fast it takes effect.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { createPerson, invite, signIn } from '../../../test/people-kit.ts'
import { waitUntil } from '../../../test/wait.ts'
import { compose } from '../../app/compose.ts'
import { silentLog } from '../../kernel/log.ts'
import { ROLE_SCOPES } from '../../vocabulary/scopes.ts'
import { readCookie } from '../sessions/session-cookie.ts'

const app = withApp()

const tenantAdmin = async (tenantId: string): Promise<string> => {
  await app.createTenant(tenantId)
  return await app.createToken({ tenantId, scopes: [...ROLE_SCOPES['tenant-admin']] })
}
const hideRequestId = (text: string): string => text.replace(/"request_id":"[^"]*"/, '')
const path = (id: string): string => `/beta/admin/users/${id}`

describe('POST /beta/admin/users', () => {
  test('403 for a role that holds more than the inviter', async () => {
    const token = await tenantAdmin('grants')
    const invited = (roles: readonly string[], more: object = {}) =>
      app.send('POST', '/beta/admin/users', {
        token,
        json: { email: 'x@grants.example', name: 'X', roles, ...more },
      })
    for (const answer of [
      await invited(['instance-admin']),
      await invited(['viewer', 'instance-admin']),
      await invited(['viewer'], { tenant_id: 'default' }),
      await invited(['viewer'], { tenant_id: 'nowhere' }),
    ]) {
      assert.deepEqual([answer.status, answer.json().code], [403, 'APP_GRANT_NOT_HELD'])
    }
    const wrong = await invited(['chief'])
    assert.deepEqual(
      [wrong.json().code, wrong.json().errors[0].path],
      ['APP_USER_NOT_VALID', '/roles/0'],
    )
    const address = await app.send('POST', '/beta/admin/users', {
      token,
      json: { email: 'nobody', name: 'X', roles: [] },
    })
    assert.equal(address.json().errors[0].path, '/email')
    assert.equal((await invited(['tenant-admin'])).status, 201)
    const twice = await invited(['viewer'])
    assert.deepEqual([twice.status, twice.json().code], [409, 'APP_USER_TAKEN'])
    const other = await invited(['viewer'], { email: 'X@Grants.example' })
    assert.equal(other.status, 409, 'case makes no second address')
  })

  test('a person who invites is bound by their own roles too', async () => {
    const admin = await createPerson(app, app.token, { roles: ['tenant-admin'] })
    const json = { email: 'z@desk.example', name: 'Z', roles: ['instance-admin'] }
    assert.equal((await admin.browser.send('POST', '/beta/admin/users', { json })).status, 403)
    const agent = await createPerson(app, app.token, { roles: ['lead'] })
    const small = { ...json, roles: [] }
    assert.equal(
      (await agent.browser.send('POST', '/beta/admin/users', { json: small })).status,
      403,
    )
  })
})

describe('the users of a tenant', () => {
  test('are seen by that tenant alone, foreign and missing alike', async () => {
    const [one, two] = [await tenantAdmin('seen'), await tenantAdmin('unseen')]
    const person = await invite(app, one)
    const list = async (token: string) =>
      (await app.send('GET', '/beta/admin/users', { token })).json().items
    assert.deepEqual(
      (await list(one)).map(({ id }: { id: string }) => id),
      [person.id],
    )
    assert.deepEqual(await list(two), [])
    assert.ok((await list(app.token)).length > 0)
    for (const [method, rest, json] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Y' }],
      ['DELETE', ''],
      ['POST', '/links'],
      ['GET', '/sessions'],
      ['DELETE', '/sessions'],
    ] as const) {
      const ask = (id: string) => app.send(method, `${path(id)}${rest}`, { token: two, json })
      const [foreign, missing] = [await ask(person.id), await ask('usr_none')]
      assert.equal(foreign.status, 404, `${method} ${rest}`)
      assert.equal(foreign.json().code, 'APP_USER_NOT_FOUND')
      assert.equal(hideRequestId(foreign.text), hideRequestId(missing.text))
    }
  })

  test('are paged', async () => {
    const token = await tenantAdmin('paged')
    for (let i = 0; i < 3; i += 1) await invite(app, token)
    const first = (await app.send('GET', '/beta/admin/users?limit=2', { token })).json()
    const rest = await app.send(
      'GET',
      `/beta/admin/users?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`,
      { token },
    )
    assert.deepEqual([first.items.length, rest.json().items.length], [2, 1])
    assert.equal(rest.json().next_cursor, '')
  })
})

describe('PATCH /beta/admin/users/{userId}', () => {
  test('new roles hold at once for the sessions of the person', async () => {
    const { id, browser } = await createPerson(app, app.token, { roles: ['lead'] })
    const json = { roles: ['viewer'] }
    const answer = await app.send('PATCH', path(id), { token: app.token, json })
    assert.deepEqual(answer.json().tenants[0].roles, ['viewer'])
    const { scopes } = (await browser.send('GET', '/beta/whoami')).json()
    assert.deepEqual(new Set(scopes), new Set(ROLE_SCOPES.viewer))
  })

  test('403 for the rights that the caller lacks: of the new roles and of the former ones', async () => {
    const { id } = await createPerson(app, app.token, { roles: ['instance-admin'] })
    const admin = await app.createToken({ scopes: [...ROLE_SCOPES['tenant-admin']] })
    for (const json of [{ roles: ['viewer'] }, { disabled: true }, { name: 'Mallory' }]) {
      const answer = await app.send('PATCH', path(id), { token: admin, json })
      assert.deepEqual([answer.status, answer.json().code], [403, 'APP_GRANT_NOT_HELD'])
    }
    assert.equal((await app.send('DELETE', path(id), { token: admin })).status, 403)
    assert.equal((await app.send('POST', `${path(id)}/links`, { token: admin })).status, 403)
    const agent = await createPerson(app, app.token)
    const json = { roles: ['instance-admin'] }
    assert.equal((await app.send('PATCH', path(agent.id), { token: admin, json })).status, 403)
  })

  test('a disabled person is out and comes in again once enabled', async () => {
    const { id, email, browser } = await createPerson(app, app.token)
    const set = (disabled: boolean) =>
      app.send('PATCH', path(id), { token: app.token, json: { disabled } })
    assert.equal((await set(true)).json().state, 'disabled')
    assert.equal((await browser.send('GET', '/beta/whoami')).status, 401)
    assert.equal((await signIn(app, email)).status, 401)
    const link = await app.send('POST', `${path(id)}/links`, { token: app.token })
    assert.deepEqual([link.status, link.json().code], [409, 'APP_USER_DISABLED'])
    assert.equal((await set(false)).json().state, 'active')
    assert.equal((await browser.send('GET', '/beta/whoami')).status, 401, 'the session stays over')
    assert.equal((await signIn(app, email)).status, 201)
  })

  test('within a second on another node', async () => {
    const { id, browser } = await createPerson(app, app.token, { roles: ['lead'] })
    const { config } = app.services.foundation
    const other = await compose({ config, connection: app.connection, log: silentLog })
    try {
      const secret = readCookie(browser.cookie, 'casework-session-local') ?? ''
      assert.equal(other.tokens.findSession(secret)?.scopes.has('cases:merge'), true)
      const json = { roles: ['viewer'] }
      await app.send('PATCH', path(id), { token: app.token, json })
      await waitUntil(() => other.tokens.findSession(secret)?.scopes.has('cases:merge') === false)
      await app.send('PATCH', path(id), { token: app.token, json: { disabled: true } })
      await waitUntil(() => other.tokens.findSession(secret) === null)
    } finally {
      await other.close()
    }
  })
})

const makeToken = async ({ browser }: Awaited<ReturnType<typeof createPerson>>) => {
  const json = { name: 'own', scopes: ['cases:read'] }
  const answer = await browser.send('POST', '/beta/admin/tokens', { json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().token as string
}
const statusOf = async (token: string) => (await app.send('GET', '/beta/whoami', { token })).status

describe('the tokens that a person owns', () => {
  test('are cut when the person is demoted, disabled or removed, and no sooner', async () => {
    const acts: readonly ((id: string) => Promise<{ status: number }>)[] = [
      (id) => app.send('PATCH', path(id), { token: app.token, json: { roles: ['viewer'] } }),
      (id) => app.send('PATCH', path(id), { token: app.token, json: { disabled: true } }),
      (id) => app.send('DELETE', path(id), { token: app.token }),
    ]
    for (const act of acts) {
      const person = await createPerson(app, app.token, { roles: ['tenant-admin'] })
      const token = await makeToken(person)
      const more = { roles: ['tenant-admin', 'auditor'] }
      await app.send('PATCH', path(person.id), { token: app.token, json: more })
      assert.equal(await statusOf(token), 200, 'more rights cut nothing')
      assert.ok((await act(person.id)).status < 300)
      assert.equal(await statusOf(token), 401)
    }
  })
})

describe('the last administrator of the instance', () => {
  const lone = withApp()

  test('409 for demoting, disabling and removing them', async () => {
    const { token } = lone
    const { id } = await createPerson(lone, token, { roles: ['instance-admin'] })
    const tries = async () => [
      await lone.send('PATCH', path(id), { token, json: { roles: ['viewer'] } }),
      await lone.send('PATCH', path(id), { token, json: { disabled: true } }),
      await lone.send('DELETE', path(id), { token }),
    ]
    for (const answer of await tries()) {
      assert.deepEqual([answer.status, answer.json().code], [409, 'APP_LAST_ADMINISTRATOR'])
    }
    const invited = await invite(lone, token, { roles: ['instance-admin'] })
    for (const answer of await tries()) assert.equal(answer.status, 409, 'an invited one is none')
    assert.equal((await lone.send('DELETE', path(invited.id), { token })).status, 204)
    await createPerson(lone, token, { roles: ['instance-admin'] })
    const [first] = await tries()
    assert.equal(first?.status, 200)
  })
})

describe('the sessions of another person', () => {
  test('are listed and ended by their administrator', async () => {
    const { id, browser } = await createPerson(app, app.token)
    const list = async () =>
      (await app.send('GET', `${path(id)}/sessions`, { token: app.token })).json().items
    assert.deepEqual(
      (await list()).map((one: { id: string }) => one.id),
      [browser.session.id],
    )
    const end = (query: string) =>
      app.send('DELETE', `${path(id)}/sessions${query}`, { token: app.token })
    assert.equal((await end('?session_id=ses_none')).status, 404)
    assert.equal((await end('')).status, 204)
    assert.equal((await browser.send('GET', '/beta/whoami')).status, 401)
    assert.deepEqual(await list(), [])
  })
})

describe('DELETE /beta/admin/users/{userId}', () => {
  test('takes the person out of the tenant, at once', async () => {
    const { id, email, browser } = await createPerson(app, app.token)
    assert.equal((await app.send('DELETE', path(id), { token: app.token })).status, 204)
    assert.equal((await browser.send('GET', '/beta/whoami')).status, 401)
    assert.equal((await signIn(app, email)).status, 401)
    assert.equal((await app.send('DELETE', path(id), { token: app.token })).status, 404)
  })

  test('forgets a person who works for no tenant any more, and not one who still does', async () => {
    await app.createTenant('rest')
    const { id, email } = await createPerson(app, app.token)
    const rest = await invite(app, app.token, { email, tenantId: 'rest' })
    assert.equal(rest.id, id)
    await app.send('DELETE', path(id), { token: app.token })
    const { pool } = app.services.foundation.database
    const read = async () =>
      (await pool.query('select * from user_account where id = $1', [id])).rows[0]
    assert.equal((await read()).email, email)
    await app.send('DELETE', `${path(id)}?tenant_id=rest`, { token: app.token })
    const { name, email: kept, password_hash: hash } = await read()
    assert.deepEqual([name, kept, hash], ['former user', '', null])
    const { rows } = await pool.query(
      'select address, user_agent from user_session where user_id = $1',
      [id],
    )
    assert.deepEqual(new Set(rows.flatMap((row) => Object.values(row))), new Set([null]))
    const again = await invite(app, app.token, { email })
    assert.notEqual(again.id, id)
  })

  test('403 APP_TENANT_MISSING for a person whose invitation is not accepted yet', async () => {
    await app.createTenant('waiting')
    const { id, email } = await createPerson(app, app.token)
    await invite(app, app.token, { email, tenantId: 'waiting' })
    await app.send('DELETE', path(id), { token: app.token })
    const answer = await signIn(app, email)
    assert.deepEqual([answer.status, answer.json().code], [403, 'APP_TENANT_MISSING'])
  })
})

test('every act on people is in the audit log, with the person who did it', async () => {
  const { id, browser } = await createPerson(app, app.token, { roles: ['tenant-admin'] })
  const json = { email: 'audited@desk.example', name: 'A', roles: [] }
  await browser.send('POST', '/beta/admin/users', { json })
  const { rows } = await app.services.foundation.database.pool.query(
    'select act, actor_kind, actor_id from audit_entry where actor_id = $1 order by seq',
    [id],
  )
  assert.deepEqual(
    rows.map(({ act, actor_kind: kind }) => [act, kind]),
    [
      ['user.accept', 'user'],
      ['session.create', 'user'],
      ['user.invite', 'user'],
    ],
  )
})

// Proves the roles of tenants: shipped ones stay, own ones are made of what their maker holds, and
// what names a role follows its changes on every node.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { openSecondNode, type SecondNode } from '../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../test/wait.ts'
import { ROLE_NAMES, ROLE_SCOPES, SCOPES } from '../../vocabulary/scopes.ts'

const ROLES = '/beta/admin/roles'
const TOKENS = '/beta/admin/tokens'
const USERS = '/beta/admin/users'

let app: TestApp
let other: SecondNode
let operator: string
/** May hand out some rights of the tenant `north`. */
let north: string
before(async () => {
  app = await openTestApp()
  other = await openSecondNode(app)
  operator = await app.createToken()
  await app.createTenant('north')
  north = await app.createToken({
    tenantId: 'north',
    scopes: ['users:manage', 'tokens:manage', 'cases:read', 'cases:write'],
  })
})
after(async () => {
  await other.close()
  await app.close()
})

async function createRole(token: string, json: object) {
  return await app.send('POST', ROLES, { token, json })
}

const inviteBy = (token: string, email: string, roles: readonly string[]) =>
  app.send('POST', USERS, { token, json: { email, name: 'Guest', roles } })

const giveRole = (id: string, role: string) =>
  app.send('PATCH', `${USERS}/${id}`, { token: north, json: { roles: [role] } })

test('the list has the shipped roles with their scopes, then those of the tenant', async () => {
  const made = await createRole(north, {
    name: 'reader',
    description: 'Looks on.',
    scopes: ['cases:read', 'cases:read'],
  })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.json().scopes, ['cases:read'])
  const { items, next_cursor: cursor } = (await app.send('GET', ROLES, { token: north })).json()
  assert.equal(cursor, '')
  assert.deepEqual(
    items.map((role: { name: string }) => role.name),
    [...ROLE_NAMES, 'reader'],
  )
  assert.deepEqual(items[0].scopes, ROLE_SCOPES.viewer)
  assert.deepEqual(
    [items[0].is_shipped, items[0].created_at, items.at(-1).is_shipped],
    [true, null, false],
  )
  const one = await app.send('GET', `${ROLES}/reader`, { token: north })
  assert.deepEqual(one.json(), made.json())
  assert.equal((await app.send('GET', `${ROLES}/auditor`, { token: north })).status, 200)
  assert.equal((await app.send('GET', `${ROLES}/nobody`, { token: north })).status, 404)
})

test('404 for a role of another tenant; the operator names the tenant, others may not', async () => {
  await createRole(north, { name: 'of-north', scopes: ['cases:read'] })
  assert.equal((await app.send('GET', `${ROLES}/of-north`, { token: operator })).status, 404)
  const named = await app.send('GET', `${ROLES}/of-north?tenant_id=north`, { token: operator })
  assert.equal(named.status, 200)
  for (const tenant of ['default', 'nowhere']) {
    const answer = await app.send('GET', `${ROLES}?tenant_id=${tenant}`, { token: north })
    assert.deepEqual([answer.status, answer.json().code], [403, 'APP_GRANT_NOT_HELD'])
  }
  const absent = await app.send('POST', `${ROLES}?tenant_id=nowhere`, {
    token: operator,
    json: { name: 'x', scopes: ['cases:read'] },
  })
  assert.deepEqual([absent.status, absent.json().code], [404, 'APP_TENANT_NOT_FOUND'])
})

test('403 for a scope that the maker lacks, at creation and at a change', async () => {
  const json = { name: 'greater', scopes: ['cases:read', 'events:raw'] }
  const refused = await createRole(north, json)
  assert.deepEqual([refused.status, refused.json().code], [403, 'APP_GRANT_NOT_HELD'])
  await createRole(north, { name: 'grows', scopes: ['cases:read'] })
  const path = `${ROLES}/grows`
  const grown = await app.send('PATCH', path, {
    token: north,
    json: { scopes: ['instance:admin'] },
  })
  assert.equal(grown.status, 403)
  await app.send('PATCH', `${path}?tenant_id=north`, {
    token: operator,
    json: { scopes: ['events:raw'] },
  })
  // A role of a greater maker is not theirs to cut.
  for (const answer of [
    await app.send('PATCH', path, { token: north, json: { scopes: ['cases:read'] } }),
    await app.send('DELETE', path, { token: north }),
  ]) {
    assert.equal(answer.status, 403)
  }
})

test('409 for a name that is taken or shipped; shipped roles are neither changed nor deleted', async () => {
  const json = { name: 'twice', scopes: ['cases:read'] }
  assert.equal((await createRole(north, json)).status, 201)
  assert.equal((await createRole(north, json)).json().code, 'APP_ROLE_TAKEN')
  const shipped = [
    await createRole(north, { ...json, name: 'viewer' }),
    await app.send('PATCH', `${ROLES}/viewer`, { token: north, json: { description: 'x' } }),
    await app.send('DELETE', `${ROLES}/viewer`, { token: north }),
  ]
  for (const answer of shipped) {
    assert.deepEqual([answer.status, answer.json().code], [409, 'APP_ROLE_IS_SHIPPED'])
  }
})

for (const json of [
  { name: 'Big', scopes: ['cases:read'] },
  { name: 'a b', scopes: ['cases:read'] },
  { name: 'x', scopes: [] },
  { name: 'x', scopes: ['cases:fly'] },
  { name: 'x' },
  { name: 'x', scopes: ['cases:read'], is_shipped: true },
]) {
  test(`400 for the role ${JSON.stringify(json)}`, async () => {
    const answer = await createRole(operator, json)
    assert.equal(answer.status, 400)
  })
}

test('400 with the place of a scope that is none', async () => {
  const answer = await createRole(operator, { name: 'x', scopes: ['cases:read', 'cases:fly'] })
  assert.deepEqual(
    [answer.status, answer.json().code, answer.json().errors[0].path],
    [400, 'APP_ROLE_NOT_VALID', '/scopes/1'],
  )
})

test('404 for what is no role, 400 for a change of nothing', async () => {
  const path = `${ROLES}/nobody`
  const json = { description: 'x' }
  assert.equal((await app.send('PATCH', path, { token: operator, json })).status, 404)
  assert.equal((await app.send('DELETE', path, { token: operator })).status, 404)
  await createRole(operator, { name: 'still', scopes: ['cases:read'] })
  const empty = await app.send('PATCH', `${ROLES}/still`, { token: operator, json: {} })
  assert.equal(empty.status, 400)
})

test('a token with a role follows its change at once here and within a second on another node', async () => {
  await createRole(north, { name: 'changing', scopes: ['cases:read'] })
  const made = await app.send('POST', TOKENS, {
    token: north,
    json: { name: 'x', roles: ['changing'] },
  })
  assert.equal(made.status, 201, made.text)
  const { token } = made.json()
  assert.deepEqual([made.json().roles, made.json().scopes], [['changing'], ['cases:read']])
  const cases = '/beta/casework/cases'
  const comment = async () =>
    (await app.send('PATCH', `${cases}/C-1`, { token, json: { severity: 'low' } })).status
  assert.equal((await app.send('GET', cases, { token })).status, 200)
  assert.equal(await comment(), 403)
  await other.services.tokens.refresh()
  const scopes = ['cases:write']
  const change = await app.send('PATCH', `${ROLES}/changing`, { token: north, json: { scopes } })
  assert.equal(change.status, 200)
  assert.equal((await app.send('GET', cases, { token })).status, 403)
  assert.equal(await comment(), 404)
  await waitUntil(() => other.services.tokens.findCaller(token)?.scopes.has('cases:write') === true)
  assert.equal(other.services.tokens.findCaller(token)?.scopes.has('cases:read'), false)
  const listed = (await app.send('GET', TOKENS, { token: north })).json().items[0]
  assert.deepEqual([listed.roles, listed.scopes], [['changing'], ['cases:write']])
})

test('403 for a token with a role that grants more than its maker has, 400 for one of no tenant', async () => {
  for (const roles of [['viewer'], ['instance-admin']]) {
    const answer = await app.send('POST', TOKENS, { token: north, json: { name: 'x', roles } })
    assert.deepEqual([answer.status, answer.json().code], [403, 'APP_GRANT_NOT_HELD'])
  }
  await createRole(operator, { name: 'of-default', scopes: ['cases:read'] })
  const foreign = { name: 'x', roles: ['of-default'] }
  const answer = await app.send('POST', TOKENS, { token: north, json: foreign })
  assert.deepEqual([answer.status, answer.json().errors[0].path], [400, '/roles'])
})

test('409 for deleting a role that a live token names, 204 once it is revoked', async () => {
  await createRole(north, { name: 'used', scopes: ['cases:read'] })
  const json = { name: 'x', roles: ['used'] }
  const { id } = (await app.send('POST', TOKENS, { token: north, json })).json()
  const path = `${ROLES}/used`
  const refused = await app.send('DELETE', path, { token: north })
  assert.deepEqual([refused.status, refused.json().code], [409, 'APP_ROLE_IN_USE'])
  await app.send('DELETE', `${TOKENS}/${id}`, { token: north })
  assert.equal((await app.send('DELETE', path, { token: north })).status, 204)
  assert.equal((await app.send('GET', path, { token: north })).status, 404)
  const again = await app.send('POST', TOKENS, { token: north, json })
  assert.equal(again.status, 400)
})

test('409 for deleting a role that a user names, invited or not, 204 once no one does', async () => {
  await createRole(north, { name: 'of-users', scopes: ['cases:read'] })
  const json = { email: 'guest@north.example', name: 'Guest', roles: ['of-users'] }
  const invited = await app.send('POST', '/beta/admin/users', { token: north, json })
  assert.equal(invited.status, 201, invited.text)
  const path = `${ROLES}/of-users`
  const refused = await app.send('DELETE', path, { token: north })
  assert.deepEqual([refused.status, refused.json().code], [409, 'APP_ROLE_IN_USE'])
  await app.send('DELETE', `/beta/admin/users/${invited.json().id}`, { token: north })
  assert.equal((await app.send('DELETE', path, { token: north })).status, 204)
})

test('a creation and a deletion of its role at once leave no token with a role that is gone', async () => {
  for (let round = 0; round < 10; round += 1) {
    await createRole(north, { name: 'raced', scopes: ['cases:read'] })
    const json = { name: 'x', roles: ['raced'] }
    const [made, gone] = await Promise.all([
      app.send('POST', TOKENS, { token: north, json }),
      app.send('DELETE', `${ROLES}/raced`, { token: north }),
    ])
    assert.notDeepEqual([made.status, gone.status], [201, 204])
    if (made.status === 201) {
      await app.send('DELETE', `${TOKENS}/${made.json().id}`, { token: north })
      await app.send('DELETE', `${ROLES}/raced`, { token: north })
    }
  }
})

test('400 for a person who is to get a role that was deleted', async () => {
  await createRole(north, { name: 'deleted', scopes: ['cases:read'] })
  const person = await inviteBy(north, 'late@north.example', [])
  const deletion = await app.send('DELETE', `${ROLES}/deleted`, { token: north })
  assert.equal(deletion.status, 204)
  const changed = await giveRole(person.json().id, 'deleted')
  const invited = await inviteBy(north, 'later@north.example', ['deleted'])
  for (const answer of [changed, invited]) {
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(
      [answer.json().code, answer.json().errors[0].path],
      ['APP_USER_NOT_VALID', '/roles/0'],
    )
  }
})

test('a deletion of a role at once with an invitation to it, or a change to it, leaves no person with a role that is gone', async () => {
  const { id } = (await inviteBy(north, 'raced@north.example', [])).json()
  for (let round = 0; round < 10; round += 1) {
    await createRole(north, { name: 'raced', scopes: ['cases:read'] })
    const [gone, changed, invited] = await Promise.all([
      app.send('DELETE', `${ROLES}/raced`, { token: north }),
      giveRole(id, 'raced'),
      inviteBy(north, `raced-${round}@north.example`, ['raced']),
    ])
    const isHeld = changed.status === 200 || invited.status === 201
    assert.equal(gone.status, isHeld ? 409 : 204, `${changed.text} ${invited.text}`)
    if (!isHeld) continue
    await app.send('PATCH', `${USERS}/${id}`, { token: north, json: { roles: [] } })
    if (invited.status === 201) {
      await app.send('DELETE', `${USERS}/${invited.json().id}`, { token: north })
    }
    assert.equal((await app.send('DELETE', `${ROLES}/raced`, { token: north })).status, 204)
  }
})

test('a token that administers the instance by its role counts as its administrator', async () => {
  const alone = await openTestApp()
  try {
    const administrator = await alone.createToken()
    const { token_id: id } = (
      await alone.send('GET', '/beta/whoami', { token: administrator })
    ).json()
    const json = { name: 'second', roles: ['instance-admin'] }
    const second = await alone.send('POST', TOKENS, { token: administrator, json })
    const gone = await alone.send('DELETE', `${TOKENS}/${id}`, { token: second.json().token })
    assert.equal(gone.status, 204)
    const last = await alone.send('DELETE', `${TOKENS}/${second.json().id}`, {
      token: second.json().token,
    })
    assert.equal(last.json().code, 'APP_LAST_ADMINISTRATOR_TOKEN')
  } finally {
    await alone.close()
  }
})

test('409 for the 101st role of a tenant', async () => {
  await app.createTenant('full')
  await app.services.foundation.database.pool.query(`
    insert into role (tenant_id, name, scopes, changed_serial)
    select 'full', 'role-' || n, '{cases:read}', 0 from generate_series(1, 100) as n`)
  const answer = await app.send('POST', `${ROLES}?tenant_id=full`, {
    token: operator,
    json: { name: 'more', scopes: ['cases:read'] },
  })
  assert.deepEqual([answer.status, answer.json().code], [409, 'APP_ROLES_TOO_MANY'])
})

test('each change of a role is an entry of the audit log', async () => {
  const json = { name: 'noted', scopes: ['cases:read'] }
  await createRole(north, json)
  await app.send('PATCH', `${ROLES}/noted`, { token: north, json: { scopes: ['cases:write'] } })
  await app.send('DELETE', `${ROLES}/noted`, { token: north })
  const { rows } = await app.services.foundation.database.pool.query(
    `select act from audit_entry where tenant_id = 'north' and object_id = 'noted' order by seq`,
  )
  assert.deepEqual(
    rows.map(({ act }) => act),
    ['role.create', 'role.change', 'role.delete'],
  )
})

test('a tenant administrator reads the audit log of the tenant and hands that on, and no other role of a desk does', async () => {
  await app.createTenant('audited')
  const admin = await app.createToken({ tenantId: 'audited', scopes: ROLE_SCOPES['tenant-admin'] })
  const log = await app.send('GET', '/beta/admin/audit', { token: admin })
  assert.equal(log.status, 200, log.text)
  const foreign = await app.send('GET', '/beta/admin/audit?tenant_id=default', { token: admin })
  assert.equal(foreign.status, 404)
  for (const json of [
    { name: 'reviser', roles: ['auditor'] },
    { name: 'reader', scopes: ['audit:read'] },
  ]) {
    const made = await app.send('POST', TOKENS, { token: admin, json })
    assert.equal(made.status, 201, made.text)
    const answer = await app.send('GET', '/beta/admin/audit', { token: made.json().token })
    assert.equal(answer.status, 200)
  }
  for (const role of ['viewer', 'agent', 'lead', 'playbook-author'] as const) {
    const token = await app.createToken({ tenantId: 'audited', scopes: ROLE_SCOPES[role] })
    assert.equal((await app.send('GET', '/beta/admin/audit', { token })).status, 403, role)
  }
})

test('agents and leads push events of a complaint by phone, viewers do not', async () => {
  for (const [role, status] of [
    ['agent', 201],
    ['lead', 201],
    ['tenant-admin', 201],
    ['viewer', 403],
    ['playbook-author', 403],
  ] as const) {
    const token = await app.createToken({ tenantId: 'north', scopes: ROLE_SCOPES[role] })
    const json = {
      event_type: 'Phishing',
      domain: `${role}.example`,
      event_date: '2026-06-01T10:00:00Z',
      sender_email: 'caller@example.com',
    }
    const answer = await app.send('POST', '/beta/casework/events', { token, json })
    assert.equal(answer.status, status, `${role} ${answer.text}`)
  }
})

test('a scope stands once in the list of scopes and once in each role', () => {
  for (const scopes of [SCOPES, ...Object.values(ROLE_SCOPES)]) {
    assert.equal(new Set<string>(scopes).size, scopes.length)
  }
})

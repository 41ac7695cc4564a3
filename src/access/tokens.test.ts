// Proves the administration of tokens, tenants and the answer to "who am I", over the real router
// and database.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { compose } from '../app/compose.ts'
import { hashToken, hasTokenShape } from './token-text.ts'

const DAY_MS = 86_400_000
const TOKENS = '/beta/admin/tokens'
const TENANTS = '/beta/admin/tenants'

let app: TestApp
/** Every scope, tenant `default`. */
let operator: string
/** The administrator of the tenant `north`, without instance:admin. */
let north: string

before(async () => {
  app = await openTestApp()
  operator = await app.createToken()
  await app.createTenant('north')
  north = await app.createToken({
    tenantId: 'north',
    scopes: ['tokens:manage', 'cases:read', 'tenant:admin'],
  })
})
after(() => app.close())

async function create(token: string, json: object) {
  return await app.send('POST', TOKENS, { token, json: { name: 'test', ...json } })
}

test('201 with the secret once, 90 days of life, the tenant of the caller', async () => {
  const answer = await create(north, { scopes: ['cases:read', 'cases:read'] })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['cache-control'], 'no-store')
  const { token, ...shown } = answer.json()
  assert(hasTokenShape(token))
  assert.match(token, /^cw_api_/)
  assert.deepEqual([shown.tenant_id, shown.scopes, shown.state], ['north', ['cases:read'], 'live'])
  const lifeMs = Date.parse(shown.expires_at) - Date.parse(shown.created_at)
  assert(Math.abs(lifeMs - 90 * DAY_MS) < DAY_MS)
  assert.equal((await app.send('GET', '/beta/whoami', { token })).json().token_id, shown.id)
  const listed = await app.send('GET', TOKENS, { token: operator })
  assert(listed.json().items.some((item: { id: string }) => item.id === shown.id))
  assert(!listed.text.includes(token))
})

test('201 with an expiry of choice, or none', async () => {
  const expiresAt = new Date(Date.now() + DAY_MS).toISOString()
  const chosen = await create(operator, { scopes: ['ops:read'], expires_at: expiresAt })
  assert.equal(chosen.json().expires_at, expiresAt)
  const lasting = await create(operator, { scopes: ['instance:admin'], expires_at: null })
  assert.equal(lasting.json().expires_at, null)
  assert.match(lasting.json().token, /^cw_admin_/)
})

const REFUSED: readonly [string, object][] = [
  ['/scopes/0', { scopes: ['cases:fly'] }],
  ['/scopes', { scopes: [] }],
  ['/scopes', {}],
  ['/scopes', { scopes: 'cases:read' }],
  ['/expires_at', { scopes: ['cases:read'], expires_at: '2001-01-01T00:00:00Z' }],
  ['/expires_at', { scopes: ['cases:read'], expires_at: 'tomorrow' }],
  ['/expires_at', { scopes: ['cases:read'], expires_at: '2999-02-30' }],
  ['/contact_email', { scopes: ['cases:read'], contact_email: 'nobody' }],
  ['/tenant_id', { scopes: ['cases:read'], tenant_id: 'nowhere' }],
  ['/is_bootstrap', { scopes: ['cases:read'], is_bootstrap: true }],
  ['/id', { scopes: ['cases:read'], id: 'tok_mine' }],
  ['/name', { scopes: ['cases:read'], name: '' }],
]

for (const [path, json] of REFUSED) {
  test(`400 at ${path} for ${JSON.stringify(json)}`, async () => {
    const answer = await create(operator, json)
    assert.equal(answer.status, 400)
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    assert(
      answer.json().errors.some((error: { path: string }) => error.path === path),
      answer.text,
    )
  })
}

test('403 for a scope that the caller does not hold', async () => {
  for (const scopes of [['instance:admin'], ['cases:read', 'ops:read']]) {
    const answer = await create(north, { scopes })
    assert.deepEqual([answer.status, answer.json().code], [403, 'APP_GRANT_NOT_HELD'])
  }
})

test('403 for another tenant without instance:admin, alike whether it exists or not', async () => {
  const answers = []
  for (const tenantId of ['default', 'nowhere']) {
    const answer = await create(north, { scopes: ['cases:read'], tenant_id: tenantId })
    assert.equal(answer.status, 403)
    answers.push({ ...answer.json(), request_id: '' })
  }
  assert.deepEqual(answers[0], answers[1])
  const granted = await create(operator, { scopes: ['cases:read'], tenant_id: 'north' })
  assert.equal(granted.json().tenant_id, 'north')
})

test('403 without tokens:manage and 401 without a token, on every route of tokens', async () => {
  const viewer = await app.createToken({ scopes: ['cases:read', 'intel:read'] })
  for (const [method, path] of [
    ['GET', TOKENS],
    ['POST', TOKENS],
    ['DELETE', `${TOKENS}/tok_x`],
  ] as const) {
    assert.equal((await app.send(method, path, { token: viewer })).status, 403)
    assert.equal((await app.send(method, path)).status, 401)
  }
})

test('204 revokes at once here, and within a second on another instance', async () => {
  const { id, token } = (await create(operator, { scopes: ['cases:read'] })).json()
  const { config, log } = app.services.foundation
  const other = await compose({ config, connection: app.connection, log })
  try {
    assert.notEqual(other.tokens.findCaller(token), null)
    const revoked = await app.send('DELETE', `${TOKENS}/${id}`, { token: operator })
    assert.deepEqual([revoked.status, revoked.text], [204, ''])
    assert.equal((await app.send('GET', '/beta/whoami', { token })).status, 401)
    // The other instance polls twice a second; the bound only ends a test that would fail.
    for (let i = 0; i < 500 && other.tokens.findCaller(token) !== null; i += 1) {
      await delay(10)
    }
    assert.equal(other.tokens.findCaller(token), null)
  } finally {
    await other.close()
  }
  assert.equal((await app.send('DELETE', `${TOKENS}/${id}`, { token: operator })).status, 404)
  const listed = (await app.send('GET', TOKENS, { token: operator })).json()
  const state = listed.items.find((item: { id: string }) => item.id === id)?.state
  assert.equal(state, 'revoked')
})

test('404 for a token of another tenant, alike to one that does not exist', async () => {
  const foreign = (await create(operator, { scopes: ['cases:read'] })).json()
  const answers = []
  for (const id of [foreign.id, 'tok_nothing']) {
    const answer = await app.send('DELETE', `${TOKENS}/${id}`, { token: north })
    assert.equal(answer.status, 404)
    answers.push({ ...answer.json(), request_id: '' })
  }
  assert.deepEqual(answers[0], answers[1])
  assert.equal((await app.send('GET', '/beta/whoami', { token: foreign.token })).status, 200)
})

test('403 for revoking a token that may do more than the caller', async () => {
  const greater = (
    await create(operator, { scopes: ['instance:admin'], tenant_id: 'north' })
  ).json()
  const answer = await app.send('DELETE', `${TOKENS}/${greater.id}`, { token: north })
  assert.equal(answer.status, 403)
  assert.equal((await app.send('GET', '/beta/whoami', { token: greater.token })).status, 200)
})

test('401 for a token past its expiry, by the clock of the node', async () => {
  let nowMs = Date.now()
  const held = await openTestApp({ clock: { nowMs: () => nowMs } })
  try {
    const administrator = await held.createToken()
    const answer = await held.send('POST', TOKENS, {
      token: administrator,
      json: {
        name: 'short',
        scopes: ['cases:read'],
        expires_at: new Date(nowMs + 60_000).toISOString(),
      },
    })
    const { id, token } = answer.json()
    assert.equal((await held.send('GET', '/beta/whoami', { token })).status, 200)
    nowMs += 60_000
    assert.equal((await held.send('GET', '/beta/whoami', { token })).status, 401)
    const { items } = (await held.send('GET', TOKENS, { token: administrator })).json()
    const state = items.find((item: { id: string }) => item.id === id)?.state
    assert.equal(state, 'expired')
  } finally {
    await held.close()
  }
})

test('the list is of the own tenant, walks in pages, and the operator sees all', async () => {
  const seen: string[] = []
  let cursor = ''
  do {
    const query = cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`
    const page = (await app.send('GET', `${TOKENS}${query}`, { token: north })).json()
    assert(page.items.length <= 2)
    for (const item of page.items) {
      assert.equal(item.tenant_id, 'north')
      seen.push(item.id)
    }
    cursor = page.next_cursor
  } while (cursor !== '')
  assert.equal(new Set(seen).size, seen.length)
  const all = (await app.send('GET', `${TOKENS}?limit=1000`, { token: operator })).json().items
  const ofNorth = all.filter((item: { tenant_id: string }) => item.tenant_id === 'north')
  assert.deepEqual(
    seen,
    ofNorth.map((item: { id: string }) => item.id),
  )
  assert(all.length > ofNorth.length)
})

test('400 for a cursor that is forged, of another list or of another tenant', async () => {
  const page = (await app.send('GET', `${TOKENS}?limit=1`, { token: operator })).json()
  assert.notEqual(page.next_cursor, '')
  const cases: [string, string][] = [
    [`${TOKENS}?cursor=x`, operator],
    [`${TOKENS}?cursor=`, operator],
    [`${TENANTS}?cursor=${page.next_cursor}`, operator],
    [`${TOKENS}?cursor=${page.next_cursor}`, north],
    [`${TOKENS}?limit=0`, operator],
    [`${TOKENS}?state=live`, operator],
  ]
  for (const [path, token] of cases) {
    assert.equal((await app.send('GET', path, { token })).status, 400, path)
  }
})

test('the database holds the hash of a token and not the token', async () => {
  const { token } = (await create(operator, { scopes: ['cases:read'] })).json()
  const { rows } = await app.services.foundation.database.pool.query(
    'select token_hash, api_token::text as everything from api_token',
  )
  assert(rows.some((row) => hashToken(token).equals(row.token_hash)))
  assert(!rows.some((row) => row.everything.includes(token)))
})

test('201 for a tenant, 409 for its id again, 400 for an id that is no name', async () => {
  const json = { id: 'south', name: 'South' }
  const created = await app.send('POST', TENANTS, { token: operator, json })
  assert.equal(created.status, 201)
  assert.deepEqual(Object.keys(created.json()), ['id', 'name', 'settings', 'created_at'])
  const again = await app.send('POST', TENANTS, { token: operator, json })
  assert.deepEqual([again.status, again.json().code], [409, 'APP_TENANT_TAKEN'])
  for (const id of ['', 'South', 'a b', '-a', 'a-', 'a'.repeat(64), '../x']) {
    const refused = await app.send('POST', TENANTS, { token: operator, json: { id, name: 'x' } })
    assert.equal(refused.status, 400, id)
  }
})

test('the list of tenants walks in pages by id', async () => {
  const seen: string[] = []
  let query = '?limit=1'
  for (;;) {
    const page = (await app.send('GET', `${TENANTS}${query}`, { token: operator })).json()
    seen.push(...page.items.map((item: { id: string }) => item.id))
    if (page.next_cursor === '') break
    query = `?limit=1&cursor=${page.next_cursor}`
  }
  assert.deepEqual(seen, seen.toSorted())
  assert(seen.includes('default') && seen.includes('north'))
})

test('403 for tenants without instance:admin', async () => {
  assert.equal((await app.send('GET', TENANTS, { token: north })).status, 403)
  const json = { id: 'mine', name: 'Mine' }
  assert.equal((await app.send('POST', TENANTS, { token: north, json })).status, 403)
})

test('whoami tells tenant, scopes and contact of any token, and nothing without one', async () => {
  const token = await app.createToken({ tenantId: 'north', scopes: ['intel:read'] })
  const answer = await app.send('GET', '/beta/whoami', { token })
  assert.equal(answer.status, 200)
  const { token_id: tokenId, ...rest } = answer.json()
  assert.match(tokenId, /^tok_/)
  assert.deepEqual(rest, {
    credential: 'token',
    session_id: null,
    person: null,
    name: 'test',
    tenant_id: 'north',
    scopes: ['intel:read'],
    roles: [],
    networks: null,
    owner: null,
    contact_email: 'reporter@example.com',
    expires_at: null,
    limits: [],
  })
  assert.equal((await app.send('GET', '/beta/whoami')).status, 401)
})

test('whoami tells the limits that count the caller, and what they left', async () => {
  const limited = await openTestApp({ environment: { CASEWORK_TOKEN_RATE_LIMIT: '5' } })
  try {
    const token = await limited.createToken({ scopes: ['cases:read'] })
    await limited.send('GET', '/beta/casework/cases', { token })
    const { limits } = (await limited.send('GET', '/beta/whoami', { token })).json()
    const [{ reset_seconds: reset, ...rest }, ...others] = limits
    assert.deepEqual(others, [])
    assert.deepEqual(rest, { name: 'token', limit: 5, remaining: 3, window_seconds: 60 })
    assert(reset >= 1 && reset <= 60)
    const administrator = await limited.createToken()
    const free = await limited.send('GET', '/beta/whoami', { token: administrator })
    assert.deepEqual(free.json().limits, [])
  } finally {
    await limited.close()
  }
})

test('409 for the 1,001st live token of a tenant, and other tenants and the operator go on', async () => {
  await app.createTenant('full')
  const scopes = ['tokens:manage', 'cases:read'] as const
  const administrator = await app.createToken({ tenantId: 'full', scopes: [...scopes] })
  await app.services.foundation.database.pool.query(`
    insert into api_token (id, token_hash, name, tenant_id, scopes, expires_at, revoked_at)
    select 'tok_full' || n, sha256(('full' || n)::bytea), 'many', 'full', '{cases:read}',
      case n % 3 when 1 then now() - interval '1 hour' end,
      case n % 3 when 2 then now() end
    from generate_series(1, 3 * 998) as n`)
  const json = { scopes: ['cases:read'] }
  assert.equal((await create(administrator, json)).status, 201)
  // Two calls at once for the one place that is left must not both be given it.
  const refused = await create(administrator, json)
  assert.deepEqual([refused.status, refused.json().code], [409, 'APP_TOKENS_TOO_MANY'])
  assert.equal((await create(north, json)).status, 201)
  assert.equal((await create(operator, { ...json, tenant_id: 'full' })).status, 201)
  const ended = await app.send('DELETE', `${TOKENS}/tok_full3`, { token: administrator })
  assert.equal(ended.status, 204)
  const stillOver = await create(administrator, json)
  assert.equal(stillOver.status, 409, 'the token of the operator counts')
  await app.send('DELETE', `${TOKENS}/tok_full6`, { token: administrator })
  const both = await Promise.all([create(administrator, json), create(administrator, json)])
  const statuses = both.map(({ status }) => status).toSorted((one, other) => one - other)
  assert.deepEqual(statuses, [201, 409])
})

test('403 for a token that would outlive the one that makes it, also for one without an end', async () => {
  const end = new Date(Date.now() + 10 * DAY_MS).toISOString()
  const scopes = ['instance:admin', 'tokens:manage', 'cases:read']
  const ending = (await create(operator, { scopes, expires_at: end })).json().token
  const later = new Date(Date.now() + 11 * DAY_MS).toISOString()
  for (const expiresAt of [null, later]) {
    const answer = await create(ending, { scopes: ['cases:read'], expires_at: expiresAt })
    assert.deepEqual([answer.status, answer.json().code], [403, 'APP_GRANT_NOT_HELD'])
  }
  const same = await create(ending, { scopes: ['cases:read'], expires_at: end })
  assert.deepEqual([same.status, same.json().expires_at], [201, end])
  const byDefault = await create(ending, { scopes: ['cases:read'] })
  assert.equal(byDefault.json().expires_at, end, 'left out, it ends with its maker')
})

test('409 for revoking the last token that administers the instance, 204 by force', async () => {
  const alone = await openTestApp()
  try {
    const administrator = await alone.createToken()
    const { token_id: id } = (
      await alone.send('GET', '/beta/whoami', { token: administrator })
    ).json()
    // Neither an ended nor a revoked token takes its place.
    await alone.services.foundation.database.pool.query(`
      insert into api_token (id, token_hash, name, tenant_id, scopes, expires_at, revoked_at)
      values ('tok_ended', 'a', 'ended', 'default', '{instance:admin}', now() - interval '1 s', null),
        ('tok_revoked', 'b', 'revoked', 'default', '{instance:admin}', null, now())`)
    const refused = await alone.send('DELETE', `${TOKENS}/${id}`, { token: administrator })
    assert.deepEqual([refused.status, refused.json().code], [409, 'APP_LAST_ADMINISTRATOR_TOKEN'])
    assert.equal((await alone.send('GET', '/beta/whoami', { token: administrator })).status, 200)
    const second = await alone.createToken()
    const { token_id: secondId } = (
      await alone.send('GET', '/beta/whoami', { token: second })
    ).json()
    const both = await Promise.all([
      alone.send('DELETE', `${TOKENS}/${secondId}`, { token: administrator }),
      alone.send('DELETE', `${TOKENS}/${id}`, { token: second }),
    ])
    const statuses = both.map(({ status }) => status).toSorted((one, other) => one - other)
    assert.equal(statuses[0], 204)
    // The second of two that revoke each other is refused: by its token, or because it is the last.
    assert([401, 409].includes(statuses[1] ?? 0), String(statuses))
    const [left, leftId] = both[0].status === 204 ? [administrator, id] : [second, secondId]
    const forced = await alone.send('DELETE', `${TOKENS}/${leftId}?force=true`, { token: left })
    assert.equal(forced.status, 204)
  } finally {
    await alone.close()
  }
})

test('201 with the scopes of a role, and 403 when the caller lacks one of them', async () => {
  const made = await create(operator, { role: 'automation', scopes: ['intel:read'] })
  assert.deepEqual(
    [made.status, made.json().scopes],
    [201, ['cases:read', 'playbooks:read', 'playbooks:trigger', 'intel:read']],
  )
  assert.equal((await create(north, { role: 'instance-admin' })).status, 403)
  const unknown = await create(operator, { role: 'emperor' })
  assert.deepEqual([unknown.status, unknown.json().errors[0].path], [400, '/role'])
})

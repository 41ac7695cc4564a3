// Proves the rotation of a token: a new secret at once, the former one for an overlap, on every
// node, and no more than the caller may hand on.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestAnswer, type TestApp } from '../../test/harness.ts'
import { openSecondNode, type SecondNode } from '../../test/intel-fixtures.ts'
import { waitUntil } from '../../test/wait.ts'

const TOKENS = '/beta/admin/tokens'
const WHOAMI = '/beta/whoami'
const DAY_MS = 86_400_000

// Of the start of these tests: the file may be loaded minutes before, and the database has its own.
let nowMs = 0
let app: TestApp
let other: SecondNode
let operator: string
before(async () => {
  nowMs = Date.now()
  app = await openTestApp({ clock: { nowMs: () => nowMs } })
  other = await openSecondNode(app)
  operator = await app.createToken()
  await app.createTenant('north')
})
after(async () => {
  await other.close()
  await app.close()
})

async function create(json: object = {}, maker = operator) {
  const body = { name: 'test', scopes: ['cases:read'], ...json }
  const answer = await app.send('POST', TOKENS, { token: maker, json: body })
  assert.equal(answer.status, 201, answer.text)
  return answer.json()
}

async function rotate(id: string, json: object = {}, token = operator): Promise<TestAnswer> {
  return await app.send('POST', `${TOKENS}/${id}/rotate`, { token, json })
}

async function whoami(token: string): Promise<number> {
  return (await app.send('GET', WHOAMI, { token })).status
}

test('200 with a new secret for the same id; the former one is good until the overlap ends', async () => {
  const { id, token: former } = await create()
  const answer = await rotate(id, { overlap_seconds: 3_600 })
  assert.equal(answer.status, 200, answer.text)
  const { token: present, ...shown } = answer.json()
  assert.equal(shown.id, id)
  assert.notEqual(present, former)
  assert.equal(Date.parse(shown.former_until) - Date.parse(shown.rotated_at), 3_600_000)
  for (const token of [former, present]) {
    assert.equal((await app.send('GET', WHOAMI, { token })).json().token_id, id)
  }
  nowMs += 3_600_000 + 60_000
  assert.deepEqual([await whoami(former), await whoami(present)], [401, 200])
  const listed = (await app.send('GET', TOKENS, { token: operator })).json().items
  assert.equal(listed.find((one: { id: string }) => one.id === id).former_until, null)
})

test('the former secret ends at once with an overlap of 0, here and on another node', async () => {
  const { id, token: former } = await create()
  await other.services.tokens.refresh()
  assert.notEqual(other.services.tokens.findCaller(former), null)
  const { token: present } = (await rotate(id, { overlap_seconds: 0 })).json()
  assert.deepEqual([await whoami(former), await whoami(present)], [401, 200])
  await waitUntil(() => other.services.tokens.findCaller(former) === null)
  assert.equal(other.services.tokens.findCaller(present)?.tokenId, id)
})

test('two secrets are live at most: a second rotation ends the one before the former', async () => {
  const { id, token: first } = await create()
  const { token: second } = (await rotate(id)).json()
  const { token: third } = (await rotate(id)).json()
  const statuses = await Promise.all([first, second, third].map(whoami))
  assert.deepEqual(statuses, [401, 200, 200])
})

test('204 revokes both secrets', async () => {
  const { id, token: former } = await create()
  const { token: present } = (await rotate(id)).json()
  await app.send('DELETE', `${TOKENS}/${id}`, { token: operator })
  assert.deepEqual([await whoami(former), await whoami(present)], [401, 401])
  assert.equal((await rotate(id)).status, 404)
})

test('the life begins anew and lasts as long as before, or as long as asked', async () => {
  const { id } = await create({ expires_at: new Date(nowMs + 10 * DAY_MS).toISOString() })
  nowMs += 4 * DAY_MS
  const { expires_at: end } = (await rotate(id)).json()
  assert(Math.abs(Date.parse(end) - nowMs - 10 * DAY_MS) < DAY_MS)
  const chosen = new Date(nowMs + 20 * DAY_MS).toISOString()
  assert.equal((await rotate(id, { expires_at: chosen })).json().expires_at, chosen)
  const endless = await create({ expires_at: null })
  assert.equal((await rotate(endless.id)).json().expires_at, null)
})

test('the former secret never outlives its own end', async () => {
  const end = new Date(nowMs + DAY_MS).toISOString()
  const { id } = await create({ expires_at: end })
  const shown = (await rotate(id, { overlap_seconds: 604_800 })).json()
  assert.equal(shown.former_until, end)
})

test('403 for a life beyond that of the caller, whose own token a rotation does not lengthen', async () => {
  const end = new Date(nowMs + 2 * DAY_MS).toISOString()
  const scopes = ['tokens:manage', 'cases:read']
  const { id, token } = await create({ scopes, expires_at: end })
  const beyond = new Date(nowMs + 3 * DAY_MS).toISOString()
  for (const expiresAt of [beyond, null]) {
    const answer = await rotate(id, { expires_at: expiresAt }, token)
    assert.deepEqual([answer.status, answer.json().code], [403, 'APP_GRANT_NOT_HELD'])
  }
  assert.equal((await rotate(id, {}, token)).json().expires_at, end)
})

test('403 for a token that may do more than the caller, 404 for one of another tenant', async () => {
  const scopes = ['tokens:manage', 'cases:read'] as const
  const north = await app.createToken({ tenantId: 'north', scopes: [...scopes] })
  const greater = await create({ roles: ['tenant-admin'], scopes: undefined, tenant_id: 'north' })
  const refused = await rotate(greater.id, {}, north)
  assert.deepEqual([refused.status, refused.json().code], [403, 'APP_GRANT_NOT_HELD'])
  const foreign = await create()
  const answers = []
  for (const id of [foreign.id, 'tok_nothing']) {
    const answer = await rotate(id, {}, north)
    assert.equal(answer.status, 404)
    answers.push({ ...answer.json(), request_id: '' })
  }
  assert.deepEqual(answers[0], answers[1])
})

test('404 for an expired token, which does not come alive again', async () => {
  const { id } = await create({ expires_at: new Date(nowMs + DAY_MS).toISOString() })
  nowMs += 2 * DAY_MS
  assert.equal((await rotate(id)).status, 404)
})

for (const json of [
  { overlap_seconds: 604_801 },
  { overlap_seconds: -1 },
  { overlap_seconds: 1.5 },
  { expires_at: '2001-01-01T00:00:00Z' },
  { scopes: ['cases:read'] },
]) {
  test(`400 for ${JSON.stringify(json)}`, async () => {
    const { id } = await create()
    assert.equal((await rotate(id, json)).status, 400)
  })
}

test('409 for the token of CASEWORK_BOOTSTRAP_TOKEN', async () => {
  const { id } = await create()
  const { pool } = app.services.foundation.database
  await pool.query('update api_token set is_bootstrap = true where id = $1', [id])
  const answer = await rotate(id)
  assert.deepEqual([answer.status, answer.json().code], [409, 'APP_TOKEN_NOT_ROTATABLE'])
})

test('a rotation is an entry of the audit log without a secret', async () => {
  const { id } = await create()
  const { token } = (await rotate(id)).json()
  const { rows } = await app.services.foundation.database.pool.query(
    `select act, before, after from audit_entry join audit_detail using (tenant_id, seq)
     where object_id = $1 and act = 'token.rotate'`,
    [id],
  )
  assert.equal(rows.length, 1)
  assert(rows[0].after.rotated_at !== undefined)
  assert(!JSON.stringify(rows).includes(token))
})

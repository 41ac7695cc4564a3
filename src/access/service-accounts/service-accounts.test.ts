// Proves service accounts: their tokens belong to them, outlive the person who made them, and end
// with the account.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness.ts'

const ACCOUNTS = '/beta/admin/service-accounts'
const TOKENS = '/beta/admin/tokens'

let app: TestApp
let operator: string
let north: string
before(async () => {
  app = await openTestApp()
  operator = await app.createToken()
  await app.createTenant('north')
  north = await app.createToken({ tenantId: 'north', scopes: ['tokens:manage', 'cases:read'] })
})
after(() => app.close())

async function createAccount(id: string, token = north) {
  return await app.send('POST', ACCOUNTS, { token, json: { id, name: `Program ${id}` } })
}

async function createToken(json: object, token = north) {
  const body = { name: 'x', scopes: ['cases:read'], ...json }
  return await app.send('POST', TOKENS, { token, json: body })
}

async function whoami(token: string) {
  return await app.send('GET', '/beta/whoami', { token })
}

test('201, and its tokens name it; tokens that these make are its own as well', async () => {
  const made = await createAccount('gateway')
  assert.equal(made.status, 201, made.text)
  assert.deepEqual([made.json().tenant_id, made.json().live_tokens], ['north', 0])
  const scopes = ['cases:read', 'tokens:manage']
  const first = await createToken({ service_account_id: 'gateway', scopes })
  const owner = { kind: 'service_account', id: 'gateway' }
  assert.deepEqual(first.json().owner, owner)
  const second = await createToken({}, first.json().token)
  assert.deepEqual(second.json().owner, owner)
  assert.deepEqual((await whoami(second.json().token)).json().owner, owner)
  const one = await app.send('GET', `${ACCOUNTS}/gateway`, { token: north })
  assert.equal(one.json().live_tokens, 2)
})

test('204 deletes it and revokes its tokens, and no other', async () => {
  await createAccount('leaves')
  const own = (await createToken({ service_account_id: 'leaves' })).json().token
  const free = (await createToken({})).json().token
  const path = `${ACCOUNTS}/leaves`
  assert.equal((await app.send('DELETE', path, { token: north })).status, 204)
  assert.deepEqual([(await whoami(own)).status, (await whoami(free)).status], [401, 200])
  assert.equal((await app.send('GET', path, { token: north })).status, 404)
  const again = await createToken({ service_account_id: 'leaves' })
  assert.deepEqual([again.status, again.json().errors[0].path], [400, '/service_account_id'])
})

test('403 for deleting one whose tokens may do more than the caller', async () => {
  await createAccount('mighty')
  const greater = { service_account_id: 'mighty', scopes: ['events:raw'], tenant_id: 'north' }
  const { token } = (await createToken(greater, operator)).json()
  const answer = await app.send('DELETE', `${ACCOUNTS}/mighty`, { token: north })
  assert.deepEqual([answer.status, answer.json().code], [403, 'APP_GRANT_NOT_HELD'])
  assert.equal((await whoami(token)).status, 200)
})

test('the name changes, the id stays; the list walks in pages by id', async () => {
  for (const id of ['p1', 'p2', 'p3']) await createAccount(id)
  const renamed = await app.send('PATCH', `${ACCOUNTS}/p2`, {
    token: north,
    json: { name: 'Second' },
  })
  assert.deepEqual([renamed.status, renamed.json().name, renamed.json().id], [200, 'Second', 'p2'])
  const seen: string[] = []
  let query = '?limit=1'
  for (;;) {
    const page = (await app.send('GET', `${ACCOUNTS}${query}`, { token: north })).json()
    seen.push(...page.items.map((item: { id: string }) => item.id))
    if (page.next_cursor === '') break
    query = `?limit=1&cursor=${page.next_cursor}`
  }
  assert.deepEqual(seen, seen.toSorted())
  for (const id of ['p1', 'p2', 'p3']) assert(seen.includes(id))
})

test('404 for one of another tenant in every way, alike to one that does not exist', async () => {
  await createAccount('hidden')
  const json = { name: 'x' }
  for (const id of ['hidden', 'nothing']) {
    const path = `${ACCOUNTS}/${id}`
    assert.equal((await app.send('GET', path, { token: operator })).status, 404)
    assert.equal((await app.send('PATCH', path, { token: operator, json })).status, 404)
    assert.equal((await app.send('DELETE', path, { token: operator })).status, 404)
    const token = await createToken({ service_account_id: id }, operator)
    assert.equal(token.status, 400)
  }
  const named = await app.send('GET', `${ACCOUNTS}/hidden?tenant_id=north`, { token: operator })
  assert.equal(named.status, 200)
  const absent = `${ACCOUNTS}?tenant_id=nowhere`
  const made = await app.send('POST', absent, { token: operator, json: { id: 'x', name: 'x' } })
  assert.deepEqual([made.status, made.json().code], [404, 'APP_TENANT_NOT_FOUND'])
})

test('409 for an id that is taken, 400 for one that is no name', async () => {
  await createAccount('taken')
  const again = await createAccount('taken')
  assert.deepEqual([again.status, again.json().code], [409, 'APP_SERVICE_ACCOUNT_TAKEN'])
  for (const id of ['', 'A', 'a b', '-a', 'a-', 'a'.repeat(64)]) {
    assert.equal((await createAccount(id)).status, 400, id)
  }
})

test('409 for the 1,001st service account of a tenant', async () => {
  await app.createTenant('full')
  await app.services.foundation.database.pool.query(`
    insert into service_account (tenant_id, id, name)
    select 'full', 'sa-' || n, 'x' from generate_series(1, 1000) as n`)
  const answer = await app.send('POST', `${ACCOUNTS}?tenant_id=full`, {
    token: operator,
    json: { id: 'more', name: 'More' },
  })
  assert.deepEqual([answer.status, answer.json().code], [409, 'APP_SERVICE_ACCOUNTS_TOO_MANY'])
})

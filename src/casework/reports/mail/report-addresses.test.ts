// Addresses for report mail: assigned to tenants, listed and removed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'

const PATH = '/beta/admin/report-addresses'
const PROBLEM = { accept: 'application/problem+json' }

const app = withApp({}, async () => {
  await app.createTenant('other')
})

function put(address: string, tenantId: string): Promise<TestAnswer> {
  const path = `${PATH}/${encodeURIComponent(address)}`
  return app.send('PUT', path, {
    token: app.token,
    json: { tenant_id: tenantId },
    headers: PROBLEM,
  })
}

test('an address and a domain are given, given anew, listed page by page and taken back', async () => {
  const given = await put('Abuse@MÜLLER.example', 'default')
  assert.deepEqual(
    [given.status, given.json()],
    [200, { address: 'abuse@xn--mller-kva.example', tenant_id: 'default', trap: false }],
  )
  assert.equal((await put('*@example.org', 'default')).status, 200)
  assert.equal((await put('*@example.org', 'other')).json().tenant_id, 'other')
  const first = (await app.send('GET', `${PATH}?limit=1`, { token: app.token })).json()
  assert.deepEqual(first.items, [{ address: '*@example.org', tenant_id: 'other', trap: false }])
  const rest = (
    await app.send('GET', `${PATH}?cursor=${first.next_cursor}`, { token: app.token })
  ).json()
  assert.deepEqual([rest.items.length, rest.next_cursor], [1, ''])
  const path = `${PATH}/${encodeURIComponent('*@EXAMPLE.org')}`
  assert.equal((await app.send('DELETE', path, { token: app.token })).status, 204)
  const gone = await app.send('DELETE', path, { token: app.token, headers: PROBLEM })
  assert.deepEqual([gone.status, gone.json().code], [404, 'APP_REPORT_ADDRESS_NOT_FOUND'])
})

test('400 APP_REPORT_ADDRESS_NOT_VALID for what is no address and for a tenant that is not there', async () => {
  for (const [address, tenantId] of [
    ['example.org', 'default'],
    ['abuse@', 'default'],
    ['abuse@example.org', 'absent'],
  ] as const) {
    const answer = await put(address, tenantId)
    assert.deepEqual([answer.status, answer.json().code], [400, 'APP_REPORT_ADDRESS_NOT_VALID'])
  }
})

test('403 for the administrator of a tenant: an address is not of one tenant’s making', async () => {
  const admin = await app.createToken({ scopes: ['tenant:admin', 'tokens:manage'] })
  assert.equal((await app.send('GET', PATH, { token: admin })).status, 403)
})

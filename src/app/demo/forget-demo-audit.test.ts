// The function of the database that takes the audit log of a demo away (migration 0098), and who
// may bring it to forget something else.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { query } from '../../../test/query.ts'

const app = withApp()

async function countEntries(tenantId: string): Promise<number> {
  const statement = 'select count(*)::integer as count from audit_entry where tenant_id = $1'
  const [row] = await query(app.connection, statement, [tenantId])
  return Number(row?.['count'])
}

/** A tenant with an entry in its log. */
async function createLogged(tenantId: string): Promise<string> {
  await app.createTenant(tenantId)
  const token = await app.createToken({ tenantId })
  const json = { name: 'reads', scopes: ['cases:read'] }
  const made = await app.send('POST', '/beta/admin/tokens', { token, json })
  assert.equal(made.status, 201, made.text)
  assert.ok((await countEntries(tenantId)) > 0)
  return token
}

test('the log of a demo tenant is forgotten, and that of no other one', async () => {
  await createLogged('made-up')
  await createLogged('beside')
  const beside = await countEntries('beside')
  await query(app.connection, `update tenant set is_demo = true where id = 'made-up'`)
  await assert.rejects(
    query(app.connection, `select forget_demo_audit('beside')`),
    /beside is no tenant of the demo/,
  )
  await query(app.connection, `select forget_demo_audit('made-up')`)
  assert.deepEqual([await countEntries('made-up'), await countEntries('beside')], [0, beside])
  // In the same transaction nothing else may be deleted afterwards.
  await assert.rejects(
    query(
      app.connection,
      `do $$ begin perform forget_demo_audit('made-up'); delete from audit_entry where tenant_id = 'beside'; end $$`,
    ),
  )
  assert.equal(await countEntries('beside'), beside)
})

test('no request makes a tenant one of the demo', async () => {
  const token = await createLogged('wishful')
  const instance = await app.createToken()
  for (const json of [{ is_demo: true }, { demo: true }, { settings: { is_demo: true } }]) {
    const changed = await app.send('PATCH', '/beta/admin/tenants/wishful', { token, json })
    assert.equal(changed.status, 400, changed.text)
    const made = await app.send('POST', '/beta/admin/tenants', {
      token: instance,
      json: { id: 'another', name: 'Another', ...json },
    })
    assert.equal(made.status, 400, made.text)
  }
  const marked = await query(app.connection, 'select id from tenant where is_demo')
  assert.deepEqual(
    marked.filter(({ id }) => id !== 'made-up'),
    [],
  )
})

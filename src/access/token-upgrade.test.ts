// Proves that tokens keep their rights when a migration gives a right a scope of its own.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pool } from 'pg'
import { ROWS_OF_ALL_TENANTS } from '../../test/harness.ts'
import { createEmptyDatabase } from '../../test/query.ts'
import { migrate, readMigrations } from '../kernel/db/migrate.ts'

const SPLIT = '-scope-of-rules.sql'

test('what could write case groups before it had a scope of its own still can', async (t) => {
  const pool = new Pool({
    ...(await createEmptyDatabase(t)),
    options: ROWS_OF_ALL_TENANTS,
    max: 2,
  })
  try {
    const migrations = readMigrations('migrations')
    const at = migrations.findIndex(({ name }) => name.endsWith(SPLIT))
    assert(at > 0)
    await migrate(pool, migrations.slice(0, at))
    await pool.query(`
      insert into api_token (id, token_hash, name, tenant_id, scopes, revoked_at) values
        ('admin', 'a', '', 'default', '{cases:read,playbooks:activate}', null),
        ('agent', 'b', '', 'default', '{cases:read}', null),
        ('gone', 'c', '', 'default', '{playbooks:activate}', now())`)
    await migrate(pool, migrations)
    const { rows } = await pool.query('select id, scopes from api_token order by id')
    assert.deepEqual(rows, [
      { id: 'admin', scopes: ['cases:read', 'playbooks:activate', 'rules:write'] },
      { id: 'agent', scopes: ['cases:read'] },
      { id: 'gone', scopes: ['playbooks:activate'] },
    ])
  } finally {
    await pool.end()
  }
})

test('what could send notices, keep webhooks and administer a tenant still can', async (t) => {
  const pool = new Pool({
    ...(await createEmptyDatabase(t)),
    options: ROWS_OF_ALL_TENANTS,
    max: 2,
  })
  try {
    const migrations = readMigrations('migrations')
    const at = migrations.findIndex(({ name }) =>
      name.endsWith('-scopes-of-notices-webhooks-people.sql'),
    )
    assert(at > 0)
    await migrate(pool, migrations.slice(0, at))
    await pool.query(`
      insert into api_token (id, token_hash, name, tenant_id, scopes) values
        ('admin', 'a', '', 'default', '{tenant:admin}'),
        ('agent', 'b', '', 'default', '{cases:write}'),
        ('viewer', 'c', '', 'default', '{cases:read}')`)
    await migrate(pool, migrations)
    const { rows } = await pool.query('select id, scopes from api_token order by id')
    assert.deepEqual(rows, [
      { id: 'admin', scopes: ['tenant:admin', 'webhooks:manage', 'users:manage'] },
      { id: 'agent', scopes: ['cases:write', 'notices:send'] },
      { id: 'viewer', scopes: ['cases:read'] },
    ])
  } finally {
    await pool.end()
  }
})

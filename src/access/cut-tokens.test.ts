// Proves that the tokens of a person end with the person's rights, on every node, and that others
// stay.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { openSecondNode, type SecondNode } from '../../test/intel-fixtures.ts'
import { waitUntil } from '../../test/wait.ts'
import { inTransaction } from '../kernel/db/database.ts'
import type { CallerOwner } from '../vocabulary/caller.ts'
import { insertToken } from './api-token-store.ts'
import { cutTokensOf } from './cut-tokens.ts'
import { createTokenText, hashToken } from './token-text.ts'

let app: TestApp
let other: SecondNode
before(async () => {
  app = await openTestApp()
  await app.createTenant('north')
  other = await openSecondNode(app)
})
after(async () => {
  await other.close()
  await app.close()
})

let made = 0

async function createOwned(owner: CallerOwner | null, tenantId = 'default'): Promise<string> {
  const text = createTokenText('api')
  made += 1
  await insertToken(app.services.foundation.database.kysely, {
    id: `tok_owned${made}`,
    tokenHash: hashToken(text),
    name: 'owned',
    tenantId,
    scopes: ['tokens:manage', 'cases:read'],
    owner,
    contactEmail: null,
    isBootstrap: false,
    expiresAt: null,
  })
  await app.services.tokens.refresh()
  return text
}

async function cut(userId: string, tenantId: string | null = null): Promise<number> {
  const { database, audit } = app.services.foundation
  // Nobody has asked over HTTP here, so the act names its actor by itself.
  const named: typeof audit = {
    record: (tx, act, about) =>
      audit.record(tx, act, { ...about, by: { kind: 'program', id: 'test' } }),
  }
  const count = await inTransaction(database.kysely, (tx) =>
    cutTokensOf(tx, named, userId, tenantId),
  )
  await app.services.tokens.refresh()
  return count
}

async function whoami(token: string): Promise<number> {
  return (await app.send('GET', '/beta/whoami', { token })).status
}

test('401 for every token of a person who is cut, and for tokens that these made; others stay', async () => {
  const own = await createOwned({ kind: 'user', id: 'ana' })
  const child = await app.send('POST', '/beta/admin/tokens', {
    token: own,
    json: { name: 'child', scopes: ['cases:read'] },
  })
  assert.equal(child.status, 201)
  const foreign = await createOwned({ kind: 'user', id: 'ben' })
  const account = await createOwned({ kind: 'service_account', id: 'ana' })
  const ofTenant = await createOwned(null)
  await other.services.tokens.refresh()
  assert.notEqual(other.services.tokens.findCaller(own), null)
  assert.equal(await cut('ana'), 2)
  for (const token of [own, child.json().token]) assert.equal(await whoami(token), 401)
  for (const token of [foreign, account, ofTenant]) assert.equal(await whoami(token), 200)
  await waitUntil(() => other.services.tokens.findCaller(own) === null)
  assert.notEqual(other.services.tokens.findCaller(account), null)
  assert.equal(await cut('ana'), 0, 'none is left')
})

test('a person who loses the roles of one tenant keeps the tokens of others', async () => {
  const here = await createOwned({ kind: 'user', id: 'cem' })
  const there = await createOwned({ kind: 'user', id: 'cem' }, 'north')
  assert.equal(await cut('cem', 'north'), 1)
  assert.deepEqual([await whoami(here), await whoami(there)], [200, 401])
})

test('each token that is cut is an entry of the audit log, with its owner', async () => {
  await createOwned({ kind: 'user', id: 'dora' })
  const id = `tok_owned${made}`
  await cut('dora')
  const { rows } = await app.services.foundation.database.pool.query(
    `select act, object_id, after from audit_entry
     join audit_detail using (tenant_id, seq) where object_id = $1`,
    [id],
  )
  assert.deepEqual(rows, [
    {
      act: 'token.revoke',
      object_id: id,
      after: { cut_with: { kind: 'user', id: 'dora' } },
    },
  ])
})

// The secrets of a tenant: what may be told of them, who may set them, and what stands in the
// database.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { query } from '../../../test/query.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { createSecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import {
  createSecretKeyText,
  loadSecretKeys,
  parseSecretKeys,
} from '../../kernel/secrets/secret-keys.ts'
import { findSecret, listSecretKeys, sealAgain } from './secret-store.ts'

const app = withApp()
const PATH = '/beta/casework/secrets'
const SCOPE = { tenantId: 'default' }
const CRM = { owner: 'tenant', name: 'crm' }

function put(name: string, value: unknown, token = app.token) {
  return app.send('PUT', `${PATH}/${name}`, { token, json: { value } })
}

describe('secrets', () => {
  test('are set, replaced, listed by name and deleted, and their values never shown', async () => {
    const first = await put('crm', 'open sesame')
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(Object.keys(first.json()), ['name', 'updated_at'])
    assert.equal((await put('crm', 'open barley')).status, 200)
    await put('abacus', 'x')
    const list = await app.send('GET', PATH, { token: app.token })
    assert.deepEqual(
      list.json().items.map(({ name }: { name: string }) => name),
      ['abacus', 'crm'],
    )
    assert.doesNotMatch(list.text + first.text, /sesame|barley/)
    const { kysely } = app.services.foundation.database
    const { secrets } = app.services.foundation
    assert.equal(await findSecret(kysely, secrets, SCOPE, CRM), 'open barley')
    const gone = await app.send('DELETE', `${PATH}/abacus`, { token: app.token })
    assert.equal(gone.status, 204)
  })

  test('are encrypted in the database, and a copied row opens nowhere else', async () => {
    await put('crm', 'open barley')
    const dump = await query(app.connection, `select secret::text as row from secret`)
    assert.doesNotMatch(JSON.stringify(dump), new RegExp(Buffer.from('barley').toString('hex')))
    await query(
      app.connection,
      `insert into secret (tenant_id, owner, name, key_id, sealed) select tenant_id, owner, 'copied', key_id, sealed from secret where name = 'crm'`,
    )
    const { database, secrets } = app.services.foundation
    await assert.rejects(
      findSecret(database.kysely, secrets, SCOPE, { owner: 'tenant', name: 'copied' }),
    )
    await query(app.connection, `delete from secret where name = 'copied'`)
  })

  test('of another tenant are neither seen nor deleted (CASEWORK_SECRET_NOT_FOUND)', async () => {
    await put('crm', 'x')
    await app.createTenant('foreign')
    const foreign = await app.createToken({ tenantId: 'foreign' })
    const list = await app.send('GET', PATH, { token: foreign })
    assert.deepEqual(list.json().items, [])
    const gone = await app.send('DELETE', `${PATH}/crm`, {
      token: foreign,
      headers: { accept: 'application/problem+json' },
    })
    assert.deepEqual([gone.status, gone.json().code], [404, 'CASEWORK_SECRET_NOT_FOUND'])
  })

  test('400 for an odd name and for an empty or too long value', async () => {
    for (const name of ['UPPER', 'a%20b', '-a', 'a'.repeat(65)]) {
      assert.equal((await put(name, 'x')).status, 400, name)
    }
    for (const value of ['', 'x'.repeat(4_097), 1, null]) {
      assert.equal((await put('crm', value)).status, 400)
    }
  })

  test('409 beyond a hundred (CASEWORK_TOO_MANY_SECRETS), which stores nothing', async () => {
    const present = (await app.send('GET', PATH, { token: app.token })).json().items.length
    for (let index = present; index < 100; index += 1) await put(`many-${index}`, 'x')
    const refused = await app.send('PUT', `${PATH}/too-many`, {
      token: app.token,
      json: { value: 'x' },
      headers: { accept: 'application/problem+json' },
    })
    assert.deepEqual([refused.status, refused.json().code], [409, 'CASEWORK_TOO_MANY_SECRETS'])
    assert.equal((await put('many-99', 'y')).status, 200, 'one that is there may be replaced')
    await query(app.connection, `delete from secret where name like 'many-%'`)
  })

  test('are sealed anew with another key, all of them', async () => {
    const { database } = app.services.foundation
    await put('crm', 'open barley')
    await query(app.connection, `update secret set updated_at = '2026-01-01' where name = 'crm'`)
    const { secretKey, databaseUrl, dataDir } = app.services.foundation.config
    const present = loadSecretKeys({ secretKey, databaseUrl, dataDir })
    const fresh = parseSecretKeys(createSecretKeyText()) ?? []
    const cipher = createSecretCipher([...fresh, ...present])
    const { count, isMore } = await inTransaction(database.kysely, (tx) => sealAgain(tx, cipher))
    assert.ok(count >= 1)
    assert.equal(isMore, false)
    assert.deepEqual(await listSecretKeys(database.kysely), [fresh[0]?.id])
    const opened = await findSecret(database.kysely, createSecretCipher(fresh), SCOPE, CRM)
    assert.equal(opened, 'open barley')
    const [row] = await query(app.connection, `select updated_at from secret where name = 'crm'`)
    assert.deepEqual(row?.['updated_at'], new Date('2026-01-01'), 'its value was not set')
  })
})

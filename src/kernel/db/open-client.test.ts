import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabaseProxy } from '../../../test/database-proxy.ts'
import { createTestDatabase } from '../../../test/harness.ts'
import { openClient } from './open-client.ts'

test('a connection is closed though its database is silent', { timeout: 300_000 }, async (t) => {
  const database = await createTestDatabase()
  const proxy = await openDatabaseProxy(database.connection)
  t.after(async () => {
    await proxy.close()
    await database.drop()
  })
  const { client, close } = await openClient(proxy.connection, 'test')
  assert.equal((await client.query('select 1')).rowCount, 1)
  proxy.freeze()
  await close()
})

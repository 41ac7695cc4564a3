// Proves that the tables which stores describe are held against the schema. The compiler is the
// test of what it refuses: a line that it took would fail `npm run types`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { seeTables } from './database.ts'

const app = withApp()

test('a store describes tables of the schema only, with the types of their columns', async () => {
  const { kysely } = app.services.foundation.database
  const tenants = seeTables<{ tenant: { id: 'default' } }>(kysely)
  const row = await tenants.selectFrom('tenant').select('id').executeTakeFirstOrThrow()
  assert.equal(row.id, 'default')
  // @ts-expect-error -- no such table
  seeTables<{ tenants: { id: string } }>(kysely)
  // @ts-expect-error -- no such column
  seeTables<{ tenant: { key: string } }>(kysely)
  // @ts-expect-error -- a text
  seeTables<{ tenant: { id: number } }>(kysely)
  // @ts-expect-error -- it may be null
  seeTables<{ abuse_case: { contract_id: string } }>(kysely)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { silentLog } from '../log.ts'
import { createDatabase, type Database, type Db, inTransaction } from './database.ts'
import { inInstance } from './instance-acts.ts'
import { inTenant, outsideScopes } from './row-scope.ts'

let testDatabase: TestDatabase
let database: Database
before(async () => {
  testDatabase = await createTestDatabase()
  // One connection: each statement finds what the one before it left behind.
  database = createDatabase({ connection: testDatabase.connection, poolMax: 1, log: silentLog })
})
after(async () => {
  await database.close()
  await testDatabase.drop()
})

const A = { tenantId: 'tenant-a' }
const B = { tenantId: 'tenant-b' }

async function readScope(db: Db = database.kysely): Promise<string> {
  const found = await sql<{ scope: string | null }>`
    select current_setting('casework.tenant_id', true) as scope`.execute(db)
  // A setting that was local to a transaction is empty after it.
  return found.rows[0]?.scope ?? ''
}

test('each statement has the scope of its code, and the connection keeps none', async () => {
  assert.equal(await outsideScopes(() => readScope()), '')
  assert.equal(await inTenant(A, () => readScope()), 'tenant-a')
  assert.equal(await outsideScopes(() => readScope()), '')
  assert.equal(await inInstance('measure', () => readScope()), '*')
  assert.equal(await inTenant(B, () => inTenant(A, () => readScope())), 'tenant-a')
})

test('a statement with values, rows and none of them gives its own answer only', async () => {
  const { pool } = database
  await inTenant(A, async () => {
    const rows = await pool.query('select n, $1::text as text from generate_series(1, 3) as n', [
      'x',
    ])
    assert.deepEqual(
      [rows.command, rows.rowCount, rows.rows],
      ['SELECT', 3, [1, 2, 3].map((n) => ({ n, text: 'x' }))],
    )
    const none = await pool.query('select 1 as one where false')
    assert.deepEqual([none.rowCount, none.rows, none.fields.length], [0, [], 1])
    const changed = await pool.query('update schema_lock set id = 1')
    assert.deepEqual([changed.command, changed.rowCount], ['UPDATE', 1])
  })
})

test('several statements in one text have the scope, and give their own answers', async () => {
  const text = `select current_setting('casework.tenant_id') as scope; select 2 as two`
  const answers: unknown = await inTenant(A, () => database.pool.query(text))
  assert.ok(Array.isArray(answers))
  assert.deepEqual(
    answers.map((answer: { rows: unknown }) => answer.rows),
    [[{ scope: 'tenant-a' }], [{ two: 2 }]],
  )
  await inTenant(A, () => assert.rejects(database.pool.query('select 1; select 1 / 0'), /by zero/))
  assert.equal(await outsideScopes(() => readScope()), '')
})

test('a transaction has the scope of its beginning until its end', async () => {
  const seen = await inTenant(A, () =>
    inTransaction(database.kysely, async (tx) => [await readScope(tx), await readScope(tx)]),
  )
  assert.deepEqual(seen, ['tenant-a', 'tenant-a'])
  assert.equal(await outsideScopes(() => readScope()), '')
})

test('within a transaction a statement of another scope has that one, and the next its own', async () => {
  const seen = await inInstance('measure', () =>
    inTransaction(database.kysely, async (tx) => [
      await readScope(tx),
      await inTenant(A, () => readScope(tx)),
      await inTenant(B, () => readScope(tx)),
      await readScope(tx),
    ]),
  )
  assert.deepEqual(seen, ['*', 'tenant-a', 'tenant-b', '*'])
})

test('a scope that a savepoint undid is set again', async () => {
  const seen = await inTenant(A, () =>
    inTransaction(database.kysely, async (tx) => {
      await sql`savepoint before`.execute(tx)
      await inTenant(B, () => readScope(tx))
      await sql`rollback to savepoint before`.execute(tx)
      return [await inTenant(B, () => readScope(tx)), await readScope(tx)]
    }),
  )
  assert.deepEqual(seen, ['tenant-b', 'tenant-a'])
})

test('a statement that fails leaves no scope behind, alone or in a transaction', async () => {
  const fail = sql`select 1 / 0`
  await inTenant(A, async () => {
    await assert.rejects(fail.execute(database.kysely), /division by zero/)
    await assert.rejects(
      inTransaction(database.kysely, (tx) => fail.execute(tx)),
      /division by zero/,
    )
    await assert.rejects(sql`no statement`.execute(database.kysely), /syntax error/)
  })
  assert.equal(await outsideScopes(() => readScope()), '')
  assert.equal(await inTenant(B, () => readScope()), 'tenant-b')
})

test('two statements of two tenants at once on one connection each have their own', async () => {
  const seen = await Promise.all(
    Array.from({ length: 50 }, (_, at) => inTenant({ tenantId: `t-${at}` }, () => readScope())),
  )
  assert.deepEqual(
    seen,
    Array.from({ length: 50 }, (_, at) => `t-${at}`),
  )
})

test('a tenant cannot be called like all of them, and its name is only text', async () => {
  assert.throws(() => inTenant({ tenantId: '*' }, () => readScope()), TypeError)
  const name = `x'; select 1; --\\`
  assert.equal(await inTenant({ tenantId: name }, () => readScope()), name)
  const seen = await inTenant({ tenantId: name }, () => inTransaction(database.kysely, readScope))
  assert.equal(seen, name)
})

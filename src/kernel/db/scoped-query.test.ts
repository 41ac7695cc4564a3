// The ways of a scope that Citus needs, on a plain PostgreSQL. test/citus has the workers.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { createTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { createBegin, createScopedQuery, type ScopeWay } from './scoped-query.ts'

let database: TestDatabase
let client: Client
before(async () => {
  database = await createTestDatabase()
  client = new Client(database.connection)
  await client.connect()
})
after(async () => {
  await client.end()
  await database.drop()
})

interface Answer {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: readonly Record<string, unknown>[]
}

function send(way: ScopeWay, config: unknown, values?: readonly unknown[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const statement = { scope: "o'tenant", way, config, values }
    const query = createScopedQuery(statement, (error, result) => {
      if (error === null || error === undefined) resolve(result as Answer)
      else reject(error)
    })
    client.query(query)
  })
}

const READ = `select current_setting('casework.tenant_id', true) as scope`

async function readScopeBehind(): Promise<unknown> {
  const { rows } = await client.query<{ scope: string | null }>(READ)
  return rows[0]?.scope ?? ''
}

test('a transaction around one statement gives the answer of that one, and nothing stays', async () => {
  const { command, rowCount, rows } = await send('transaction', `${READ}, $1::integer as n`, [7])
  assert.deepEqual([command, rowCount, rows], ['SELECT', 1, [{ scope: "o'tenant", n: 7 }]])
  assert.deepEqual((await send('transaction', READ)).rows, [{ scope: "o'tenant" }])
  const none = await send('transaction', 'select 1 as one where false')
  assert.deepEqual([none.rowCount, none.rows], [0, []])
  assert.equal(client.getTransactionStatus(), 'I')
  assert.equal(await readScopeBehind(), '')
})

test('what it wrote is committed', async () => {
  await client.query('create table kept (n integer)')
  const written = await send('transaction', 'insert into kept values ($1) returning n', [1])
  assert.deepEqual(written.rows, [{ n: 1 }])
  await client.query('rollback')
  assert.deepEqual((await client.query('select n from kept')).rows, [{ n: 1 }])
})

test('after an error the transaction is open, for the caller to roll back', async () => {
  await assert.rejects(send('transaction', 'select 1 / $1::integer', [0]), /by zero/)
  await client.query('rollback')
  assert.equal(client.getTransactionStatus(), 'I')
  assert.equal(await readScopeBehind(), '')
})

test('a transaction begins with its settings, and a statement of it changes the scope', async () => {
  await new Promise<void>((resolve, reject) => {
    const texts = [
      'begin',
      'set local statement_timeout = 5000',
      `set local casework.tenant_id = 'a'`,
    ]
    client.query(createBegin(texts, (error) => (error ? reject(error as Error) : resolve())))
  })
  assert.equal(client.getTransactionStatus(), 'T')
  assert.equal(await readScopeBehind(), 'a')
  assert.deepEqual((await send('local', READ)).rows, [{ scope: "o'tenant" }])
  assert.equal(await readScopeBehind(), "o'tenant")
  const timeout = await client.query('show statement_timeout')
  assert.deepEqual(timeout.rows, [{ statement_timeout: '5s' }])
  await client.query('commit')
  assert.equal(await readScopeBehind(), '')
})

test('several statements in one text have the scope and give their own answers', async () => {
  const answers: unknown = await send('transaction', `${READ}; select 2 as two`)
  assert.ok(Array.isArray(answers))
  assert.deepEqual(
    answers.map((answer: Answer) => answer.rows),
    [[{ scope: "o'tenant" }], [{ two: 2 }]],
  )
  assert.equal(await readScopeBehind(), '')
})

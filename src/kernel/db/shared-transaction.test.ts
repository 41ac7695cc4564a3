import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { silentLog } from '../log.ts'
import {
  createDatabase,
  type Database,
  type Db,
  inSharedTransaction,
  inTransaction,
  RetryTransaction,
} from './database.ts'

let testDatabase: TestDatabase
let database: Database
before(async () => {
  testDatabase = await createTestDatabase()
  // With one connection, work that wanted a second one would wait for ever.
  database = createDatabase({ connection: testDatabase.connection, poolMax: 1, log: silentLog })
  await sql`create table note (text text not null)`.execute(database.kysely)
})
beforeEach(() => sql`delete from note`.execute(database.kysely))
after(async () => {
  await database.close()
  await testDatabase.drop()
})

const write = (db: Db, text: string) => sql`insert into note (text) values (${text})`.execute(db)

async function readNotes(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ text: string }>`select text from note order by text`.execute(db)
  return rows.map(({ text }) => text)
}

test('statements in and outside of transactions of the work are one transaction', async () => {
  const { kysely } = database
  const seen = await inSharedTransaction(kysely, async (tx) => {
    await write(tx, 'a')
    await inTransaction(kysely, (inner) => write(inner, 'b'))
    await write(kysely, 'c')
    return await readNotes(kysely)
  })
  assert.deepEqual(seen, ['a', 'b', 'c'])
  assert.deepEqual(await readNotes(kysely), ['a', 'b', 'c'])
})

test('nothing stays of work that fails, and the connection serves the next one', async () => {
  const { kysely } = database
  const work = inSharedTransaction(kysely, async () => {
    await inTransaction(kysely, (tx) => write(tx, 'a'))
    await write(kysely, 'b')
    throw new Error('at the end')
  })
  await assert.rejects(work, /at the end/)
  assert.deepEqual(await readNotes(kysely), [])
})

test('a lost race runs all of the work again', async () => {
  const { kysely } = database
  let count = 0
  await inSharedTransaction(kysely, async () => {
    count += 1
    await write(kysely, `try ${count}`)
    if (count < 3) throw new RetryTransaction('lost')
  })
  assert.deepEqual(await readNotes(kysely), ['try 3'])
})

test('what the work leaves running has transactions of its own afterwards', async () => {
  const { kysely } = database
  const gate = Promise.withResolvers<undefined>()
  const later: Promise<unknown>[] = []
  await inSharedTransaction(kysely, async () => {
    later.push(gate.promise.then(() => inTransaction(kysely, (tx) => write(tx, 'later'))))
    await write(kysely, 'now')
  })
  gate.resolve(undefined)
  await Promise.all(later)
  assert.deepEqual(await readNotes(kysely), ['later', 'now'])
})

test('several statements at once, and work on another database, do not disturb it', async () => {
  const other = createDatabase({
    connection: testDatabase.connection,
    poolMax: 1,
    log: silentLog,
  })
  try {
    const { kysely } = database
    const work = inSharedTransaction(kysely, async () => {
      await Promise.all(['a', 'b', 'c'].map((text) => write(kysely, text)))
      await inTransaction(other.kysely, (tx) => write(tx, 'elsewhere'))
      throw new Error('at the end')
    })
    await assert.rejects(work, /at the end/)
    assert.deepEqual(await readNotes(other.kysely), ['elsewhere'])
  } finally {
    await other.close()
  }
})

test('a transaction that would end the shared one early is refused', async () => {
  const { kysely } = database
  const work = inSharedTransaction(kysely, () =>
    kysely.transaction().execute((tx) => write(tx, 'a')),
  )
  await assert.rejects(work, /inside of a shared one/)
  assert.deepEqual(await readNotes(kysely), [])
})

// A machine that loses its power sends no word of it: its connections stay open and silent. The
// watch of connections must give them up, and nothing else.

import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { to as copyTo } from 'pg-copy-streams'
import { type DatabaseProxy, openDatabaseProxy } from '../../../test/database-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { silentLog } from '../log.ts'
import { OperatingError } from '../operating-error.ts'
import { createDatabase, type Database, explainDatabaseTrouble, inTransaction } from './database.ts'
import { asPoll } from './statement-limit.ts'

const UNREACHABLE = '503 KERNEL_DATABASE_NOT_REACHABLE'

let testDatabase: TestDatabase
let proxy: DatabaseProxy
const opened: Database[] = []

before(async () => {
  testDatabase = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()))
  await proxy.close()
})
after(() => testDatabase.drop())

/** Half a second of the limits passes in `turnMs`. */
async function open(turnMs: number, poolMax = 4): Promise<Database> {
  proxy = await openDatabaseProxy(testDatabase.connection)
  const database = createDatabase({
    connection: proxy.connection,
    poolMax,
    log: silentLog,
    turnMs,
  })
  opened.push(database)
  await connectOnce(database)
  return database
}

// The limit of a new connection is 3 s, which pass in 30 ms here: a busy machine needs longer.
const TRIES_MAX = 100

async function connectOnce({ pool }: Database): Promise<void> {
  for (let left = TRIES_MAX; ; left -= 1) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      if (left === 0 || tellCode(error) !== UNREACHABLE) throw error
    }
  }
}

function tellCode(error: unknown): string | null {
  const known = explainDatabaseTrouble(error)
  return known instanceof OperatingError ? `${known.status} ${known.code}` : null
}

describe('a connection that goes silent', () => {
  test('fails the statement under way once the server says that it does not work on it, and is not used again', async () => {
    const database = await open(20, 1)
    const { pool } = database
    await pool.query('select 1')
    const waiting = assert.rejects(
      inTransaction(database.kysely, async (tx) => {
        await sql`select 1`.execute(tx)
        proxy.swallow()
        await sql`select 2`.execute(tx)
      }),
      (error) => tellCode(error) === UNREACHABLE,
    )
    await waiting
    const { rows } = await pool.query('select 3 as answer')
    assert.deepEqual(rows, [{ answer: 3 }])
  })

  test('takes the idle connections with it, so that no later request has to find them out', async () => {
    const database = await open(20)
    await Promise.all([1, 2, 3, 4].map(() => database.pool.query('select pg_sleep(0.05)')))
    assert.equal(database.pool.idleCount, 4)
    proxy.swallow()
    await assert.rejects(database.pool.query('select 1'))
    for (let i = 0; i < 4; i += 1) await database.pool.query('select 1')
  })

  test('fails a COPY of which no byte comes any more', async () => {
    const database = await open(5)
    const client = await database.pool.connect()
    const endless = client.query(
      copyTo('copy (select repeat($$x$$, 1000) from generate_series(1, 100000000)) to stdout'),
    )
    let isCut = false
    const sink = new Writable({
      write(_chunk, _encoding, done) {
        if (!isCut) proxy.freeze()
        isCut = true
        done()
      },
    })
    await assert.rejects(pipeline(endless, sink), (error) => tellCode(error) === UNREACHABLE)
    client.release(true)
  })

  test('of a database that is silent as a whole fails a poll within seconds', async () => {
    const database = await open(20)
    await database.pool.query('select 1')
    proxy.freeze()
    await assert.rejects(
      asPoll(() => database.pool.query('select 1')),
      (error) => tellCode(error) === UNREACHABLE,
    )
  })

  test('of a database that is silent as a whole fails any other statement 5 s after the server would have', async () => {
    const database = await open(5)
    await database.pool.query('select 1')
    proxy.freeze()
    await assert.rejects(database.pool.query('select 1'), /within 65000 ms/)
  })
})

test('a statement that the server works on is left alone for as long as the server allows', async () => {
  // By the time that is counted, this statement takes 60 s.
  const database = await open(20)
  const { rows } = await database.pool.query(`select pg_sleep(2.3), 'done' as answer`)
  assert.equal(rows[0]?.answer, 'done')
})

test('a transaction without a limit of the server waits, and the next one has the limit again', async () => {
  const database = await open(5, 1)
  await inTransaction(database.kysely, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    // By the time that is counted, 100 s.
    await sql`select pg_sleep(1)`.execute(tx)
  })
  proxy.freeze()
  await assert.rejects(database.pool.query('select 1'), /within 65000 ms/)
})

test('a stop waits for a silent database no longer than some seconds, statement and new connection alike', async () => {
  const database = await open(20, 2)
  await database.pool.query('select 1')
  proxy.freeze()
  const waiting = assert.rejects(database.pool.query('select 1'), /within 3000 ms/)
  database.hasten()
  await waiting
  await assert.rejects(database.pool.query('select 1'), /connection timeout/)
  await assert.rejects(database.pool.query('select 1'), /the process stops/)
})

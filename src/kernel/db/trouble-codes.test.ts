import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { silentLog } from '../log.ts'
import { OperatingError } from '../operating-error.ts'
import { createDatabase, type Database, explainDatabaseTrouble, inTransaction } from './database.ts'
import { findConnectionReason } from './trouble-codes.ts'

let testDatabase: TestDatabase
let database: Database
before(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ connection: testDatabase.connection, poolMax: 1, log: silentLog })
})
after(async () => {
  await database.close()
  await testDatabase.drop()
})

function explain(error: unknown): OperatingError {
  const known = explainDatabaseTrouble(error)
  assert.ok(known instanceof OperatingError, `not explained: ${String(error)}`)
  assert.equal(known.status, 503)
  assert.match(known.headers['retry-after'] ?? '', /^\d+$/)
  return known
}

/** The server itself says it, in a transaction. */
async function provoke(code: string): Promise<unknown> {
  return await inTransaction(database.kysely, async (tx) => {
    await sql.raw(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`).execute(tx)
  }).catch((error: unknown) => error)
}

async function readPid(): Promise<number> {
  const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

const CODES: Readonly<Record<string, readonly string[]>> = {
  KERNEL_DATABASE_NOT_REACHABLE: [
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
    '08P01',
    '25P03',
    '25P04',
    '28000',
    '28P01',
    '3D000',
    '53300',
    '57P01',
    '57P02',
    '57P03',
    '57P04',
    '57P05',
  ],
  KERNEL_DATABASE_READ_ONLY: ['25006'],
  KERNEL_DISK_FULL: ['53100'],
  KERNEL_DATABASE_GAVE_UP: ['53000', '53200', '53400', '55P03', '57014', '58030'],
}

describe('503 with Retry-After, never 500, and the connection is not used again, when the server says', () => {
  for (const [code, states] of Object.entries(CODES)) {
    for (const state of states) {
      test(`${state}: ${code}`, async () => {
        const former = await readPid()
        assert.equal(explain(await provoke(state)).code, code)
        assert.notEqual(await readPid(), former)
      })
    }
  }
})

test('503 KERNEL_DATABASE_BUSY for transactions that conflict, on the same connection', async () => {
  const former = await readPid()
  for (const state of ['40001', '40P01']) {
    assert.equal(explain(await provoke(state)).code, 'KERNEL_DATABASE_BUSY')
  }
  assert.equal(await readPid(), former)
})

test('an error of a statement stays what it is, on the same connection', async () => {
  const former = await readPid()
  for (const state of ['23505', '42703', '22P02']) {
    const error = await provoke(state)
    assert.equal(explainDatabaseTrouble(error), error)
  }
  assert.equal(await readPid(), former)
})

test('503 when the system or the driver says that there is no way to the server', () => {
  const codes = [
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EHOSTDOWN',
    'ENETDOWN',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENOENT',
  ]
  for (const code of codes) {
    const error = Object.assign(new Error('x'), { code })
    assert.equal(explain(error).code, 'KERNEL_DATABASE_NOT_REACHABLE')
  }
  for (const code of ['ENOSPC', 'EDQUOT']) {
    assert.equal(explain(Object.assign(new Error('x'), { code })).code, 'KERNEL_DISK_FULL')
  }
  const messages = [
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ]
  for (const message of messages) {
    assert.equal(explain(new Error(message)).code, 'KERNEL_DATABASE_NOT_REACHABLE')
  }
})

function buildInternalError(message: string): Error {
  return Object.assign(new Error(message), { code: 'XX000' })
}

test('503 when a coordinator of Citus says of a worker that it is gone, and no other internal error', () => {
  // As Citus 13.2 and its libpq word it (test/citus/burst.citus.ts).
  const messages = [
    'SSL SYSCALL error: EOF detected',
    'server closed the connection unexpectedly',
    'failure on connection marked as essential: 192.0.2.1:5432',
    'connection to the remote node casework@192.0.2.1:5432 failed',
  ]
  for (const message of messages) {
    assert.equal(explain(buildInternalError(message)).code, 'KERNEL_DATABASE_NOT_REACHABLE')
  }
  const fault = buildInternalError('unrecognized node type: 124')
  assert.equal(explainDatabaseTrouble(fault), fault)
})

test('a connection that the server ends in the middle of a transaction is 503 too', async () => {
  const admin = createDatabase({
    connection: testDatabase.connection,
    poolMax: 1,
    log: silentLog,
  })
  try {
    const error = await inTransaction(database.kysely, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await admin.pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
      await sql`select 1`.execute(tx)
    }).catch((cause: unknown) => cause)
    assert.equal(explain(error).code, 'KERNEL_DATABASE_NOT_REACHABLE')
  } finally {
    await admin.close()
  }
})

test('a server that refuses a connection in words of its own is quoted, and silence is told as silence only', () => {
  const refusal = Object.assign(new Error('unsupported startup parameter: statement_timeout'), {
    code: '08P01',
  })
  assert.equal(
    findConnectionReason(refusal),
    'it answers "unsupported startup parameter: statement_timeout"',
  )
  assert.equal(findConnectionReason(new Error('timeout expired')), 'it does not answer')
  assert.equal(findConnectionReason(new TypeError('statement_timeout is not a function')), null)
})

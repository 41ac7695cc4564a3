// The one way to PostgreSQL: a pool, Kysely over it, and transactions that retry what the database
// asks to retry.

import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool, types as pgTypes } from 'pg'
import { databaseBusy, databaseNotReachable } from '../errors.ts'
import type { Log } from '../log.ts'

/** What `pg` needs to connect: a URL, or the socket folder of the embedded database. */
export type DatabaseConnection =
  | { readonly connectionString: string }
  | {
      readonly host: string
      readonly user: string
      readonly database: string
      readonly port: number
    }

export interface DatabaseOptions {
  readonly connection: DatabaseConnection
  /** Connections this process may hold at once. */
  readonly poolMax: number
  readonly log: Log
}

/**
 * The database without types of tables: each store sees its own tables through `seeTables`. A
 * transaction is a Db too.
 */
export type Db = Kysely<object>
export type Tx = Transaction<object>

/**
 * The same database or transaction, typed with the tables of one store. The one cast that stands
 * for "this is our schema".
 */
export function seeTables<Tables>(db: Db): Kysely<Tables> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return db as unknown as Kysely<Tables>
}

export interface Database {
  readonly kysely: Db
  readonly pool: Pool
  /** For a thread that opens a pool of its own. */
  readonly connection: DatabaseConnection
  /** True when a round trip succeeds within a second; never throws. */
  readonly isReachable: () => Promise<boolean>
  readonly close: () => Promise<void>
}

// A statement that runs longer than this is a bug. It must not hold its locks for ever.
const STATEMENT_TIMEOUT_MS = 60_000
// A request must not hang when the database does: it gets 503 instead.
const CONNECT_TIMEOUT_MS = 3_000
const REACHABLE_TIMEOUT_MS = 1_000
// A database that hangs must not keep us from stopping.
const CLOSE_TIMEOUT_MS = 1_000
const INT8_OID = 20

export function createDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    ...options.connection,
    max: options.poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'casework',
    types: { getTypeParser: chooseTypeParser },
  })
  // Without a listener an idle connection that breaks (database restart) would end the process.
  pool.on('error', (error) =>
    options.log.warn('A database connection broke', { error: error.message }),
  )
  // The same for a connection that breaks between two statements of its user. The next statement
  // then fails.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  return {
    kysely: new Kysely<object>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    connection: options.connection,
    isReachable: async () => {
      try {
        return await Promise.race([
          pool.query('select 1').then(() => true),
          delay(REACHABLE_TIMEOUT_MS, false, { ref: false }),
        ])
      } catch {
        return false
      }
    },
    close: () => closePool(pool),
  }
}

// `end` resolves before the connections are closed. A database that is stopped right afterwards
// would log an error for each.
async function closePool(pool: Pool): Promise<void> {
  let open = pool.totalCount
  const closed = new Promise<void>((resolve) => {
    if (open === 0) resolve()
    pool.on('remove', () => {
      open -= 1
      if (open === 0) resolve()
    })
  })
  await pool.end()
  await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
}

// int8 comes as text by default; our counters and serials stay far below 2^53, and an overflow must
// not pass silently.
function chooseTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8_OID && format !== 'binary') return parseSafeInteger
  // `pg` types the number as an enum of the built-in types, though it takes any.
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
  return pgTypes.getTypeParser(oid, format)
}

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer out of range: ${text}`)
  return value
}

// serialization_failure, deadlock_detected: the statement did nothing and may simply run again
// (design section 1, row 4).
const RETRY_CODES = new Set(['40001', '40P01'])
const ATTEMPTS_MAX = 5
// Doubled with each attempt: 300 ms in all at most, which a caller does not notice.
const PAUSE_MAX_MS = 20

/**
 * Runs `work` in one transaction and retries it from its start, up to five times with pauses
 * between, when the database asks for it or `work` throws RetryTransaction. `work` must therefore
 * have no effects outside the transaction; it gets the number of the attempt, from 1. The error of
 * the fifth attempt is thrown unchanged; `explainDatabaseTrouble` makes it 503.
 */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Tx, attempt: number) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute((tx) => work(tx, attempt))
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isRetryable(error)) throw error
    }
    // At random, so that transactions that conflicted do not conflict again at once.
    await delay(Math.random() * PAUSE_MAX_MS * 2 ** (attempt - 1))
  }
}

/** Thrown inside `inTransaction` after a lost race, to run the whole transaction again. */
export class RetryTransaction extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'RetryTransaction'
  }
}

function isRetryable(error: unknown): boolean {
  if (error instanceof RetryTransaction) return true
  const code = readErrorCode(error)
  return code !== null && RETRY_CODES.has(code)
}

/** The SQLSTATE or system code of a driver error, or null. */
export function readErrorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '08000',
  '08003',
  '08006',
])

/**
 * Turns an unreachable database, and a race that every attempt lost, into operating errors 503.
 * Returns every other error unchanged.
 */
export function explainDatabaseTrouble(error: unknown): unknown {
  if (isRetryable(error)) return databaseBusy(error)
  const code = readErrorCode(error)
  if (code !== null && UNREACHABLE_CODES.has(code)) return databaseNotReachable(error)
  if (
    error instanceof Error &&
    /timeout exceeded when trying to connect|Connection terminated/.test(error.message)
  ) {
    return databaseNotReachable(error)
  }
  return error
}

// The one way to PostgreSQL: a pool, Kysely over it, and transactions that retry what the database
// asks to retry.

import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, type SelectType, type Transaction } from 'kysely'
import { Pool, types as pgTypes } from 'pg'
import {
  databaseBusy,
  databaseGaveUp,
  databaseNotReachable,
  databaseReadOnly,
  diskFull,
} from '../errors.ts'
import type { Log } from '../log.ts'
import { type ConnectionWatch, createConnectionWatch } from './connection-watch.ts'
import { type DatabaseConnection, readTarget } from './database-hosts.ts'
import { HOST_TIMEOUT_MS } from './host-finder.ts'
import { giveUpMonths } from './months/give-up-months.ts'
import { findSharedTransaction, SharingDialect, shareTransaction } from './shared-transaction.ts'
import { withStatementLimit } from './statement-limit.ts'
import type { Tables } from './tables.ts'
import { classifyTrouble } from './trouble-codes.ts'
import { createClientType } from './watched-client.ts'

export interface DatabaseOptions {
  readonly connection: DatabaseConnection
  /** Connections this process may hold at once. */
  readonly poolMax: number
  readonly log: Log
  /** See createConnectionWatch. */
  readonly turnMs?: number
  /** Of a disk reserve: statements that store are refused meanwhile. */
  readonly isShortOfRoom?: () => boolean
}

/**
 * The database without types of tables: each store sees its own tables through `seeTables`. A
 * transaction is a Db too.
 */
export type Db = Kysely<object>
export type Tx = Transaction<object>

/**
 * Tables as a store describes them: tables and columns of the schema, read as a type that the
 * schema allows. A store says more than the schema: which words a text may be, what JSON holds.
 */
export type TablesOfSchema<Described> = {
  [Name in keyof Described]: Name extends keyof Tables
    ? {
        [Column in keyof Described[Name]]: Column extends keyof Tables[Name]
          ? Fitting<SelectType<Described[Name][Column]>, Tables[Name][Column]> extends true
            ? Described[Name][Column]
            : readonly ['is read as', Tables[Name][Column]]
          : never
      }
    : never
}

// Whether a store may read a column as `Read`: it is the type of the column or a part of it, and
// has null where the column may be null.
type Fitting<Read, Kept> = [Read, Extract<Kept, null>] extends [Kept, Read] ? true : false

/**
 * The same database or transaction, typed with the tables of one store, which the compiler holds
 * against the schema.
 */
export function seeTables<Described extends TablesOfSchema<Described>>(db: Db): Kysely<Described> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return db as unknown as Kysely<Described>
}

/** `silent`: no answer, or no connection, within a second. */
export type DatabaseCondition = 'ok' | 'silent' | 'read_only' | 'disk_full'

export interface Database {
  readonly kysely: Db
  readonly pool: Pool
  /** For a thread that opens a pool of its own. */
  readonly connection: DatabaseConnection
  /** By a round trip, and by what writes were answered lately. Takes a second; never throws. */
  readonly examine: () => Promise<DatabaseCondition>
  /** Before a stop: a database that is silent must not keep the process from ending. */
  readonly hasten: () => void
  readonly close: () => Promise<void>
}

// A request must not hang when the database does: it gets 503 instead.
const CONNECT_TIMEOUT_MS = 3_000
const EXAMINE_TIMEOUT_MS = 1_000
// A full disk shows in writes only. A balancer that sends none because of this page learns within
// this time whether there is room again.
const REFUSAL_MEMORY_MS = 10_000
// A database that hangs must not keep us from stopping.
const CLOSE_TIMEOUT_MS = 1_000
const KEEP_ALIVE_MS = 10_000
const INT8_OID = 20

/** Throws DatabaseUrlNotValid. */
export function createDatabase(options: DatabaseOptions): Database {
  const target = readTarget(options.connection)
  const watch = createConnectionWatch(target, options)
  const others = target.hosts.length - 1
  const pool = new BoundPool({
    ...target.settings,
    Client: createClientType(watch),
    max: options.poolMax,
    connectionTimeoutMillis:
      CONNECT_TIMEOUT_MS + (others === 0 ? 0 : target.hosts.length * HOST_TIMEOUT_MS),
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'casework',
    types: { getTypeParser: chooseTypeReader },
  })
  // Without a listener an idle connection that breaks (database restart) would end the process.
  pool.on('error', (error) =>
    options.log.warn('A database connection broke', { error: error.message }),
  )
  return {
    kysely: new Kysely<object>({ dialect: new SharingDialect({ pool }) }),
    pool,
    connection: options.connection,
    examine: () => examine(pool, watch),
    hasten: watch.hasten,
    close: () => closePool(pool, watch),
  }
}

/**
 * A caller that waits for a connection goes on in its own async context, which holds its limits of
 * statements and its row scope, and not in that of the caller who gives the connection back.
 */
class BoundPool extends Pool {
  override connect(callback?: (...result: never[]) => void): never {
    const bound = callback === undefined ? [] : [AsyncLocalStorage.bind(callback)]
    // The driver's method has two signatures; see `pretend` of watched-client.ts.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/unbound-method
    return Reflect.apply(super.connect, this, bound) as never
  }
}

async function examine(pool: Pool, watch: ConnectionWatch): Promise<DatabaseCondition> {
  const ask = async (): Promise<DatabaseCondition> => {
    const { rows } = await withStatementLimit(EXAMINE_TIMEOUT_MS, () =>
      pool.query<{ is_read_only: boolean }>(
        `select current_setting('transaction_read_only') = 'on' as is_read_only`,
      ),
    )
    if (rows[0]?.is_read_only === true) return 'read_only'
    if (watch.isShortOfRoom()) return 'disk_full'
    const refused = watch.findRefusedWrite()
    const isFull = refused?.kind === 'disk_full' && refused.agoMs < REFUSAL_MEMORY_MS
    return isFull ? 'disk_full' : 'ok'
  }
  const silence = delay(EXAMINE_TIMEOUT_MS, 'silent' as const, { ref: false })
  try {
    return await Promise.race([ask(), silence])
  } catch (error) {
    return classifyTrouble(error) === 'read_only' ? 'read_only' : 'silent'
  }
}

// `end` resolves before the connections are closed. A database that is stopped right afterwards
// would log an error for each.
async function closePool(pool: Pool, watch: ConnectionWatch): Promise<void> {
  let open = pool.totalCount
  const closed = new Promise<void>((resolve) => {
    if (open === 0) resolve()
    pool.on('remove', () => {
      open -= 1
      if (open === 0) resolve()
    })
  })
  const ended = pool.end().then(() => closed)
  await Promise.race([ended, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
  watch.close()
}

// int8 comes as text by default; our counters and serials stay far below 2^53, and an overflow must
// not pass silently.
export function chooseTypeReader(
  oid: number,
  format?: 'text' | 'binary',
): (text: string) => unknown {
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

// The statement did nothing and may simply run again (design section 1, row 4).
const ATTEMPTS_MAX = 5
// Doubled with each attempt: 300 ms in all at most, which a caller does not notice.
const PAUSE_MAX_MS = 20

/**
 * Runs `work` in one transaction and retries it from its start, up to five times with pauses
 * between, when the database asks for it or `work` throws RetryTransaction. `work` must therefore
 * have no effects outside the transaction; it gets the number of the attempt, from 1. The error of
 * the fifth attempt is thrown unchanged; `explainDatabaseTrouble` makes it 503. Inside a
 * transaction, or in work of `inSharedTransaction`, it belongs to that one, which is retried as a
 * whole.
 */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Tx, attempt: number) => Promise<Result>,
): Promise<Result> {
  if (isTransaction(db)) return await work(db, 1)
  const shared = findSharedTransaction(db)
  if (shared !== null) return await work(shared, 1)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute((tx) => work(tx, attempt))
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX) throw error
      if (!isRetryable(error) && !(await giveUpMonths(db, error))) throw error
    }
    // At random, so that transactions that conflicted do not conflict again at once.
    await delay(Math.random() * PAUSE_MAX_MS * 2 ** (attempt - 1))
  }
}

/**
 * Runs `work` so that each statement and each `inTransaction` on `db` in it belongs to one
 * transaction, which is committed when `work` has returned. What `work` starts and does not await
 * has transactions of its own afterwards. Retried as `inTransaction` is.
 */
export async function inSharedTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return await shareTransaction(db, (join) =>
    inTransaction(db, (tx) => {
      join(tx)
      return work(tx)
    }),
  )
}

function isTransaction(db: Db): db is Tx {
  return db.isTransaction
}

/** Runs `work` once in a transaction of which nothing stays, and returns what it returned. */
export async function inRolledBackTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  let done: { readonly result: Result } | null = null
  const end = new Error('rolled back on purpose')
  try {
    await db.transaction().execute(async (tx) => {
      done = { result: await work(tx) }
      throw end
    })
  } catch (error) {
    if (error !== end) throw error
  }
  const { result }: { readonly result: Result } = done ?? assert.fail('the work has returned')
  return result
}

/** Thrown inside `inTransaction` after a lost race, to run the whole transaction again. */
export class RetryTransaction extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'RetryTransaction'
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof RetryTransaction || classifyTrouble(error) === 'conflict'
}

/**
 * Turns what says that the database cannot serve at the moment, and a race that every attempt lost,
 * into operating errors 503. Returns every other error unchanged.
 */
export function explainDatabaseTrouble(error: unknown): unknown {
  if (error instanceof RetryTransaction) return databaseBusy(error)
  switch (classifyTrouble(error)) {
    case 'conflict':
      return databaseBusy(error)
    case 'unreachable':
      return databaseNotReachable(error)
    case 'read_only':
      return databaseReadOnly(error)
    case 'disk_full':
      return diskFull(error)
    case 'gave_up':
      return databaseGaveUp(error)
    case null:
      return error
  }
}

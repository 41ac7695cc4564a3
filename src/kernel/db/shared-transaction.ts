// One transaction for everything that a piece of work does with the database, also for stores that
// were given no transaction: while it is open, its connection is the only one that the work gets.

import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'
import type { Db, Tx } from './database.ts'

interface Shared {
  readonly db: Db
  /** Null until it has begun. */
  tx: Tx | null
  isOpen: boolean
  connection: DatabaseConnection | null
  /** How many hold the connection: the transaction, and statements outside of it. */
  useCount: number
}

const sharing = new AsyncLocalStorage<Shared>()

/** `join` names the transaction once it has begun, again at each of its retries. */
export async function shareTransaction<Result>(
  db: Db,
  work: (join: (tx: Tx) => void) => Promise<Result>,
): Promise<Result> {
  const shared: Shared = { db, tx: null, isOpen: true, connection: null, useCount: 0 }
  const join = (tx: Tx): void => {
    shared.tx = tx
  }
  try {
    return await sharing.run(shared, () => work(join))
  } finally {
    shared.isOpen = false
  }
}

/** The transaction to which work on `db` belongs; null when it has none to share. */
export function findSharedTransaction(db: Db): Tx | null {
  const shared = sharing.getStore()
  return shared?.isOpen === true && shared.db === db ? shared.tx : null
}

export class SharingDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new SharingDriver(this.#config)
  }
}

type HeldConnection = Parameters<PostgresDriver['releaseConnection']>[0]

class SharingDriver extends PostgresDriver {
  /** The connections in shared use. A connection of another driver is never in it. */
  readonly #shared = new Map<DatabaseConnection, Shared>()

  override async acquireConnection(
    ...options: Parameters<PostgresDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    const shared = sharing.getStore()
    if (shared?.isOpen !== true) return await super.acquireConnection(...options)
    const { connection } = shared
    if (connection !== null) {
      if (!this.#shared.has(connection)) return await super.acquireConnection(...options)
      shared.useCount += 1
      return connection
    }
    const first = await super.acquireConnection(...options)
    shared.connection = first
    shared.useCount = 1
    this.#shared.set(first, shared)
    return first
  }

  override async releaseConnection(connection: HeldConnection): Promise<void> {
    const shared = this.#shared.get(connection)
    if (shared !== undefined) {
      shared.useCount -= 1
      if (shared.useCount > 0) return
      shared.connection = null
      shared.tx = null
      this.#shared.delete(connection)
    }
    await super.releaseConnection(connection)
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    // Its commit would end the shared one. `inTransaction` joins that one instead.
    const useCount = this.#shared.get(connection)?.useCount ?? 1
    assert.equal(useCount, 1, 'a transaction begins inside of a shared one')
    await super.beginTransaction(connection, settings)
  }
}

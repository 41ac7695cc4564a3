// A transaction that the driver has begun, as stores see transactions. For work that needs the
// driver itself, such as COPY, and writes rows of a store in the same transaction.

import { Kysely, PostgresDialect } from 'kysely'
import type { ClientBase } from 'pg'
import { chooseTypeReader, type Tx } from './database.ts'

/** `client` has begun a transaction, and ends it. */
export function seeTransaction(client: ClientBase): Tx {
  const types = { getTypeParser: chooseTypeReader }
  const query = (text: string, values: readonly unknown[]) =>
    client.query({ text, values: [...values], types })
  const connection = { query, release: () => undefined }
  const pool = { connect: async () => connection, end: async () => undefined, options: {} }
  // Kysely asks for parts of the driver that it uses for cursors only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const dialect = new PostgresDialect({ pool: pool as never })
  const db = new Kysely<object>({ dialect })
  // So that inTransaction begins no other one.
  Object.defineProperty(db, 'isTransaction', { value: true })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return db as unknown as Tx
}

// Access to the databases of tests without the program.

import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { asObserver, readTestConnection, type SocketConnection, SUPERUSER } from './harness.ts'

/** One statement on a connection of its own. */
export async function query(
  connection: SocketConnection,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client(asObserver(connection))
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Without any table; removed after the test. */
export async function createEmptyDatabase(t: TestContext): Promise<SocketConnection> {
  const own = readTestConnection()
  const admin = { ...own, user: SUPERUSER, database: 'postgres' }
  const database = `test_${randomBytes(8).toString('hex')}`
  await query(admin, `create database ${database} template template0 owner ${own.user}`)
  // Without force the server waits 5 s for connections to end: those of a closed pool may still be
  // closing, and one that is cut then fails the test from outside.
  const drop = `drop database if exists ${database}`
  t.after(() => query(admin, drop).catch(() => query(admin, `${drop} with (force)`)))
  return { ...own, database }
}

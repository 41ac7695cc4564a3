// Access to the databases of tests without the program.

import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { readTestConnection, type SocketConnection } from './harness.ts'

/** One statement on a connection of its own. */
export async function query(
  connection: SocketConnection,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Without any table; removed after the test. */
export async function createEmptyDatabase(t: TestContext): Promise<SocketConnection> {
  const admin = { ...readTestConnection(), database: 'postgres' }
  const database = `test_${randomBytes(8).toString('hex')}`
  await query(admin, `create database ${database} template template0`)
  t.after(() => query(admin, `drop database if exists ${database} with (force)`))
  return { ...admin, database }
}

// Access to the databases of tests without the program.

import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import {
  ROWS_OF_ALL_TENANTS,
  readTestConnection,
  type SocketConnection,
  SUPERUSER,
} from './harness.ts'

/** One statement on a connection of its own. */
export async function query(
  connection: SocketConnection,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ ...connection, options: ROWS_OF_ALL_TENANTS })
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
  t.after(() => query(admin, `drop database if exists ${database} with (force)`))
  return { ...own, database }
}

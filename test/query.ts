// Access to the databases of tests without the program.

import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import {
  asObserver,
  readTestConnection,
  readTestNodes,
  type SocketConnection,
  SUPERUSER,
} from './harness.ts'

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

// Citus writes `UPDATE public.playbook_102008 playbook` where the program wrote `update playbook`.
const PLAIN_QUERY = String.raw`regexp_replace(lower(query), 'public\.([a-z_]+)_[0-9]+', '\1', 'g')`

/**
 * How many sessions of the database wait for a lock of a row, in statements that hold `text`, in
 * lower case. On a Citus cluster it asks the workers, which have the rows.
 */
export async function countLockWaits(connection: SocketConnection, text = ''): Promise<number> {
  const counts = await Promise.all(
    readTestNodes().map(async ({ host, port }) => {
      const [row] = await query(
        { ...connection, host, port },
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'
           and strpos(${PLAIN_QUERY}, $1) > 0`,
        [text],
      )
      return Number(row?.['count'])
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** A database without any table, until the test ends. */
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

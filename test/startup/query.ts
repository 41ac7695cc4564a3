// One statement on a test's database, from outside of the program.

import { Client } from 'pg'
import type { SocketConnection } from '../harness.ts'

export async function query(
  connection: SocketConnection,
  statement: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

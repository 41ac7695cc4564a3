// One connection for a command that needs no pool, such as a backup.

import type { Client } from 'pg'
import { createConnectionWatch } from './connection-watch.ts'
import { type DatabaseConnection, readTarget } from './database-hosts.ts'
import { createClientType } from './watched-client.ts'

export interface OpenClient {
  readonly client: Client
  /** Ends an open transaction, and aborts a running COPY; waits a second for a silent server. */
  readonly close: () => Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
// A server that is there closes the connection at once.
const GOODBYE_MS = 1_000

/** `name` is shown to the administrator of the database. Rejects when nothing answers. */
export async function openClient(
  connection: DatabaseConnection,
  name: string,
): Promise<OpenClient> {
  const target = readTarget(connection)
  const watch = createConnectionWatch(target)
  const WatchedClientOfThis = createClientType(watch)
  const client: Client = new WatchedClientOfThis({
    ...target.settings,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  const close = async (): Promise<void> => {
    const cut = setTimeout(() => client.connection.stream.destroy(), GOODBYE_MS)
    await client.end()
    clearTimeout(cut)
    watch.close()
  }
  try {
    await client.connect()
  } catch (error) {
    await close()
    throw error
  }
  return { client, close }
}

// Reaches the database of a configuration for one command, beside a running server or without one.

import type { Config } from '../kernel/config.ts'
import { openDataFolder } from '../kernel/data-folder.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import type { Log } from '../kernel/log.ts'
import { askForDatabase, connectTo } from './local-database.ts'
import {
  assertHasDatabase,
  describeExternal,
  openDatabase,
  type RunningDatabase,
} from './open-database.ts'

/**
 * Runs the work on the database of DATABASE_URL, of the server that runs on the data folder, or on
 * the embedded database of the folder, which is started for that time. `running` is null for the
 * embedded database of a running server. Throws APP_NO_DATA when there is no database.
 */
export async function withDatabase<Result>(
  config: Config,
  log: Log,
  work: (connection: DatabaseConnection, running: RunningDatabase | null) => Promise<Result>,
): Promise<Result> {
  const workOn = (running: RunningDatabase): Promise<Result> => work(running.connection, running)
  if (config.databaseUrl !== null) return await workOn(describeExternal(config.databaseUrl))
  const address = await askForDatabase(config.dataDir)
  if (address?.kind === 'url') return await workOn(describeExternal(address.url))
  if (address !== null) {
    const { connection, close } = connectTo(address)
    try {
      return await work(connection, null)
    } finally {
      close()
    }
  }
  assertHasDatabase(config)
  const folder = await openDataFolder({ path: config.dataDir })
  try {
    const database = await openDatabase(config, log)
    try {
      return await workOn(database)
    } finally {
      await database.stop()
    }
  } finally {
    await folder.close()
  }
}

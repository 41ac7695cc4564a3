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
 * `running` is null for the embedded database of a running server. `used` are the settings with the
 * database that was found: the key of its secrets is in the data folder for an embedded one only.
 */
export type DatabaseWork<Result> = (
  connection: DatabaseConnection,
  running: RunningDatabase | null,
  used: Config,
) => Promise<Result>

/**
 * Runs the work on the database of DATABASE_URL, of the server that runs on the data folder, or on
 * the embedded database of the folder, which is started for that time. Throws APP_NO_DATA when
 * there is no database.
 */
export async function withDatabase<Result>(
  config: Config,
  log: Log,
  work: DatabaseWork<Result>,
): Promise<Result> {
  const workAt = (databaseUrl: string): Promise<Result> => {
    const running = describeExternal(databaseUrl)
    return work(running.connection, running, { ...config, databaseUrl })
  }
  if (config.databaseUrl !== null) return await workAt(config.databaseUrl)
  const address = await askForDatabase(config.dataDir)
  if (address?.kind === 'url') return await workAt(address.url)
  if (address !== null) {
    const { connection, close } = connectTo(address)
    try {
      return await work(connection, null, config)
    } finally {
      close()
    }
  }
  assertHasDatabase(config)
  const folder = await openDataFolder({ path: config.dataDir })
  try {
    const database = await openDatabase(config, log)
    try {
      return await work(database.connection, database, config)
    } finally {
      await database.stop()
    }
  } finally {
    await folder.close()
  }
}

// `casework migrate`: brings the schema up to date and stops, for set-ups that migrate before they
// start new nodes. With `--distribute` it shards a database with Citus by tenant.

import { describeExternal, openServedDatabase } from '../app/open-database.ts'
import { LOCAL_ACTOR } from '../app/record-operator-acts.ts'
import { noCitus } from '../app/sharding/errors.ts'
import { checkCluster, shardDatabase } from '../app/sharding/shard-database.ts'
import type { ShardingResult } from '../app/sharding/shard-schema.ts'
import { SHARDED_TABLES } from '../app/sharding/table-kinds.ts'
import { openDataFolder } from '../kernel/data-folder.ts'
import { createLog } from '../kernel/log.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

export async function runMigrate(flags: Readonly<Record<string, unknown>>): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const log = createLog({ level: config.logLevel, isForPeople: process.stderr.isTTY })
  const mustShard = flags['distribute'] === true
  if (mustShard) {
    if (config.databaseUrl === null) throw noCitus('The embedded PostgreSQL')
    const { connection, description } = describeExternal(config.databaseUrl)
    await checkCluster(connection, description)
  }
  // An external database needs no data folder: several nodes may share it.
  const folder = config.databaseUrl === null ? await openDataFolder({ path: config.dataDir }) : null
  try {
    const database = await openServedDatabase(config, log, LOCAL_ACTOR)
    await database.stop()
    const { applied, schemaVersion } = database
    const steps = applied.length === 1 ? '1 migration' : `${applied.length} migrations`
    process.stdout.write(`The schema is at version ${schemaVersion} (${steps} applied).\n`)
    if (!mustShard) return
    process.stdout.write(
      describeSharding([database.sharding, await shardDatabase(database.connection)]),
    )
  } finally {
    await folder?.close()
  }
}

/** An interrupted run is completed when the database is opened. */
function describeSharding(parts: readonly (ShardingResult | null)[]): string {
  const tables = parts.flatMap((part) => part?.tables ?? [])
  const keys = parts.reduce((sum, part) => sum + (part?.foreignKeyCount ?? 0), 0)
  if (tables.length + keys === 0) {
    return `All ${SHARDED_TABLES.length} tables of tenants are sharded already.\n`
  }
  return `${tables.length} tables were distributed, ${keys} foreign keys added again.\n`
}

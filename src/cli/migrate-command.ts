// `casework migrate`: brings the schema up to date and stops, for set-ups that migrate before they
// start new nodes.

import { openServedDatabase } from '../app/open-database.ts'
import { LOCAL_ACTOR } from '../app/record-operator-acts.ts'
import { openDataFolder } from '../kernel/data-folder.ts'
import { createLog } from '../kernel/log.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

export async function runMigrate(flags: Readonly<Record<string, unknown>>): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const log = createLog({ level: config.logLevel, isForPeople: process.stderr.isTTY })
  // An external database needs no data folder: several nodes may share it.
  const folder = config.databaseUrl === null ? await openDataFolder({ path: config.dataDir }) : null
  try {
    const database = await openServedDatabase(config, log, LOCAL_ACTOR)
    await database.stop()
    const { applied, schemaVersion } = database
    const steps = applied.length === 1 ? '1 migration' : `${applied.length} migrations`
    process.stdout.write(`The schema is at version ${schemaVersion} (${steps} applied).\n`)
  } finally {
    await folder?.close()
  }
}

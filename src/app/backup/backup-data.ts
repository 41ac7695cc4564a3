// Backup and restore for one configuration: finds the database and locks the data folder meanwhile.

import { existsSync } from 'node:fs'
import { chooseErasureLog, readErasureLog } from '../../casework/privacy/erasure/erasure-log.ts'
import type { Config } from '../../kernel/config.ts'
import { openDataFolder } from '../../kernel/data-folder.ts'
import { readMigrations } from '../../kernel/db/migrate.ts'
import type { Log } from '../../kernel/log.ts'
import { MIGRATIONS_FOLDER } from '../migrations-folder.ts'
import { explainTrouble, openDatabase } from '../open-database.ts'
import { withDatabase } from '../reach-database.ts'
import { recordBackup, recordRestore } from '../record-operator-acts.ts'
import {
  finishErasures,
  type PlannedErasures,
  planErasures,
  type RepeatedErasures,
} from '../repeat-lost-erasures.ts'
import { backupFileExists } from './errors.ts'
import { type RestoreSummary, restoreBackup, verifyBackup } from './restore-backup.ts'
import { type BackupSummary, writeBackup } from './write-backup.ts'

/**
 * Writes a backup of DATABASE_URL, of the server that runs on the data folder, or of the embedded
 * database in it, which is started for as long as it takes. Throws BACKUP_… and the errors of an
 * unreachable database.
 */
export async function backUp(
  config: Config,
  log: Log,
  file: string,
  signal: AbortSignal,
): Promise<BackupSummary> {
  if (existsSync(file)) throw backupFileExists(file)
  return await withDatabase(config, log, async (connection, running, used) => {
    const place = running?.description ?? config.dataDir
    try {
      await recordBackup(used, connection, log, file)
      return await writeBackup({ connection, place, file, signal })
    } catch (error) {
      throw running === null ? error : explainTrouble(error, running)
    }
  })
}

// Long enough for another command to end.
const LOCK_WAIT_MS = 1_000

export interface RestoreOutcome extends RestoreSummary {
  readonly erasureLog: string
  /** Whether the backup holds any erasure, so that its server may have made more since. */
  readonly hadErasures: boolean
  /** The erasures made after the backup, which were repeated; null without a log. */
  readonly erasedAgain: (PlannedErasures & RepeatedErasures) | null
}

/**
 * Fills the empty database of DATABASE_URL or of the data folder, and repeats the erasures of the
 * log that are newer than the backup. The data folder is locked meanwhile, so no server runs on it.
 * Throws BACKUP_… when the file or the database is not suitable, and
 * CASEWORK_ERASURE_LOG_NOT_READABLE; nothing is changed then.
 */
export async function restore(config: Config, log: Log, file: string): Promise<RestoreOutcome> {
  const migrations = readMigrations(MIGRATIONS_FOLDER)
  const { createdAt } = await verifyBackup(file, migrations)
  const erasureLog = chooseErasureLog(config)
  const logged = await readErasureLog(erasureLog)
  // A server that has locked the folder will not stop for this command.
  const folder = await openDataFolder({ path: config.dataDir, waitMs: LOCK_WAIT_MS })
  try {
    const database = await openDatabase(config, log)
    try {
      const { connection, description: place } = database
      let planned: PlannedErasures = { missing: 0, foreign: 0, known: 0 }
      const summary = await restoreBackup({
        connection,
        place,
        file,
        migrations,
        // In the transaction of the rows, so that the erasures to repeat are known however this
        // process ends.
        complete: async (client) => {
          planned = await planErasures(client, logged ?? [])
          await recordRestore(config, client, { createdAt, repeatedErasures: planned.missing })
        },
      })
      const repeated = await finishErasures(connection, log)
      const erasedAgain = logged === null ? null : { ...planned, ...repeated }
      return { ...summary, erasureLog, hadErasures: planned.known > 0, erasedAgain }
    } catch (error) {
      throw explainTrouble(error, database)
    } finally {
      await database.stop()
    }
  } finally {
    await folder.close()
  }
}

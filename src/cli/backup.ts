// `casework backup <file>` and `casework restore <file>`: everything in the database to one file
// and back.

import { resolve } from 'node:path'
import { backUp, type RestoreOutcome, restore } from '../app/backup/backup-data.ts'
import type { Config } from '../kernel/config.ts'
import { createLog, type Log } from '../kernel/log.ts'
import { requireConsent } from './confirm.ts'
import { describeErasedAgain } from './erase-again-command.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

type Flags = Readonly<Record<string, unknown>>

/** Writes the file; removes the partial file when it fails or is interrupted. */
export async function runBackup(file: string, flags: Flags): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => interruption.abort())
  }
  try {
    const summary = await backUp(config, createQuietLog(), resolve(file), interruption.signal)
    process.stdout.write(
      `Backed up ${summary.rows} rows of ${summary.tables} tables to ${file} (${formatSize(summary.bytes)}).\n`,
    )
  } catch (error) {
    if (!interruption.signal.aborted) throw error
    throw new CommandFailure('The backup was interrupted.', EXIT.interrupted, error)
  }
}

/** When it is killed, the database stays unchanged. */
export async function runRestore(file: string, flags: Flags): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const target = config.databaseUrl === null ? config.dataDir : 'the database of DATABASE_URL'
  await requireConsent(`Restore ${file} into ${target}?`, flags)
  const summary = await restore(config, createQuietLog(), resolve(file))
  const { erasedAgain, secretKeys } = summary
  process.stdout.write(
    `Restored ${summary.rows} rows of ${summary.tables} tables, as they were at ${summary.createdAt}; the schema is at version ${summary.schemaVersion}.\n`,
  )
  if (secretKeys.length > 0) process.stderr.write(explainSecretKeys(config, secretKeys))
  if (erasedAgain !== null) {
    process.stdout.write(describeErasedAgain(erasedAgain))
    return
  }
  process.stderr.write(explainNoErasureLog(summary))
}

/** The backup holds the secrets, not the key that they were encrypted with. */
function explainSecretKeys(
  { databaseUrl, secretKey, dataDir }: Config,
  keyIds: readonly string[],
): string {
  const place =
    databaseUrl === null && secretKey === null
      ? `the file secret.key of the former data folder, which belongs into ${dataDir}`
      : 'CASEWORK_SECRET_KEY of the former installation'
  return `Its stored secrets need the key ${keyIds.join(', ')}: that is in ${place}. The server does not start without it.\n`
}

function explainNoErasureLog({ erasureLog, hadErasures, createdAt }: RestoreOutcome): string {
  const remedy =
    'repeat it by the log of the former server: npx casework privacy erase-again <its data folder>/erasures.jsonl'
  return hadErasures
    ? `There is no log of erasures at ${erasureLog}: addresses that were erased after ${createdAt} are there again. If there was such an erasure, ${remedy}\n`
    : `No address was erased before the backup. If one was erased since, ${remedy}\n`
}

// The last line reports success.
function createQuietLog(): Log {
  return createLog({ level: 'warn', isForPeople: process.stderr.isTTY })
}

function formatSize(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}

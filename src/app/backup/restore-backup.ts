// Fills an empty database from the file of a backup, in one transaction: afterwards either all data
// is there, or nothing has changed.

import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { DatabaseConnection } from '../../kernel/db/database-hosts.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { applyMigrations, type Migration, prepareLedger } from '../../kernel/db/migrate.ts'
import { openClient } from '../../kernel/db/open-client.ts'
import { migrationWasEdited } from '../../kernel/errors.ts'
import {
  type BackupHeader,
  type BackupSequence,
  type BackupTable,
  quoteName,
} from './backup-format.ts'
import { hasLedger, listAppliedMigrations, listTables, TEXT_SETTINGS } from './catalogue.ts'
import {
  backupFileNotReadable,
  backupIsNewer,
  restoreTargetInUse,
  restoreTargetNotEmpty,
  restoreTargetVersion,
} from './errors.ts'
import { readBackup } from './read-backup.ts'
import { divideRows, restoreMonths } from './restore-months.ts'

export interface RestoreOptions {
  readonly connection: DatabaseConnection
  /** The target database, for messages. */
  readonly place: string
  readonly file: string
  /** The migrations of this program. */
  readonly migrations: readonly Migration[]
  /** Called in the same transaction, when the schema is up to date. */
  readonly complete?: (client: Client) => Promise<void>
}

export interface RestoreSummary {
  readonly tables: number
  readonly rows: number
  readonly createdAt: string
  /** The schema version the database has now. */
  readonly schemaVersion: number
  /** The ids of the keys that its secrets were encrypted with; no backup holds the keys. */
  readonly secretKeys: readonly string[]
}

/**
 * Reads the whole file once without touching anything: a truncated or altered file, and a file of a
 * newer program, is refused here. Throws BACKUP_FILE_NOT_READABLE, BACKUP_IS_NEWER or
 * KERNEL_MIGRATION_WAS_EDITED.
 */
export async function verifyBackup(
  file: string,
  migrations: readonly Migration[],
): Promise<BackupHeader> {
  let header: BackupHeader | undefined
  for await (const part of readBackup(file)) {
    if (part.kind !== 'header') continue
    header = part.header
    checkMigrations(file, header, migrations)
  }
  if (header === undefined) throw backupFileNotReadable(file, 'it is empty')
  return header
}

function checkMigrations(
  file: string,
  header: BackupHeader,
  migrations: readonly Migration[],
): void {
  if (header.migrations.length > migrations.length) {
    throw backupIsNewer(file, header.migrations.length, migrations.length)
  }
  for (const [index, { name, checksum }] of header.migrations.entries()) {
    if (migrations[index]?.checksum !== checksum) throw migrationWasEdited(name)
  }
}

/**
 * Restores a verified file. Throws BACKUP_TARGET_… when the database is not empty; the file is
 * checked once more on the way.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const { client, close } = await openClient(options.connection, 'casework restore')
  try {
    return await inInstance('restore', async () => {
      await client.query('begin')
      await client.query(TEXT_SETTINGS)
      const summary = await fill(client, options)
      await client.query('commit')
      return summary
    })
  } finally {
    // Without a commit, the database rolls back.
    await close()
  }
}

async function fill(client: Client, options: RestoreOptions): Promise<RestoreSummary> {
  let tables: readonly BackupTable[] = []
  let header: BackupHeader | undefined
  let copy: CopyIn | undefined
  let rows = 0
  for await (const part of readBackup(options.file)) {
    switch (part.kind) {
      case 'header':
        header = part.header
        tables = header.tables
        await prepareTarget(client, options, header)
        break
      case 'table':
        copy = startCopy(client, tables[part.index])
        break
      case 'rows':
        await copy?.write(part.bytes)
        break
      case 'end of table':
        if ((await copy?.end()) !== part.rows) {
          throw backupFileNotReadable(options.file, 'its rows are not as many as it says')
        }
        rows += part.rows
    }
  }
  if (header === undefined) throw backupFileNotReadable(options.file, 'it is empty')
  await client.query(bindOwner(true))
  for (const sequence of header.sequences) await setSequence(client, sequence)
  await applyMigrations(client, options.migrations)
  if (header.months.length === 0) await divideRows(client)
  await endSignIns(client)
  await options.complete?.(client)
  // Without statistics of the new rows, the first queries would scan whole tables.
  for (const { name } of await listTables(client)) await client.query(`analyze ${quoteName(name)}`)
  return {
    tables: tables.length,
    rows,
    createdAt: header.createdAt,
    schemaVersion: options.migrations.length,
    secretKeys: await listSecretKeys(client),
  }
}

// Afterwards the tables are those of the backup's schema version, and empty: migrations write rows
// too.
async function prepareTarget(
  client: Client,
  { place, file, migrations }: RestoreOptions,
  header: BackupHeader,
): Promise<void> {
  const version = header.migrations.length
  if (await hasLedger(client)) {
    const present = (await listAppliedMigrations(client)).length
    if (present > 0 && (await hasBeenUsed(client))) throw restoreTargetInUse(place)
    if (present > 0 && present !== version) throw restoreTargetVersion(place, present, version)
  } else if ((await listTables(client)).length > 0) {
    throw restoreTargetNotEmpty(place)
  }
  await prepareLedger(client)
  await applyMigrations(client, migrations.slice(0, version))
  const tables = await listTables(client)
  if (JSON.stringify(sortNames(tables)) !== JSON.stringify(sortNames(header.tables))) {
    throw backupFileNotReadable(file, 'its tables are not those of its schema version')
  }
  await client.query(`truncate ${tables.map(({ name }) => quoteName(name)).join(', ')}`)
  await restoreMonths(client, header.months)
  await client.query(bindOwner(false))
}

/**
 * COPY into a table is refused under row security. Its owner can be left out of it, until the end
 * of the restore, in the transaction that nobody else sees.
 */
function bindOwner(isBound: boolean): string {
  return `
    do $$
    declare
      name regclass;
    begin
      for name in
        select oid from pg_class
        where relnamespace = current_schema()::regnamespace and relrowsecurity and relforcerowsecurity <> ${isBound}
      loop
        execute format('alter table %s ${isBound ? '' : 'no '}force row level security', name);
      end loop;
    end $$`
}

/**
 * A session or a link that was ended after the backup must not come back to life by its restore.
 * People sign in anew.
 */
async function endSignIns(client: Client): Promise<void> {
  await client.query('update user_session set ended_at = now() where ended_at is null')
  await client.query('delete from device_code')
  await client.query('delete from provider_try')
  await client.query('update sign_in_link set used_at = now() where used_at is null')
  await client.query('delete from sign_in_step')
}

async function listSecretKeys(client: Client): Promise<readonly string[]> {
  const found = await client.query<{ key_id: string }>(
    `select key_id from secret union select secret_key_id from user_totp order by key_id`,
  )
  return found.rows.map((row) => row.key_id)
}

// Every first start makes a token, and a revoked one stays: so a database without tokens was
// migrated and never used.
async function hasBeenUsed(client: Client): Promise<boolean> {
  const found = await client.query('select 1 from api_token limit 1')
  return found.rows.length > 0
}

function sortNames(tables: readonly BackupTable[]): readonly string[] {
  return tables.map(({ name, columns }) => [name, ...columns.toSorted()].join(' ')).toSorted()
}

interface CopyIn {
  readonly write: (bytes: Buffer) => Promise<void>
  /** Returns the number of rows that were restored. */
  readonly end: () => Promise<number>
}

function startCopy(client: Client, table: BackupTable | undefined): CopyIn {
  if (table === undefined) throw new Error('a part of a table that the header does not name')
  const columns = table.columns.map(quoteName).join(', ')
  const stream = client.query(copyFrom(`copy ${quoteName(table.name)} (${columns}) from stdin`))
  const done = finished(stream)
  // The next write or the end of the stream throws it.
  done.catch(() => undefined)
  return {
    async write(bytes) {
      if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), done])
    },
    async end() {
      stream.end()
      await done
      return stream.rowCount
    },
  }
}

async function setSequence(client: Client, sequence: BackupSequence): Promise<void> {
  const { table, column, last } = sequence
  // The sequence may have been ahead of the rows, when the newest ones were deleted. It must not
  // give a number twice.
  await client.query(
    `select setval(pg_get_serial_sequence($1, $2), n)
     from (select greatest($3::bigint, (select max(${quoteName(column)}) from ${quoteName(table)})) as n) as highest
     where n is not null`,
    [quoteName(table), column, last],
  )
}

// Writes the whole database to one file, as it was at one instant, in constant memory.

import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { DatabaseConnection } from '../../kernel/db/database-hosts.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { openClient } from '../../kernel/db/open-client.ts'
import { syncFolder } from '../../kernel/sync-folder.ts'
import { hasErrorCode } from '../../kernel/system-error.ts'
import { readPackageVersion } from '../../values/resources.ts'
import { noDataThere } from '../errors.ts'
import {
  type BackupHeader,
  END_OF_ROWS,
  formatComment,
  formatCopyLine,
  formatHeader,
  quoteName,
} from './backup-format.ts'
import {
  hasLedger,
  listAppliedMigrations,
  listMonths,
  listSequences,
  listTables,
  TEXT_SETTINGS,
} from './catalogue.ts'
import { backupFileExists, backupFileNotWritable } from './errors.ts'

export interface WriteBackupOptions {
  readonly connection: DatabaseConnection
  /** The source database, for messages. */
  readonly place: string
  /** Must not exist; it appears when it is complete. */
  readonly file: string
  readonly signal: AbortSignal
}

export interface BackupSummary {
  readonly tables: number
  readonly rows: number
  /** The size of the file. */
  readonly bytes: number
}

// The lowest level already shrinks rows of JSON to a fifth, and is as fast as one connection.
const GZIP_LEVEL = 1

/** Throws BACKUP_… errors; the partial file is removed then. */
export async function writeBackup(options: WriteBackupOptions): Promise<BackupSummary> {
  const { file } = options
  if (existsSync(file)) throw backupFileExists(file)
  const { client, close } = await openClient(options.connection, 'casework backup')
  try {
    const header = await beginSnapshot(client, options.place)
    const counts = { tables: header.tables.length, rows: 0 }
    const partial = `${file}.partial`
    try {
      await pipeline(
        Readable.from(produceText(client, header, counts), { objectMode: false }),
        createGzip({ level: GZIP_LEVEL }),
        // The file holds personal data, so only its owner may read it. It is flushed to the disk
        // before it gets its name.
        createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
        { signal: options.signal },
      )
      if (existsSync(file)) throw backupFileExists(file)
      await rename(partial, file)
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST')) throw backupFileExists(partial)
      await rm(partial, { force: true })
      if (error instanceof Error && 'syscall' in error) throw backupFileNotWritable(file, error)
      throw error
    }
    syncFolder(dirname(file))
    return { ...counts, bytes: statSync(file).size }
  } finally {
    await close()
  }
}

// One snapshot for all tables, and a lock against changes of the schema meanwhile.
async function beginSnapshot(client: Client, place: string): Promise<BackupHeader> {
  await inInstance('backup', () => client.query('begin isolation level repeatable read read only'))
  await client.query(TEXT_SETTINGS)
  if (!(await hasLedger(client))) throw noDataThere(place)
  const tables = await listTables(client)
  if (tables.length === 0) throw noDataThere(place)
  await client.query(
    `lock table ${tables.map(({ name }) => quoteName(name)).join(', ')} in access share mode`,
  )
  return {
    programVersion: readPackageVersion(),
    createdAt: new Date().toISOString(),
    migrations: await listAppliedMigrations(client),
    tables,
    sequences: await listSequences(client),
    months: await listMonths(client),
  }
}

async function* produceText(
  client: Client,
  header: BackupHeader,
  counts: { rows: number },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const note = (bytes: Buffer): Buffer => {
    hash.update(bytes)
    return bytes
  }
  yield note(Buffer.from(formatHeader(header)))
  for (const table of header.tables) {
    yield note(Buffer.from(formatCopyLine(table)))
    const columns = table.columns.map(quoteName).join(', ')
    // COPY of a table that is divided by months would be empty: it does not look into partitions.
    const rows = `select ${columns} from ${quoteName(table.name)}`
    const copy = client.query(copyTo(`copy (${rows}) to stdout`))
    for await (const chunk of copy) yield note(toBuffer(chunk))
    yield note(END_OF_ROWS)
    yield note(Buffer.from(formatComment({ table: table.name, rows: copy.rowCount })))
    counts.rows += copy.rowCount
  }
  yield Buffer.from(formatComment({ sha256: hash.digest('hex') }))
}

function toBuffer(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  throw new TypeError('COPY gave something else than bytes')
}

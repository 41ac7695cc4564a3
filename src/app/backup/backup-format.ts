// The file format of a backup: a gzipped psql script, so that a backup can be read, and in an
// emergency loaded, without casework. Comment lines hold the data that a restore checks. The format
// is described in docs/guides/backup-and-restore.md.

/** Raised when a reader of the old files would misread the new ones. */
const BACKUP_FORMAT_VERSION = 1
const FORMAT_NAME = 'casework-backup'

/** The comment in the first line. */
export interface BackupHeader {
  readonly programVersion: string
  readonly createdAt: string
  /** The migrations that the database had, in their order; their number is the schema version. */
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
  /** In the order in which they can be filled: a table comes after the tables that it refers to. */
  readonly tables: readonly BackupTable[]
  readonly sequences: readonly BackupSequence[]
  /** Partitions of tables that are divided by months. Backups did not always note them. */
  readonly months: readonly BackupMonth[]
}

/** A partition of the ids from one (null: the lowest) up to another one (exclusive). */
export interface BackupMonth {
  readonly table: string
  readonly name: string
  readonly from: string | null
  readonly until: string
}

export interface BackupTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** The counter behind a column that numbers its rows; null when it is unused. */
export interface BackupSequence {
  readonly table: string
  readonly column: string
  readonly last: string | null
}

/**
 * Ends the rows of a table (as psql has it); a row never looks like it, because COPY writes a
 * backslash as two.
 */
export const END_OF_ROWS = Buffer.from('\\.\n')

export function formatHeader(header: BackupHeader): string {
  return formatComment({
    format: FORMAT_NAME,
    format_version: BACKUP_FORMAT_VERSION,
    program_version: header.programVersion,
    schema_version: header.migrations.length,
    created_at: header.createdAt,
    migrations: header.migrations,
    tables: header.tables,
    sequences: header.sequences,
    months: header.months,
  })
}

export function formatComment(value: object): string {
  return `-- ${JSON.stringify(value)}\n`
}

export function formatCopyLine(table: BackupTable): string {
  return `COPY ${quoteName(table.name)} (${table.columns.map(quoteName).join(', ')}) FROM stdin;\n`
}

/** A name as an SQL identifier, whatever characters it has. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The JSON object of a comment line, or null when the line is none. */
export function parseComment(line: string): Readonly<Record<string, unknown>> | null {
  if (!line.startsWith('-- {')) return null
  try {
    const value: unknown = JSON.parse(line.slice('-- '.length))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Parses the first line; a string is the reason of a refusal, as a part of a sentence. */
export function parseHeader(line: string): BackupHeader | string {
  const comment = parseComment(line)
  if (comment?.['format'] !== FORMAT_NAME) return 'its first line is not that of a backup'
  if (comment['format_version'] !== BACKUP_FORMAT_VERSION) {
    return `it has format ${String(comment['format_version'])}, and this program reads format ${BACKUP_FORMAT_VERSION}`
  }
  const { migrations, tables, sequences, months = [], program_version, created_at } = comment
  if (
    !isListOf(migrations, isMigration) ||
    !isListOf(tables, isTable) ||
    !isListOf(sequences, isSequence) ||
    !isListOf(months, isMonth)
  ) {
    return 'its first line is damaged'
  }
  return {
    programVersion: String(program_version),
    createdAt: String(created_at),
    migrations,
    tables,
    sequences,
    months,
  }
}

function isMigration(value: unknown): value is BackupHeader['migrations'][number] {
  return (
    isRecord(value) && typeof value['name'] === 'string' && typeof value['checksum'] === 'string'
  )
}

function isTable(value: unknown): value is BackupTable {
  return (
    isRecord(value) && typeof value['name'] === 'string' && isListOf(value['columns'], isString)
  )
}

function isSequence(value: unknown): value is BackupSequence {
  if (!isRecord(value)) return false
  const { table, column, last } = value
  return isString(table) && isString(column) && (last === null || isString(last))
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function isMonth(value: unknown): value is BackupMonth {
  if (!isRecord(value)) return false
  const { table, name, from, until } = value
  return isString(table) && isString(name) && (from === null || isId(from)) && isId(until)
}

function isId(value: unknown): value is string {
  return isString(value) && UUID.test(value)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isListOf<Item>(
  value: unknown,
  isItem: (item: unknown) => item is Item,
): value is readonly Item[] {
  return Array.isArray(value) && value.every(isItem)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

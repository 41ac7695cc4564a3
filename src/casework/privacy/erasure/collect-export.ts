// Everything that a tenant holds about a person, found by an e-mail address and by a name as it was
// given: the rows in which one of them stands, a bounded part at a time. It goes the way of an
// erasure (erase-slice.ts) and changes nothing.

import type { Db } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { type ErasedAddresses, escapeLike } from './erased-address.ts'
import {
  type ErasableTable,
  listErasableTables,
  readRecords,
  readRowTexts,
} from './erased-text-store.ts'
import { holdsAddress, readBytesAsTexts } from './find-erased-addresses.ts'
import { readNextRawReports } from './raw-report-scan.ts'
import { SETTINGS_TABLES } from './settings-tables.ts'

export interface ExportedRow {
  readonly table: string
  /** Its columns in which the address or the name stands. */
  readonly foundIn: readonly string[]
  readonly record: Readonly<Record<string, unknown>>
}

/** Where to go on; the first table from this name on. */
export interface ExportPlace {
  readonly table: string
  readonly page: number
  /** Of raw reports, which have a key instead of pages; hexadecimal. */
  readonly key: string
}

export const EXPORT_START: ExportPlace = { table: '', page: 0, key: '' }

export interface ExportWish {
  readonly addresses: ErasedAddresses
  readonly name: string | null
  readonly place: ExportPlace
  /** After which no further slice is begun. */
  readonly budgetMs: number
}

export interface ExportPart {
  readonly rows: readonly ExportedRow[]
  /** Null at the end. */
  readonly next: ExportPlace | null
}

// 1 MB of a table: no more than some thousand rows.
const PAGES_A_SLICE = 128
const RAW_SLICE = { rowsMax: 50, bytesMax: 2_097_152 }
// After which no further slice is begun.
const ROWS_MAX = 1_000
const RAW_BYTES_MAX = 4_194_304

export async function exportPart(
  db: Db,
  scope: TenantScope,
  wish: ExportWish,
): Promise<ExportPart> {
  const tables = await listErasableTables(db)
  const endsAtMs = performance.now() + wish.budgetMs
  const rows: ExportedRow[] = []
  let rawBytes = 0
  let place: ExportPlace | null = wish.place
  // Ends: each slice begins where the one before ended, and the tables are finite.
  while (place !== null) {
    const slice: Slice = await (place.table === ''
      ? exportRawReports(db, scope, wish, place)
      : exportPages(db, scope, wish, tables, place))
    rows.push(...slice.rows)
    rawBytes += slice.rawBytes
    place = slice.next
    const isFull = rows.length >= ROWS_MAX || rawBytes >= RAW_BYTES_MAX
    if (isFull || performance.now() >= endsAtMs) break
  }
  return { rows, next: place }
}

interface Slice extends ExportPart {
  readonly rawBytes: number
}

async function exportRawReports(
  db: Db,
  scope: TenantScope,
  wish: ExportWish,
  place: ExportPlace,
): Promise<Slice> {
  const walked = await readNextRawReports(db, scope, place.key, RAW_SLICE)
  const found = walked.filter(({ bytes }) =>
    readBytesAsTexts(bytes).some((text) => isIn(text, wish, true)),
  )
  const key = walked.at(-1)?.sha256.toString('hex')
  return {
    rows: found.map(({ sha256, bytes }) => ({
      table: 'report_raw',
      foundIn: ['bytes'],
      record: { sha256: sha256.toString('hex'), bytes_base64: bytes.toString('base64') },
    })),
    rawBytes: found.reduce((sum, { bytes }) => sum + bytes.length, 0),
    next: key === undefined ? { table: ' ', page: 0, key: '' } : { table: '', page: 0, key },
  }
}

async function exportPages(
  db: Db,
  scope: TenantScope,
  wish: ExportWish,
  tables: readonly ErasableTable[],
  place: ExportPlace,
): Promise<Slice> {
  const table = tables.find((one) => one.name >= place.table)
  if (table === undefined) return { rows: [], rawBytes: 0, next: null }
  const { name, pages } = table
  const from = name === place.table ? place.page : 0
  const range = { from, before: from + PAGES_A_SLICE }
  const { likes } = wish.addresses
  const all = likes === null || wish.name === null ? likes : [...likes, writeLike(wish.name)]
  const texts = await readRowTexts(db, scope, table, range, all)
  const places = texts.filter(({ text }) => isIn(text, wish, true)).map((text) => text.place)
  const records = await readRecords(db, scope, name, places)
  const rows = records.flatMap((record) => {
    const foundIn = table.columns
      .filter((column) => isInColumn(record[column.name], wish, column.kind === 'json'))
      .map((column) => column.name)
    if (foundIn.length === 0) return []
    return [{ table: name, foundIn, record: chooseColumns(table, record, foundIn, wish) }]
  })
  const isEnd = range.before >= pages
  // No name of a table has a blank; the next one in the order of names follows.
  const next = isEnd ? { table: `${name} `, page: 0 } : { table: name, page: range.before }
  return { rows, rawBytes: 0, next: { ...next, key: '' } }
}

function chooseColumns(
  { name, columns }: ErasableTable,
  record: ExportedRow['record'],
  foundIn: readonly string[],
  wish: ExportWish,
): ExportedRow['record'] {
  // What is set up holds secrets and is nobody's: only where it stands is told.
  const isSetting = SETTINGS_TABLES.has(name)
  const lists = new Set(columns.filter(({ kind }) => kind === 'list').map((column) => column.name))
  return Object.fromEntries(
    Object.entries(record).flatMap(([column, value]) => {
      if (value === null) return []
      if (isSetting && column !== 'id' && !foundIn.includes(column)) return []
      if (!lists.has(column) || !Array.isArray(value)) return [[column, value]]
      // Other people's addresses are theirs.
      const own = value.filter(
        (word) => !String(word).includes('@') || isIn(String(word), wish, false),
      )
      return [[column, own]]
    }),
  )
}

function isInColumn(value: unknown, wish: ExportWish, isJson: boolean): boolean {
  if (value === null || value === undefined) return false
  if (isJson) return isIn(JSON.stringify(value), wish, true)
  const words: readonly unknown[] = Array.isArray(value) ? value : [value]
  return words.some((word) => isIn(String(word), wish, false))
}

function isIn(text: string, { addresses, name }: ExportWish, isJson: boolean): boolean {
  if (holdsAddress(text, addresses, isJson)) return true
  return name !== null && text.toLowerCase().includes(name.toLowerCase())
}

function writeLike(name: string): string {
  return `%${escapeLike(name.toLowerCase())}%`
}

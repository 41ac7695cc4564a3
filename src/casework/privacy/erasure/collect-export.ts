// Collects the rows of a tenant that contain a person's e-mail address or name, a bounded part at a
// time. It reads the tables as an erasure does (erase-slice.ts) and changes nothing.

import type { Db } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { afterRawReports, afterRows, readKey } from './erase-slice.ts'
import { type ErasedAddresses, escapeLike } from './erased-address.ts'
import {
  findSliceEnd,
  listErasableColumns,
  readRecords,
  readRowTexts,
} from './erased-text-store.ts'
import { PERSONAL_TABLES, type PersonalTable } from './personal-columns.ts'
import type { RawSearcher } from './raw-searcher.ts'
import { isInText } from './search-raw-bytes.ts'

interface ExportedRow {
  readonly table: string
  /** The columns that contain the address or the name. */
  readonly foundIn: readonly string[]
  readonly record: Readonly<Record<string, unknown>>
}

/** Where the next slice begins: in the first table at or after this name. */
export interface ExportPosition {
  readonly table: string
  /** The last row before: hexadecimal for raw reports, else JSON; empty at the start. */
  readonly key: string
}

export const EXPORT_START: ExportPosition = { table: '', key: '' }

export interface ExportRequest {
  readonly addresses: ErasedAddresses
  readonly name: string | null
  readonly position: ExportPosition
  /** No further slice begins after this time. */
  readonly budgetMs: number
}

export interface ExportDeps {
  readonly db: Db
  readonly rawSearcher: RawSearcher
}

export interface ExportPart {
  readonly rows: readonly ExportedRow[]
  /** Ids of reports whose bytes could not be searched. */
  readonly unsearched: readonly string[]
  /** Null at the end. */
  readonly next: ExportPosition | null
}

const ROWS_A_SLICE = 2_000
const RAW_ROWS_MAX = 50
// No further slice begins at these limits.
const ROWS_MAX = 1_000
const RAW_BYTES_MAX = 4_194_304

/** The rows from the position of the request on, until a limit is reached. */
export async function exportPart(
  deps: ExportDeps,
  scope: TenantScope,
  request: ExportRequest,
): Promise<ExportPart> {
  const { db } = deps
  const endsAtMs = performance.now() + request.budgetMs
  const rows: ExportedRow[] = []
  const unsearched: string[] = []
  let rawBytes = 0
  let position: ExportPosition | null = request.position
  // Ends: each slice begins where the one before ended, and the tables are finite.
  while (position !== null) {
    const slice: Slice = await (position.table === ''
      ? exportRawReports(deps, scope, request, position)
      : exportTable(db, scope, request, position))
    rows.push(...slice.rows)
    unsearched.push(...slice.unsearched)
    rawBytes += slice.rawBytes
    position = slice.next
    const isFull = rows.length >= ROWS_MAX || rawBytes >= RAW_BYTES_MAX
    if (isFull || performance.now() >= endsAtMs) break
  }
  return { rows, unsearched, next: position }
}

interface Slice extends ExportPart {
  readonly rawBytes: number
}

async function exportRawReports(
  { db, rawSearcher }: ExportDeps,
  scope: TenantScope,
  request: ExportRequest,
  position: ExportPosition,
): Promise<Slice> {
  const { addresses, name } = request
  const { found, unsearched, lastKey } = await rawSearcher.searchNext(db, {
    scope,
    afterKey: position.key,
    rowsMax: RAW_ROWS_MAX,
    query: { wanted: addresses.wanted, name },
  })
  return {
    rows: found.map(({ sha256, bytes }) => ({
      table: 'report_raw',
      foundIn: ['bytes'],
      record: { sha256: sha256.toString('hex'), bytes_base64: bytes.toString('base64') },
    })),
    rawBytes: found.reduce((sum, { bytes }) => sum + bytes.length, 0),
    unsearched,
    next: afterRawReports(lastKey),
  }
}

async function exportTable(
  db: Db,
  scope: TenantScope,
  request: ExportRequest,
  position: ExportPosition,
): Promise<Slice> {
  const table = PERSONAL_TABLES.find((one) => one.name >= position.table)
  if (table === undefined) return { rows: [], rawBytes: 0, unsearched: [], next: null }
  const after = readKey(table, position)
  const until = await findSliceEnd(db, scope, table, after, ROWS_A_SLICE)
  const { likes } = request.addresses
  const all = likes === null || request.name === null ? likes : [...likes, writeLike(request.name)]
  const texts = await readRowTexts(db, scope, table, { after, until }, all)
  const found = texts.filter(({ text }) => isInText(text, request, true))
  const keys = found.map(({ key }) => key)
  const records = await readRecords(db, scope, table, keys)
  const rows = records.flatMap((record) => {
    const foundIn = listErasableColumns(table)
      .filter((column) => isInColumn(record[column.name], request, column.kind === 'json'))
      .map((column) => column.name)
    if (foundIn.length === 0) return []
    return [{ table: table.name, foundIn, record: chooseColumns(table, record, foundIn, request) }]
  })
  return { rows, rawBytes: 0, unsearched: [], next: afterRows(table, until) }
}

function chooseColumns(
  table: PersonalTable,
  record: ExportedRow['record'],
  foundIn: readonly string[],
  request: ExportRequest,
): ExportedRow['record'] {
  // Settings may contain secrets and belong to no person: only the columns that were found are
  // shown.
  const isSetting = table.use === 'settings'
  const columns = listErasableColumns(table)
  const lists = new Set(columns.filter(({ kind }) => kind === 'list').map((column) => column.name))
  return Object.fromEntries(
    Object.entries(record).flatMap(([column, value]) => {
      if (value === null) return []
      if (isSetting && column !== 'id' && !foundIn.includes(column)) return []
      if (!lists.has(column) || !Array.isArray(value)) return [[column, value]]
      // Addresses of other people are left out.
      const own = value.filter(
        (word) => !String(word).includes('@') || isInText(String(word), request, false),
      )
      return [[column, own]]
    }),
  )
}

function isInColumn(value: unknown, request: ExportRequest, isJson: boolean): boolean {
  if (value === null || value === undefined) return false
  if (isJson) return isInText(JSON.stringify(value), request, true)
  const words: readonly unknown[] = Array.isArray(value) ? value : [value]
  return words.some((word) => isInText(String(word), request, false))
}

function writeLike(name: string): string {
  return `%${escapeLike(name.toLowerCase())}%`
}

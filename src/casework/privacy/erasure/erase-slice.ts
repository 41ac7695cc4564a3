// One slice of an erasure: some rows of a table, or some raw reports. The result has the counts of
// changed and kept rows, and the position of the next slice.

import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { type EventItems, noteItems } from '../../sightings/sighting-change-store.ts'
import { listContentsOnLegalHold } from '../legal-holds/legal-hold-store.ts'
import { eraseRawBytes, findContents } from '../retention/retention-store.ts'
import type { ErasedAddresses } from './erased-address.ts'
import {
  type ColumnValue,
  deleteRows,
  type ErasableColumn,
  type FoundRow,
  findSliceEnd,
  listErasableColumns,
  type RowKey,
  readRows,
  readRowTexts,
  writeRows,
} from './erased-text-store.ts'
import type { ErasurePosition } from './erasure-store.ts'
import { holdsAddress, replaceAddresses } from './find-erased-addresses.ts'
import type { PersonalTable } from './personal-columns.ts'
import type { RawSearchSlice } from './raw-searcher.ts'

/** Rows by table, and for `kept` by table and column. */
export type Counts = Readonly<Record<string, number>>

export interface SliceRequest {
  readonly scope: TenantScope
  readonly position: ErasurePosition
  readonly isPreview: boolean
  /** Later passes go through the same rows again, and must not count them again. */
  readonly isFirstPass: boolean
  /** Cases that are on legal hold. */
  readonly casesOnLegalHold: readonly string[]
  readonly addresses: ErasedAddresses
}

export interface Slice {
  readonly counts: {
    readonly changed: Counts
    readonly kept: Counts
    readonly onLegalHold: Counts
  }
  readonly next: Pick<ErasurePosition, 'table' | 'key'>
  /** Cases to recount. */
  readonly recount: readonly string[]
  /** Ids of reports whose bytes could not be searched. */
  readonly unsearched: readonly string[]
}

// Some 4 MB of events.
const ROWS_A_SLICE = 10_000

// The reports of changed rows of these tables lose their bytes, however the address is written in
// them. By table: the column with the id of the report.
const REPORT_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['event', 'report_id'],
  ['report', 'id'],
  ['report_correction', 'report_id'],
])

/** Removes the bytes that contain an address. They were searched before the transaction. */
export async function eraseInRawReports(
  tx: Tx,
  { scope, isPreview, isFirstPass, casesOnLegalHold }: SliceRequest,
  { found: reports, unsearched, lastKey }: RawSearchSlice,
): Promise<Slice> {
  const found = reports.map(({ sha256 }) => sha256)
  const onHold = await listContentsOnLegalHold(tx, scope, found, casesOnLegalHold)
  const erasable = found.filter((sha256) => !onHold.has(sha256.toString('hex')))
  if (!isPreview) await eraseRawBytes(tx, scope, erasable)
  return {
    counts: {
      changed: countRows('report_raw', erasable.length),
      kept: {},
      onLegalHold: isFirstPass ? countRows('report_raw', onHold.size) : {},
    },
    next: afterRawReports(lastKey),
    recount: [],
    unsearched,
  }
}

/** The position after a slice of raw reports, which come before all tables. */
export function afterRawReports(lastKey: string | null): Slice['next'] {
  if (lastKey === null) return { table: ' ', key: '' }
  return { table: '', key: lastKey }
}

/** Reads where the next slice of this table begins; null: with its first row. */
export function readKey(
  table: PersonalTable,
  position: Pick<ErasurePosition, 'table' | 'key'>,
): RowKey | null {
  if (position.table !== table.name || position.key === '') return null
  const key: unknown = JSON.parse(position.key)
  const isKey = Array.isArray(key) && key.length === Object.keys(table.key).length
  if (!isKey) throw new Error(`a position in the table ${table.name} has no key of it`)
  return key.map(String)
}

/** The position after a slice that ended with this key; null: with the last row of the table. */
export function afterRows({ name }: PersonalTable, until: RowKey | null): Slice['next'] {
  // The name with a space sorts after the table and before the next one; no table name has a space.
  return until === null
    ? { table: `${name} `, key: '' }
    : { table: name, key: JSON.stringify(until) }
}

export async function eraseInRows(
  tx: Tx,
  request: SliceRequest,
  table: PersonalTable,
): Promise<Slice> {
  const { scope, position, isPreview, isFirstPass, casesOnLegalHold, addresses } = request
  const { name } = table
  const after = readKey(table, position)
  const until = await findSliceEnd(tx, scope, table, after, ROWS_A_SLICE)
  const texts = await readRowTexts(tx, scope, table, { after, until }, addresses.likes)
  const found = texts.filter(({ text }) => holdsAddress(text, addresses, true))
  const extraColumn = REPORT_COLUMNS.get(name) ?? (name === 'abuse_case' ? 'id' : 'tenant_id')
  const rows = await readRows(tx, scope, table, {
    keys: found.map(({ key }) => key),
    casesOnLegalHold,
    extraColumn,
    isLocked: !isPreview,
  })
  const plan = planRows(table, rows, addresses)
  let counts = {
    changed: countRows(name, plan.changes.length),
    kept: isFirstPass ? plan.kept : {},
    onLegalHold: isFirstPass ? countRows(name, plan.onLegalHoldCount) : {},
  }
  if (!isPreview) {
    const removed = await writePlan(tx, request, table, plan)
    if (removed > 0) counts = { ...counts, changed: { ...counts.changed, report_raw: removed } }
  }
  const recount =
    name === 'abuse_case'
      ? plan.changes.filter(hasShorterList).flatMap(({ row }) => row.extra ?? [])
      : []
  const next = afterRows(table, until)
  return { counts, next, recount: isPreview ? [] : recount, unsearched: [] }
}

interface Change {
  readonly row: FoundRow
  /** Of all columns of the table, in their order. */
  readonly values: readonly ColumnValue[]
}

interface RowPlan {
  readonly columns: readonly ErasableColumn[]
  readonly changes: readonly Change[]
  readonly kept: Counts
  readonly onLegalHoldCount: number
}

function planRows(
  table: PersonalTable,
  rows: readonly FoundRow[],
  addresses: ErasedAddresses,
): RowPlan {
  const columns = listErasableColumns(table)
  const kept: Record<string, number> = {}
  const changes: Change[] = []
  let onLegalHoldCount = 0
  for (const row of rows) {
    const values = row.values.map((value, index) => erase(columns[index], value, addresses))
    const isChanged = columns.map((_, index) => values[index] !== row.values[index])
    for (const [index, { name, isKept }] of columns.entries()) {
      if (isChanged[index] !== true || !isKept) continue
      kept[`${table.name}.${name}`] = (kept[`${table.name}.${name}`] ?? 0) + 1
    }
    if (!columns.some(({ isKept }, index) => isChanged[index] === true && !isKept)) continue
    if (row.isOnLegalHold) onLegalHoldCount += 1
    else changes.push({ row, values })
  }
  return { columns, changes, kept, onLegalHoldCount }
}

/** The value without the addresses; the same object when none is in it. */
function erase(
  column: ErasableColumn | undefined,
  value: ColumnValue,
  addresses: ErasedAddresses,
): ColumnValue {
  if (value === null) return null
  if (typeof value === 'string') return replaceAddresses(value, addresses, column?.kind === 'json')
  const words = value.map((word) => replaceAddresses(word, addresses, false))
  if (words.every((word, index) => word === value[index])) return value
  // Lists are sets: two spellings of an address become one value, as in a recount of the events.
  return [...new Set(words)]
}

/** Writes the changed rows. Returns the number of raw reports whose bytes it removed. */
async function writePlan(
  tx: Tx,
  { scope, casesOnLegalHold }: SliceRequest,
  table: PersonalTable,
  { columns, changes }: RowPlan,
): Promise<number> {
  if (table.use === 'copies') {
    await deleteRows(
      tx,
      scope,
      table,
      changes.map(({ row }) => row.key),
    )
    return 0
  }
  const written = changes.map(({ row, values }) => ({
    key: row.key,
    values: values.filter((_, index) => columns[index]?.isKept === false),
  }))
  const erasable = columns.filter(({ isKept }) => !isKept)
  await writeRows(tx, scope, table, erasable, written)
  if (table.name === 'event') {
    const items = changes.map((one) => readItems(columns, one))
    await noteItems(tx, scope, items)
  }
  if (!REPORT_COLUMNS.has(table.name)) return 0
  const reportIds = changes.flatMap(({ row }) => (row.extra === null ? [] : [row.extra]))
  const contents = await findContents(tx, scope, reportIds)
  const onHold = await listContentsOnLegalHold(tx, scope, contents, casesOnLegalHold)
  const removed = contents.filter((sha256) => !onHold.has(sha256.toString('hex')))
  await eraseRawBytes(tx, scope, removed)
  return removed.length
}

/** The address and the domain of an event, as before the erasure: its sightings lose a reporter. */
function readItems(columns: readonly ErasableColumn[], { row }: Change): EventItems {
  const read = (name: string): string | null => {
    const value = row.values[columns.findIndex((column) => column.name === name)]
    return typeof value === 'string' ? value : null
  }
  return { ip: read('ip'), domain: read('domain') }
}

/** Whether two values of a list became one, which gives room for a value that was left out. */
function hasShorterList({ row, values }: Change): boolean {
  return values.some((value, index) => {
    const before = row.values[index]
    return Array.isArray(value) && Array.isArray(before) && value.length < before.length
  })
}

function countRows(name: string, count: number): Counts {
  return count === 0 ? {} : { [name]: count }
}

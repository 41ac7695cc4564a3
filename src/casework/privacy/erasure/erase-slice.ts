// One slice of an erasure: some pages of a table, or some raw reports. The result has the counts of
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
  type ErasableTable,
  type FoundRow,
  readRows,
  readRowTexts,
  writeRows,
} from './erased-text-store.ts'
import type { ErasurePosition } from './erasure-store.ts'
import { holdsAddress, replaceAddresses } from './find-erased-addresses.ts'
import type { RawSearchSlice } from './raw-searcher.ts'
import { SETTINGS_TABLES } from './settings-tables.ts'

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
  readonly next: Pick<ErasurePosition, 'table' | 'page' | 'key'>
  /** Cases to recount. */
  readonly recount: readonly string[]
  /** Ids of reports whose bytes could not be searched. */
  readonly unsearched: readonly string[]
}

// 8 MB of a table; some 20,000 events.
const PAGES_A_SLICE = 1_024

// Copies of answers of an owner resolver: deleted, not changed.
const COPIES = new Set(['owner_answer'])
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
  if (lastKey === null) return { table: ' ', page: 0, key: '' }
  return { table: '', page: 0, key: lastKey }
}

export async function eraseInPages(
  tx: Tx,
  request: SliceRequest,
  table: ErasableTable,
): Promise<Slice> {
  const { scope, position, isPreview, isFirstPass, casesOnLegalHold, addresses } = request
  const { name, pages, table: kind } = table
  const from = name === position.table ? position.page : 0
  const range = { from, before: from + PAGES_A_SLICE }
  const texts = await readRowTexts(tx, scope, table, range, addresses.likes)
  const found = texts.filter(({ text }) => holdsAddress(text, addresses, true))
  const ctids = found.map(({ ctid }) => ctid)
  const extraColumn = REPORT_COLUMNS.get(kind) ?? (kind === 'abuse_case' ? 'id' : 'tenant_id')
  const rows = await readRows(tx, scope, table, {
    ctids,
    casesOnLegalHold,
    extraColumn,
    isLocked: !isPreview,
  })
  const plan = planRows(table, rows, addresses)
  let counts = {
    changed: countRows(kind, plan.changes.length),
    kept: isFirstPass ? plan.kept : {},
    onLegalHold: isFirstPass ? countRows(kind, plan.onLegalHoldCount) : {},
  }
  if (!isPreview) {
    const removed = await writePlan(tx, request, table, plan)
    if (removed > 0) counts = { ...counts, changed: { ...counts.changed, report_raw: removed } }
  }
  const isEnd = range.before >= pages
  // The name with a space sorts after the table and before the next one; no table name has a space.
  const next = isEnd ? { table: `${name} `, page: 0 } : { table: name, page: range.before }
  const recount =
    kind === 'abuse_case'
      ? plan.changes.filter(hasShorterList).flatMap(({ row }) => row.extra ?? [])
      : []
  return { counts, next: { ...next, key: '' }, recount: isPreview ? [] : recount, unsearched: [] }
}

interface Change {
  readonly row: FoundRow
  /** Of all columns of the table, in their order. */
  readonly values: readonly ColumnValue[]
}

interface RowPlan {
  readonly erasable: readonly ErasableColumn[]
  readonly changes: readonly Change[]
  readonly kept: Counts
  readonly onLegalHoldCount: number
}

function planRows(
  { table, columns }: ErasableTable,
  rows: readonly FoundRow[],
  addresses: ErasedAddresses,
): RowPlan {
  const isKept = ({ isKey }: ErasableColumn): boolean =>
    !COPIES.has(table) && (SETTINGS_TABLES.has(table) || isKey)
  const kept: Record<string, number> = {}
  const changes: Change[] = []
  let onLegalHoldCount = 0
  for (const row of rows) {
    const values = row.values.map((value, index) => erase(columns[index], value, addresses))
    const isChanged = columns.map((_, index) => values[index] !== row.values[index])
    for (const [index, column] of columns.entries()) {
      if (isChanged[index] !== true || !isKept(column)) continue
      kept[`${table}.${column.name}`] = (kept[`${table}.${column.name}`] ?? 0) + 1
    }
    if (!columns.some((column, index) => isChanged[index] === true && !isKept(column))) continue
    if (row.isOnLegalHold) onLegalHoldCount += 1
    else changes.push({ row, values })
  }
  return { erasable: columns.filter((column) => !isKept(column)), changes, kept, onLegalHoldCount }
}

/** The same object when no address is in the value. */
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
  { name, table, columns }: ErasableTable,
  { erasable, changes }: RowPlan,
): Promise<number> {
  if (COPIES.has(table)) {
    await deleteRows(
      tx,
      scope,
      name,
      changes.map(({ row }) => row.ctid),
    )
    return 0
  }
  const written = changes.map(({ row, values }) => ({
    ctid: row.ctid,
    values: values.filter((_, index) => erasable.some((column) => column === columns[index])),
  }))
  await writeRows(tx, scope, name, erasable, written)
  if (table === 'event') {
    const items = changes.map((one) => readItems(columns, one))
    await noteItems(tx, scope, items)
  }
  if (!REPORT_COLUMNS.has(table)) return 0
  const reportIds = changes.flatMap(({ row }) => (row.extra === null ? [] : [row.extra]))
  const contents = await findContents(tx, scope, reportIds)
  const onHold = await listContentsOnLegalHold(tx, scope, contents, casesOnLegalHold)
  const removed = contents.filter((sha256) => !onHold.has(sha256.toString('hex')))
  await eraseRawBytes(tx, scope, removed)
  return removed.length
}

/** The address and the host of an event, whose reporter no longer counts. */
function readItems(columns: readonly ErasableColumn[], { row }: Change): EventItems {
  const read = (name: string): string | null => {
    const value = row.values[columns.findIndex((column) => column.name === name)]
    return typeof value === 'string' ? value : null
  }
  return { ip: read('ip'), domain: read('domain') }
}

function hasShorterList({ row, values }: Change): boolean {
  return values.some((value, index) => {
    const before = row.values[index]
    return Array.isArray(value) && Array.isArray(before) && value.length < before.length
  })
}

function countRows(name: string, count: number): Counts {
  return count === 0 ? {} : { [name]: count }
}

// One slice of an erasure: some pages of a table, or some raw reports. It says what it changed and
// what it left, and where the next begins.

import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { listHeldContents } from '../legal-holds/legal-hold-store.ts'
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
import type { ErasurePlace } from './erasure-store.ts'
import { holdsAddress, readBytesAsTexts, replaceAddresses } from './find-erased-addresses.ts'
import { readNextRawReports } from './raw-report-scan.ts'
import { SETTINGS_TABLES } from './settings-tables.ts'

/** Rows by table, and for `kept` by table and column. */
export type Counts = Readonly<Record<string, number>>

export interface SliceWish {
  readonly scope: TenantScope
  readonly place: ErasurePlace
  readonly isPreview: boolean
  /** Later ones go through the same rows again. */
  readonly isFirstPass: boolean
  /** Cases that are held. */
  readonly held: readonly string[]
  readonly addresses: ErasedAddresses
}

export interface Slice {
  readonly counts: { readonly changed: Counts; readonly kept: Counts; readonly held: Counts }
  readonly next: Pick<ErasurePlace, 'table' | 'page' | 'key'>
  /** Cases that must be counted anew. */
  readonly recount: readonly string[]
}

// 8 MB of a table; some 20,000 events.
const PAGES_A_SLICE = 1_024
// Longer would hold up everybody else on this node.
const RAW_SLICE = { rowsMax: 200, bytesMax: 2_097_152 }

// Copies of what others answered.
const COPIES = new Set(['owner_answer'])
// Reports that these rows come from lose their bytes, in whatever way the address is written in
// them.
const REPORT_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['event', 'report_id'],
  ['report', 'id'],
])

export async function eraseInRawReports(
  tx: Tx,
  { scope, place, isPreview, isFirstPass, held, addresses }: SliceWish,
): Promise<Slice> {
  const walked = await readNextRawReports(tx, scope, place.key, RAW_SLICE)
  const found = walked.filter(({ bytes }) => isInBytes(bytes, addresses)).map((row) => row.sha256)
  const heldContents = await listHeldContents(tx, scope, found, held)
  const erasable = found.filter((sha256) => !heldContents.has(sha256.toString('hex')))
  if (!isPreview) await eraseRawBytes(tx, scope, erasable)
  const key = walked.at(-1)?.sha256.toString('hex')
  return {
    counts: {
      changed: tell('report_raw', erasable.length),
      kept: {},
      held: isFirstPass ? tell('report_raw', heldContents.size) : {},
    },
    next: key === undefined ? { table: ' ', page: 0, key: '' } : { table: '', page: 0, key },
    recount: [],
  }
}

function isInBytes(bytes: Buffer, addresses: ErasedAddresses): boolean {
  for (const text of readBytesAsTexts(bytes)) {
    if (holdsAddress(text, addresses, true)) return true
  }
  return false
}

export async function eraseInPages(tx: Tx, wish: SliceWish, table: ErasableTable): Promise<Slice> {
  const { scope, place, isPreview, isFirstPass, held, addresses } = wish
  const { name, pages } = table
  const from = name === place.table ? place.page : 0
  const range = { from, before: from + PAGES_A_SLICE }
  const texts = await readRowTexts(tx, scope, table, range, addresses.likes)
  const places = texts.filter(({ text }) => holdsAddress(text, addresses, true)).map((t) => t.place)
  const note = REPORT_COLUMNS.get(name) ?? (name === 'abuse_case' ? 'id' : 'tenant_id')
  const rows = await readRows(tx, scope, table, { places, held, note, isLocked: !isPreview })
  const plan = planRows(table, rows, addresses)
  let counts = {
    changed: tell(name, plan.changes.length),
    kept: isFirstPass ? plan.kept : {},
    held: isFirstPass ? tell(name, plan.heldCount) : {},
  }
  if (!isPreview) {
    const removed = await carryOut(tx, wish, table, plan)
    if (removed > 0) counts = { ...counts, changed: { ...counts.changed, report_raw: removed } }
  }
  const isEnd = range.before >= pages
  // No name of a table has a blank; the next one in the order of names follows.
  const next = isEnd ? { table: `${name} `, page: 0 } : { table: name, page: range.before }
  const recount =
    name === 'abuse_case'
      ? plan.changes.filter(hasShorterList).flatMap(({ row }) => row.note ?? [])
      : []
  return { counts, next: { ...next, key: '' }, recount: isPreview ? [] : recount }
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
  readonly heldCount: number
}

function planRows(
  { name, columns }: ErasableTable,
  rows: readonly FoundRow[],
  addresses: ErasedAddresses,
): RowPlan {
  const isKept = ({ isKey }: ErasableColumn): boolean =>
    !COPIES.has(name) && (SETTINGS_TABLES.has(name) || isKey)
  const kept: Record<string, number> = {}
  const changes: Change[] = []
  let heldCount = 0
  for (const row of rows) {
    const values = row.values.map((value, index) => erase(columns[index], value, addresses))
    const isChanged = columns.map((_, index) => values[index] !== row.values[index])
    for (const [index, column] of columns.entries()) {
      if (isChanged[index] !== true || !isKept(column)) continue
      kept[`${name}.${column.name}`] = (kept[`${name}.${column.name}`] ?? 0) + 1
    }
    if (!columns.some((column, index) => isChanged[index] === true && !isKept(column))) continue
    if (row.isHeld) heldCount += 1
    else changes.push({ row, values })
  }
  return { erasable: columns.filter((column) => !isKept(column)), changes, kept, heldCount }
}

/** The very same value when the address is not in it. */
function erase(
  column: ErasableColumn | undefined,
  value: ColumnValue,
  addresses: ErasedAddresses,
): ColumnValue {
  if (value === null) return null
  if (typeof value === 'string') return replaceAddresses(value, addresses, column?.kind === 'json')
  const words = value.map((word) => replaceAddresses(word, addresses, false))
  if (words.every((word, index) => word === value[index])) return value
  // Lists are sets: of an address in two spellings one is left, as a recount of the events finds
  // it.
  return [...new Set(words)]
}

/** How many raw reports it removed beside. */
async function carryOut(
  tx: Tx,
  { scope, held }: SliceWish,
  { name, columns }: ErasableTable,
  { erasable, changes }: RowPlan,
): Promise<number> {
  if (COPIES.has(name)) {
    await deleteRows(
      tx,
      scope,
      name,
      changes.map(({ row }) => row.place),
    )
    return 0
  }
  const written = changes.map(({ row, values }) => ({
    place: row.place,
    values: values.filter((_, index) => erasable.some((column) => column === columns[index])),
  }))
  await writeRows(tx, scope, name, erasable, written)
  if (!REPORT_COLUMNS.has(name)) return 0
  const reportIds = changes.flatMap(({ row }) => (row.note === null ? [] : [row.note]))
  const contents = await findContents(tx, scope, reportIds)
  const heldContents = await listHeldContents(tx, scope, contents, held)
  const removed = contents.filter((sha256) => !heldContents.has(sha256.toString('hex')))
  await eraseRawBytes(tx, scope, removed)
  return removed.length
}

function hasShorterList({ row, values }: Change): boolean {
  return values.some((value, index) => {
    const before = row.values[index]
    return Array.isArray(value) && Array.isArray(before) && value.length < before.length
  })
}

function tell(name: string, count: number): Counts {
  return count === 0 ? {} : { [name]: count }
}

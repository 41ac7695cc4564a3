// Erases the address of a person in everything that a tenant has: a slice at a time, each in a transaction of its own with the note how far
// it has come. Who asks again goes on where it ended, so nothing needs the address to be kept. A preview goes the same way and counts.

import type { TenantScope } from '../../kernel/auth/caller.ts'
import { inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { Foundation } from '../../kernel/foundation.ts'
import type { ErasedAddress } from '../model/erased-address.ts'
import {
  countRows,
  deleteRows,
  type ErasableTable,
  listErasableTables,
  replaceInRows,
  searchRawReports,
} from '../store/erased-text-store.ts'
import {
  beginErasure,
  type ErasurePlace,
  type ErasureRecord,
  lockErasure,
  settleErasure,
} from '../store/erasure-store.ts'
import { eraseRawBytes, findContents } from '../store/retention-store.ts'

export type EraseDeps = Pick<Foundation, 'database' | 'ids'>

export interface ErasureWish {
  readonly address: ErasedAddress
  readonly isPreview: boolean
  /** Id of the token. */
  readonly requestedBy: string
  /** After which no further slice is begun. */
  readonly budgetMs: number
}

// 8 MB of a table; some 20,000 events.
const PAGES_A_SLICE = 1_024
const RAW_SLICE = { rowsMax: 50, bytesMax: 33_554_432 }
// Rows that move while they are looked for are found by the next pass; the last one finds nothing.
const PASSES_MAX = 4

// What the operator has set up. An address in it is told, for the operator to change: a rule or playbook that says something else is another.
const SETTINGS = new Set([
  'api_token',
  'case_group',
  'mute_rule',
  'owner_resolver',
  'playbook',
  'playbook_version',
  'report_address',
  'rule_history',
])
// Copies of what others answered.
const COPIES = new Set(['owner_answer'])
// Reports that these rows come from lose their bytes, in whatever way the address is written in them.
const REPORT_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['event', 'report_id'],
  ['report', 'id'],
])

const START: ErasurePlace = { pass: 0, hasChanged: false, table: '', page: 0, key: '' }

export async function eraseAddress(
  { database, ids }: EraseDeps,
  scope: TenantScope,
  { address, isPreview, requestedBy, budgetMs }: ErasureWish,
): Promise<ErasureRecord> {
  const db = database.kysely
  const id = await beginErasure(db, scope, {
    id: ids.nextUuid(),
    replacedBy: address.replacement,
    isPreview,
    requestedBy,
    place: START,
  })
  const tables = await listErasableTables(db)
  const endsAtMs = performance.now() + budgetMs
  for (;;) {
    // Each slice begins where the one before ended.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const erasure = await inTransaction(db, (tx) => takeSlice(tx, scope, id, tables, address))
    if (erasure.finishedAt !== null || performance.now() >= endsAtMs) return erasure
  }
}

/** What was found in a slice, and where the next one begins. */
interface Slice {
  readonly changed: Readonly<Record<string, number>>
  readonly kept: Readonly<Record<string, number>>
  readonly next: Pick<ErasurePlace, 'table' | 'page' | 'key'> | null
}

async function takeSlice(
  tx: Tx,
  scope: TenantScope,
  id: string,
  tables: readonly ErasableTable[],
  address: ErasedAddress,
): Promise<ErasureRecord> {
  const erasure = await lockErasure(tx, scope, id)
  if (erasure.finishedAt !== null) return erasure
  const { place } = erasure
  const table = tables.find((one) => one.name >= place.table)
  let slice: Slice = { changed: {}, kept: {}, next: null }
  if (place.table === '') slice = await takeRawSlice(tx, scope, erasure, address)
  else if (table !== undefined) slice = await takePages(tx, scope, erasure, table, address)
  const hasChanged = place.hasChanged || Object.keys(slice.changed).length > 0
  const isLastPass = erasure.isPreview || !hasChanged || place.pass + 1 >= PASSES_MAX
  const next: ErasurePlace =
    slice.next === null
      ? { ...START, pass: place.pass + 1 }
      : { ...slice.next, pass: place.pass, hasChanged }
  const isFinished = slice.next === null && isLastPass
  const changed = addUp(erasure.changed, slice.changed)
  const kept = addUp(erasure.kept, slice.kept)
  await settleErasure(tx, scope, { id, place: next, changed, kept }, isFinished)
  return await lockErasure(tx, scope, id)
}

async function takeRawSlice(
  tx: Tx,
  scope: TenantScope,
  { place, isPreview }: ErasureRecord,
  address: ErasedAddress,
): Promise<Slice> {
  const found = await searchRawReports(tx, scope, place.key, RAW_SLICE, address)
  const contents = found.filter((row) => row.isFound).map((row) => row.sha256)
  if (!isPreview) await eraseRawBytes(tx, scope, contents)
  const key = found.at(-1)?.sha256.toString('hex')
  return {
    changed: tell('report_raw', contents.length),
    kept: {},
    next: key === undefined ? { table: ' ', page: 0, key: '' } : { table: '', page: 0, key },
  }
}

async function takePages(
  tx: Tx,
  scope: TenantScope,
  { place, isPreview }: ErasureRecord,
  table: ErasableTable,
  address: ErasedAddress,
): Promise<Slice> {
  const { name, columns, pages } = table
  const from = name === place.table ? place.page : 0
  const range = { from, before: from + PAGES_A_SLICE }
  const isCopy = COPIES.has(name)
  const isKept = (column: { readonly isKey: boolean }): boolean =>
    !isCopy && (SETTINGS.has(name) || column.isKey)
  const erasable = columns.filter((column) => !isKept(column))
  const keptColumns = place.pass === 0 ? columns.filter(isKept) : []
  let kept: Readonly<Record<string, number>> = {}
  for (const column of keptColumns) {
    // One after the other, on one connection.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const count = await countRows(tx, scope, name, [column], range, address)
    kept = addUp(kept, tell(`${name}.${column.name}`, count))
  }
  let changed: Readonly<Record<string, number>> = {}
  if (isPreview) {
    changed = tell(name, await countRows(tx, scope, name, erasable, range, address))
  } else if (isCopy) {
    changed = tell(name, await deleteRows(tx, scope, name, erasable, range, address))
  } else {
    const returning = REPORT_COLUMNS.get(name)
    const column = returning ?? 'tenant_id'
    const rows = await replaceInRows(tx, scope, name, erasable, range, address, column)
    changed = tell(name, rows.length)
    if (returning !== undefined) {
      const reportIds = rows.flatMap((value) => (value === null ? [] : [value]))
      const contents = await findContents(tx, scope, reportIds)
      await eraseRawBytes(tx, scope, contents)
      changed = addUp(changed, tell('report_raw', contents.length))
    }
  }
  const isEnd = range.before >= pages
  // No name of a table has a blank; the next one in the order of names follows.
  const next = isEnd ? { table: `${name} `, page: 0 } : { table: name, page: range.before }
  return { changed, kept, next: { ...next, key: '' } }
}

function tell(table: string, count: number): Readonly<Record<string, number>> {
  return count === 0 ? {} : { [table]: count }
}

function addUp(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const sum = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

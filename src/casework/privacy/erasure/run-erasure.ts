// Erases addresses of people in all data of a tenant. The work goes slice by slice; each slice is a
// transaction that saves the position of the next. A repeated request continues from there, so no
// address has to be stored. A preview takes the same way and only counts. Rows of cases on legal
// hold stay as they are, and are counted.

import { type Db, inTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { writeCounters } from '../../cases/case-counters-store.ts'
import { lockRows } from '../../cases/case-locks.ts'
import { blockNewLegalHolds, listCasesOnLegalHold } from '../legal-holds/legal-hold-store.ts'
import {
  type Counts,
  eraseInRawReports,
  eraseInRows,
  type Slice,
  type SliceRequest,
} from './erase-slice.ts'
import type { ErasedAddresses } from './erased-address.ts'
import {
  beginErasure,
  ERASURE_START,
  type ErasurePosition,
  type ErasureRecord,
  type ErasureRequest,
  findErasure,
  lockErasure,
  saveErasureProgress,
} from './erasure-store.ts'
import { PERSONAL_TABLES } from './personal-columns.ts'
import type { RawSearcher, RawSearchSlice } from './raw-searcher.ts'
import { renewStatistics } from './renew-statistics.ts'

export interface EraseDeps {
  readonly db: Db
  readonly log: Log
  readonly ids: IdSource
  readonly rawSearcher: RawSearcher
}

export interface ErasureTask extends ErasureRequest {
  readonly addresses: ErasedAddresses
  /** No further slice begins after this time. */
  readonly budgetMs: number
  /** Called in the transaction in which the erasure begins. */
  readonly record?: (tx: Tx, erasureId: string) => Promise<void>
}

// A row that is written behind the position of a pass is found by the next one. The last pass finds
// nothing.
const PASSES_MAX = 4
// A round trip to the searching thread for so many reports.
const RAW_ROWS_MAX = 200
// Beyond these only the log of the service names a report that could not be searched.
const UNSEARCHED_MAX = 1_000

/**
 * Works for the time that the task gives, and at least for one slice. Returns the erasure as it is
 * then: its `finishedAt` is null while there is more to do.
 */
export async function eraseAddresses(
  deps: EraseDeps,
  scope: TenantScope,
  task: ErasureTask,
): Promise<ErasureRecord> {
  const { db, ids } = deps
  const id = await inTransaction(db, async (tx) => {
    const begun = await beginErasure(tx, scope, ids.nextUuid(), task)
    if (begun.isNew) await task.record?.(tx, begun.id)
    return begun.id
  })
  const endsAtMs = performance.now() + task.budgetMs
  for (;;) {
    // Each slice begins where the one before ended.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const raw = await searchRawReports(deps, scope, id, task.addresses)
    // oxlint-disable-next-line eslint/no-await-in-loop
    const erasure = await inTransaction(db, (tx) => eraseSlice(tx, scope, id, task.addresses, raw))
    const isDone = erasure.finishedAt !== null
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (isDone && !erasure.isPreview) await renewStatistics(deps, scope, erasure)
    if (isDone || performance.now() >= endsAtMs) return erasure
  }
}

interface SearchedPosition {
  readonly position: ErasurePosition
  readonly slice: RawSearchSlice
}

/**
 * The raw reports of the next slice, searched before its transaction, because the search of a long
 * report takes seconds. Null when the next slice is of a table.
 */
async function searchRawReports(
  { db, rawSearcher }: EraseDeps,
  scope: TenantScope,
  id: string,
  { wanted }: ErasedAddresses,
): Promise<SearchedPosition | null> {
  const position = (await findErasure(db, scope, id))?.position
  if (position === undefined || position.table !== '') return null
  const slice = await rawSearcher.searchNext(db, {
    scope,
    afterKey: position.key,
    rowsMax: RAW_ROWS_MAX,
    query: { wanted, name: null },
  })
  return { position, slice }
}

async function eraseSlice(
  tx: Tx,
  scope: TenantScope,
  id: string,
  addresses: ErasedAddresses,
  raw: SearchedPosition | null,
): Promise<ErasureRecord> {
  await blockNewLegalHolds(tx, scope)
  const erasure = await lockErasure(tx, scope, id)
  if (erasure.finishedAt !== null) return erasure
  const { position, isPreview } = erasure
  // Another request has done this slice meanwhile.
  if (position.table === '' && !isSearched(raw, position)) return erasure
  if (isRecountDue(position)) {
    await recount(tx, scope, position.recount)
    const next = { ...erasure, position: { ...position, recount: [] } }
    return await saveProgress(tx, scope, next, false)
  }
  const request = {
    scope,
    position,
    isPreview,
    casesOnLegalHold: await listCasesOnLegalHold(tx, scope),
    addresses,
    isFirstPass: position.pass === 0,
  }
  const slice = await eraseAtPosition(tx, request, raw)
  const counts = slice?.counts ?? { changed: {}, kept: {}, onLegalHold: {} }
  const hasChanged = position.hasChanged || Object.keys(counts.changed).length > 0
  const isLastPass = isPreview || !hasChanged || position.pass + 1 >= PASSES_MAX
  const progress = {
    ...erasure,
    position: findNextPosition(position, slice, hasChanged),
    changed: addUp(erasure.changed, counts.changed),
    kept: addUp(erasure.kept, counts.kept),
    onLegalHold: addUp(erasure.onLegalHold, counts.onLegalHold),
    unsearched: addIds(erasure.unsearched, slice?.unsearched ?? []),
  }
  return await saveProgress(tx, scope, progress, slice === null && isLastPass)
}

/** Null at the end of the pass. */
async function eraseAtPosition(
  tx: Tx,
  request: SliceRequest,
  raw: SearchedPosition | null,
): Promise<Slice | null> {
  const { position } = request
  if (raw !== null && position.table === '') return await eraseInRawReports(tx, request, raw.slice)
  const table = PERSONAL_TABLES.find((one) => one.name >= position.table)
  return table === undefined ? null : await eraseInRows(tx, request, table)
}

/** After the end of a pass (`slice` is null): the start of the next pass. */
function findNextPosition(
  { pass, recount: known }: ErasurePosition,
  slice: Slice | null,
  hasChanged: boolean,
): ErasurePosition {
  if (slice === null) return { ...ERASURE_START, pass: pass + 1 }
  return { ...slice.next, pass, hasChanged, recount: [...new Set([...known, ...slice.recount])] }
}

async function saveProgress(
  tx: Tx,
  scope: TenantScope,
  erasure: ErasureRecord,
  isFinished: boolean,
): Promise<ErasureRecord> {
  await saveErasureProgress(tx, scope, erasure, isFinished)
  return await lockErasure(tx, scope, erasure.id)
}

// The lists of a case are bounded. When two spellings of an address become one value, a full list
// has room for a value of its events that was left out, so the case is recounted. The recount waits
// until the events are erased, whose table comes after the table of cases in the order of names.
function isRecountDue({ table, recount: cases }: ErasurePosition): boolean {
  return cases.length > 0 && table > 'event'
}

async function recount(tx: Tx, scope: TenantScope, caseIds: readonly string[]): Promise<void> {
  const locked = await lockRows(tx, scope, caseIds)
  await writeCounters(tx, scope, [...locked.keys()])
}

function isSearched(raw: SearchedPosition | null, { pass, key }: ErasurePosition): boolean {
  return raw !== null && raw.position.pass === pass && raw.position.key === key
}

function addIds(known: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...known, ...more])].slice(0, UNSEARCHED_MAX)
}

function addUp(one: Counts, other: Counts): Counts {
  const sum: Record<string, number> = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

// Erases addresses of people in all data of a tenant. The work goes slice by slice; each slice is a
// transaction that saves the position of the next. A repeated request continues from there, so no
// address has to be stored. A preview takes the same way and only counts. Rows of cases on legal
// hold stay as they are, and are counted.

import { type Db, inTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { writeCounters } from '../../cases/case-counters-store.ts'
import { lockRows } from '../../cases/case-locks.ts'
import { blockNewLegalHolds, listCasesOnLegalHold } from '../legal-holds/legal-hold-store.ts'
import { type Counts, eraseInPages, eraseInRawReports } from './erase-slice.ts'
import type { ErasedAddresses } from './erased-address.ts'
import { type ErasableTable, listErasableTables, renewStatistics } from './erased-text-store.ts'
import {
  beginErasure,
  ERASURE_START,
  type ErasurePosition,
  type ErasureRecord,
  type ErasureRequest,
  lockErasure,
  saveErasureProgress,
} from './erasure-store.ts'

export interface EraseDeps {
  readonly db: Db
  readonly ids: IdSource
}

export interface ErasureTask extends ErasureRequest {
  readonly addresses: ErasedAddresses
  /** No further slice begins after this time. */
  readonly budgetMs: number
}

// A row that moves during a pass is found by the next one. The last pass finds nothing.
const PASSES_MAX = 4

/**
 * Works for the time that the task gives, and at least for one slice. The erasure afterwards; its
 * `finishedAt` is null while there is more to do.
 */
export async function eraseAddresses(
  { db, ids }: EraseDeps,
  scope: TenantScope,
  task: ErasureTask,
): Promise<ErasureRecord> {
  const id = await beginErasure(db, scope, ids.nextUuid(), task)
  const tables = await listErasableTables(db)
  const endsAtMs = performance.now() + task.budgetMs
  for (;;) {
    // Each slice begins where the one before ended.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const erasure = await inTransaction(db, (tx) =>
      eraseSlice(tx, scope, id, tables, task.addresses),
    )
    const isDone = erasure.finishedAt !== null
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (isDone && !erasure.isPreview) await renewStatistics(db, Object.keys(erasure.changed))
    if (isDone || performance.now() >= endsAtMs) return erasure
  }
}

async function eraseSlice(
  tx: Tx,
  scope: TenantScope,
  id: string,
  tables: readonly ErasableTable[],
  addresses: ErasedAddresses,
): Promise<ErasureRecord> {
  await blockNewLegalHolds(tx, scope)
  const erasure = await lockErasure(tx, scope, id)
  if (erasure.finishedAt !== null) return erasure
  const { position, isPreview } = erasure
  if (isRecountDue(position)) {
    await recount(tx, scope, position.recount)
    const next = { ...erasure, position: { ...position, recount: [] } }
    return await saveProgress(tx, scope, next, false)
  }
  const caseIds = await listCasesOnLegalHold(tx, scope)
  const isFirstPass = position.pass === 0
  const request = { scope, position, isPreview, casesOnLegalHold: caseIds, addresses, isFirstPass }
  const table = tables.find((one) => one.name >= position.table)
  let slice: Awaited<ReturnType<typeof eraseInPages>> | null = null
  if (position.table === '') slice = await eraseInRawReports(tx, request)
  else if (table !== undefined) slice = await eraseInPages(tx, request, table)
  const counts = slice?.counts ?? { changed: {}, kept: {}, onLegalHold: {} }
  const hasChanged = position.hasChanged || Object.keys(counts.changed).length > 0
  const isLastPass = isPreview || !hasChanged || position.pass + 1 >= PASSES_MAX
  const next: ErasurePosition =
    slice === null
      ? { ...ERASURE_START, pass: position.pass + 1 }
      : {
          ...slice.next,
          pass: position.pass,
          hasChanged,
          recount: [...new Set([...position.recount, ...slice.recount])],
        }
  const progress = {
    ...erasure,
    position: next,
    changed: addUp(erasure.changed, counts.changed),
    kept: addUp(erasure.kept, counts.kept),
    onLegalHold: addUp(erasure.onLegalHold, counts.onLegalHold),
  }
  return await saveProgress(tx, scope, progress, slice === null && isLastPass)
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

// A full list of values of a case gets room when two spellings of an address become one; the next
// value of its events is then missing. The recount waits for the end of the table of events, which
// comes after the table of cases in the order of names.
function isRecountDue({ table, recount: cases }: ErasurePosition): boolean {
  return cases.length > 0 && table > 'event'
}

async function recount(tx: Tx, scope: TenantScope, caseIds: readonly string[]): Promise<void> {
  const locked = await lockRows(tx, scope, caseIds)
  await writeCounters(tx, scope, [...locked.keys()])
}

function addUp(one: Counts, other: Counts): Counts {
  const sum: Record<string, number> = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

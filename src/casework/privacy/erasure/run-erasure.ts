// Erases addresses of people in everything that a tenant has: a slice at a time, each in a
// transaction of its own with the note how far it has come. Who asks again goes on where it ended,
// so nothing needs an address to be kept. A preview goes the same way and counts. What hangs on a
// case that is held stays, and is counted.

import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { Foundation } from '../../../kernel/foundation.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { lockRows } from '../../cases/case-locks.ts'
import { writeCounters } from '../../cases/recount-store.ts'
import { keepHoldsOut, listHeldCases } from '../legal-holds/legal-hold-store.ts'
import { type Counts, eraseInPages, eraseInRawReports } from './erase-slice.ts'
import type { ErasedAddresses } from './erased-address.ts'
import { type ErasableTable, listErasableTables, renewStatistics } from './erased-text-store.ts'
import {
  beginErasure,
  ERASURE_START,
  type ErasurePlace,
  type ErasureRecord,
  type ErasureWish,
  lockErasure,
  settleErasure,
} from './erasure-store.ts'

export type EraseDeps = Pick<Foundation, 'database' | 'ids'>

export interface ErasureTask extends ErasureWish {
  readonly addresses: ErasedAddresses
  /** After which no further slice is begun. */
  readonly budgetMs: number
}

// Rows that move while they are looked for are found by the next pass; the last one finds nothing.
const PASSES_MAX = 4

export async function eraseAddresses(
  { database, ids }: EraseDeps,
  scope: TenantScope,
  task: ErasureTask,
): Promise<ErasureRecord> {
  const db = database.kysely
  const id = await beginErasure(db, scope, ids.nextUuid(), task)
  const tables = await listErasableTables(db)
  const endsAtMs = performance.now() + task.budgetMs
  for (;;) {
    // Each slice begins where the one before ended.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const erasure = await inTransaction(db, (tx) =>
      takeSlice(tx, scope, id, tables, task.addresses),
    )
    const isDone = erasure.finishedAt !== null
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (isDone && !erasure.isPreview) await renewStatistics(db, Object.keys(erasure.changed))
    if (isDone || performance.now() >= endsAtMs) return erasure
  }
}

async function takeSlice(
  tx: Tx,
  scope: TenantScope,
  id: string,
  tables: readonly ErasableTable[],
  addresses: ErasedAddresses,
): Promise<ErasureRecord> {
  await keepHoldsOut(tx, scope)
  const erasure = await lockErasure(tx, scope, id)
  if (erasure.finishedAt !== null) return erasure
  const { place, isPreview } = erasure
  if (isRecountDue(place)) {
    await recount(tx, scope, place.recount)
    return await note(tx, scope, { ...erasure, place: { ...place, recount: [] } }, false)
  }
  const held = await listHeldCases(tx, scope)
  const wish = { scope, place, isPreview, held, addresses, isFirstPass: place.pass === 0 }
  const table = tables.find((one) => one.name >= place.table)
  let slice: Awaited<ReturnType<typeof eraseInPages>> | null = null
  if (place.table === '') slice = await eraseInRawReports(tx, wish)
  else if (table !== undefined) slice = await eraseInPages(tx, wish, table)
  const counts = slice?.counts ?? { changed: {}, kept: {}, held: {} }
  const hasChanged = place.hasChanged || Object.keys(counts.changed).length > 0
  const isLastPass = isPreview || !hasChanged || place.pass + 1 >= PASSES_MAX
  const next: ErasurePlace =
    slice === null
      ? { ...ERASURE_START, pass: place.pass + 1 }
      : {
          ...slice.next,
          pass: place.pass,
          hasChanged,
          recount: [...new Set([...place.recount, ...slice.recount])],
        }
  const settled = {
    ...erasure,
    place: next,
    changed: addUp(erasure.changed, counts.changed),
    kept: addUp(erasure.kept, counts.kept),
    held: addUp(erasure.held, counts.held),
  }
  return await note(tx, scope, settled, slice === null && isLastPass)
}

async function note(
  tx: Tx,
  scope: TenantScope,
  erasure: ErasureRecord,
  isFinished: boolean,
): Promise<ErasureRecord> {
  await settleErasure(tx, scope, erasure, isFinished)
  return await lockErasure(tx, scope, erasure.id)
}

// A list of a case that was full has room when two spellings of an address became one, and the next
// value that its events have is missing. Events have the erased form by then: their table comes
// after that of the cases, and is over.
function isRecountDue({ table, recount: cases }: ErasurePlace): boolean {
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

// Mends what a recount found different in cases, each with a row in its history that says what it
// was.

import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory } from './case-history-store.ts'
import { lockCases } from './case-locks.ts'
import { isOpenState } from './case-state.ts'
import { findCase } from './case-store.ts'
import type { CaseRow } from './case-tables.ts'
import { relistCase } from './lists/last-event-store.ts'
import { findOpenCase, releaseKeysOfEnded, setOpenCases } from './open-case-store.ts'
import { type Difference, writeCounters } from './recount-store.ts'
import { removeStraySlot } from './stray-open-case-store.ts'

const ACTOR = { kind: 'system', id: 'doctor', name: 'doctor' } as const

/**
 * Frees slots that nobody can have, counts anew, takes a free slot for an open case, and tells a
 * state that no history tells. A slot that another open case holds and a merge without its record
 * are left to a person. The number of cases that were mended, those that are gone among them.
 */
export async function repairCases(
  db: Db,
  ids: IdSource,
  scope: TenantScope,
  differences: readonly Difference[],
  at: Date,
): Promise<number> {
  const mendable = differences.filter(({ kind }) => kind !== 'merge')
  const ofCases = Map.groupBy(mendable, (difference) => difference.caseId)
  let mended = 0
  const freed = new Set<string>()
  // Before anything else, since an open case may wait for one of them.
  for (const { stray } of mendable) {
    if (stray === undefined) continue
    const isFree = await inTransaction(db, (tx) => removeStraySlot(tx, scope, stray))
    if (isFree) freed.add(stray.caseId)
  }
  for (const [caseId, found] of ofCases) {
    const isMended = await inTransaction(db, (tx) => repair(tx, ids, scope, caseId, found, at))
    if (isMended || freed.has(caseId)) mended += 1
  }
  return mended
}

async function repair(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  caseId: string,
  found: readonly Difference[],
  at: Date,
): Promise<boolean> {
  const isListedWrong = found.some(({ kind }) => kind === 'list')
  const seen = await findCase(tx, scope, caseId)
  if (seen === null) {
    if (isListedWrong) await relistCase(tx, scope, caseId)
    return isListedWrong
  }
  const row = (await lockCases(tx, scope, [caseId])).get(caseId)
  if (row === undefined) return false
  if (!isOpenState(row.state)) await releaseKeysOfEnded(tx, scope, [caseId])
  else if (row.sealed_at === null) await giveOwnKey(tx, scope, row)
  if (isListedWrong) await relistCase(tx, scope, caseId)
  if (found.some(({ kind }) => kind === 'counters')) await writeCounters(tx, scope, [caseId])
  await addHistory(tx, ids, scope, [
    {
      caseId,
      kind: 'repair',
      actor: ACTOR,
      at,
      toState: found.some(({ kind }) => kind === 'history') ? row.state : null,
      reason: null,
      causeId: null,
      changes: Object.fromEntries(found.map(({ kind, detail }) => [kind, detail])),
    },
  ])
  return true
}

/** Gives an open case its own key, if the key has no open case. */
async function giveOwnKey(tx: Tx, scope: TenantScope, row: CaseRow): Promise<void> {
  const key = { caseGroupId: row.case_group_id, keyHash: row.key_hash.toString('hex') }
  if ((await findOpenCase(tx, scope, key)) !== null) return
  await setOpenCases(tx, scope, [{ ...key, caseId: row.id }])
}

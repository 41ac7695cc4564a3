// Repairs the differences that a recount found in cases. Each repaired case gets a row in its
// history with the differences.

import { type Db, inTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { writeCounters } from '../case-counters-store.ts'
import { addHistory } from '../case-history-store.ts'
import { lockCases } from '../case-locks.ts'
import { isOpenState } from '../case-state.ts'
import { findCase } from '../case-store.ts'
import type { CaseRow } from '../case-tables.ts'
import { relistCase } from '../lists/last-event-store.ts'
import { findOpenCase, releaseKeysOfEnded, setOpenCases } from '../open-case-store.ts'
import { type Difference } from './recount-cases.ts'
import { removeStrayKey } from './stray-key-store.ts'

const ACTOR = { kind: 'system', id: 'doctor', name: 'doctor' } as const

/**
 * Frees stray keys, rewrites counters, gives an open case its key if the key is free, and records a
 * state that the history lacks. A key of another open case and a merge without its record are left
 * to a person. Returns the number of repaired cases; cases that do not exist any more count too.
 */
export async function repairCases(
  db: Db,
  ids: IdSource,
  scope: TenantScope,
  differences: readonly Difference[],
  at: Date,
): Promise<number> {
  const repairable = differences.filter(({ kind }) => kind !== 'merge')
  const ofCases = Map.groupBy(repairable, (difference) => difference.caseId)
  let repaired = 0
  const freed = new Set<string>()
  // First, because an open case may need one of these keys.
  for (const { stray } of repairable) {
    if (stray === undefined) continue
    const isFree = await inTransaction(db, (tx) => removeStrayKey(tx, scope, stray))
    if (isFree) freed.add(stray.caseId)
  }
  for (const [caseId, found] of ofCases) {
    const isRepaired = await inTransaction(db, (tx) => repair(tx, ids, scope, caseId, found, at))
    if (isRepaired || freed.has(caseId)) repaired += 1
  }
  return repaired
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

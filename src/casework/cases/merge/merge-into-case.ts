// Merging cases, exactly reversibly: the events and the correlation keys of some cases go to
// another case. Locks are taken in the order of all features: runs, the correlation lock, cases by
// id.

import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { type CorrelationKey, formatCorrelationKey } from '../case.ts'
import { writeCounters } from '../case-counters-store.ts'
import {
  addHistory,
  type ChangeOrigin,
  type NewHistoryEntry,
  pickOrigin,
} from '../case-history-store.ts'
import { lockCases } from '../case-locks.ts'
import { isOpenState } from '../case-state.ts'
import { raiseVersion, requireCase } from '../case-store.ts'
import type { CaseRow } from '../case-tables.ts'
import { listSubtree, readMergeTrees, type TreeCase } from '../case-tree.ts'
import {
  caseGroupDeleted,
  caseIsMerged,
  caseNotFound,
  keyHasOpenCase,
  mergeNotAllowed,
} from '../errors.ts'
import { findKeyHolders, lockExistingCaseGroups, setOpenCases } from '../open-case-store.ts'
import type { EndedRun, MergeDeps } from './merge-deps.ts'
import {
  endMerge,
  findMerges,
  insertMerge,
  type MergeRecord,
  writeMerged,
  writeUnmerged,
} from './merge-store.ts'

export interface MergeCommand extends ChangeOrigin {
  readonly targetId: string
  /** In canonical form, each once. */
  readonly sourceIds: readonly string[]
}

/** Events that one request moves. It is one transaction, which keeps their cases locked. */
export const MOVED_EVENTS_MAX = 100_000

/** Merges the sources into the target. The target afterwards. Throws the errors of 404 and 409. */
export async function mergeCases(
  { db, ids, eventMoves, endRuns, legalHolds }: MergeDeps,
  scope: TenantScope,
  command: MergeCommand,
): Promise<CaseRow> {
  return await inTransaction(db, async (tx) => {
    await legalHolds.prepare(tx, scope)
    const ended = await endRuns(tx, scope, command.sourceIds)
    const locked = await lockTrees(tx, scope, command, [command.targetId, ...command.sourceIds])
    checkMerge(locked)
    await ended.takeMailBack()
    const { target, sources } = locked
    for (const source of sources) {
      await insertMerge(tx, scope, ids.nextUuid(), source, target.id, command.at)
      await eventMoves.moveIn(tx, scope, source.id, {
        id: target.id,
        resolvedAt: target.resolved_at,
      })
      await writeMerged(tx, source, target.id, command.at)
    }
    await raiseVersion(tx, target, command.at)
    await writeCounters(tx, scope, [target.id, ...command.sourceIds])
    await setOpenCases(tx, scope, planKeysOfMerge(locked))
    await addHistory(tx, ids, scope, [
      ...describeEndedRuns(command, ended.runs),
      ...describeMerge(command, target, sources),
    ])
    return await requireCase(tx, scope, target.id)
  })
}

// The target gets all keys. A key of an open case outside the merge stays with that case.
function planKeysOfMerge({
  target,
  tree,
  keys,
  holders,
}: LockedTrees): readonly (CorrelationKey & { readonly caseId: string | null })[] {
  const roots = new Set(tree.map(({ root }) => root))
  const movedKeys = keys.filter((key) => roots.has(holders.get(formatCorrelationKey(key)) ?? ''))
  const caseId = isOpenState(target.state) ? target.id : null
  return movedKeys.map((key) => ({ ...key, caseId }))
}

function describeEndedRuns(
  command: MergeCommand,
  runs: readonly EndedRun[],
): readonly NewHistoryEntry[] {
  return runs.map(({ runId, caseId, node }) => ({
    ...pickOrigin(command),
    caseId,
    kind: 'run_ended',
    actor: { kind: 'run', id: `${runId}:${node}`, name: 'playbook' },
    reason: 'case_merged',
    changes: null,
  }))
}

function describeMerge(
  command: MergeCommand,
  target: CaseRow,
  sources: readonly CaseRow[],
): readonly NewHistoryEntry[] {
  const entry = { kind: 'merge', ...pickOrigin(command) } as const
  const from = sources.map(({ id, event_count: events }) => ({ case_id: id, event_count: events }))
  const moved = sources.map(
    ({ id, state }): NewHistoryEntry => ({
      ...entry,
      caseId: id,
      fromState: state,
      toState: 'CLOSED',
      changes: { close_reason: 'merged', merged_into: target.id },
    }),
  )
  return [...moved, { ...entry, caseId: target.id, changes: { from } }]
}

interface LockedTrees {
  readonly target: CaseRow
  readonly sources: readonly CaseRow[]
  readonly tree: readonly TreeCase[]
  /** The keys of the tree, each once. */
  readonly keys: readonly CorrelationKey[]
  /** By key: its open case; the target when the key is free. */
  readonly holders: ReadonlyMap<string, string>
}

async function lockTrees(
  tx: Tx,
  scope: TenantScope,
  { targetId, sourceIds }: MergeCommand,
  roots: readonly string[],
): Promise<LockedTrees> {
  const rows = await lockCases(tx, scope, [targetId, ...sourceIds])
  const [target, ...sources] = [targetId, ...sourceIds].map((id) => {
    const row = rows.get(id)
    if (row === undefined) throw caseNotFound()
    return row
  })
  if (target === undefined) throw caseNotFound()
  const tree = await readMergeTrees(tx, scope, roots)
  const keys = [...new Map(tree.map((one) => [formatCorrelationKey(one), one])).values()]
  const found = await findKeyHolders(tx, scope, keys)
  const holders = new Map(
    keys.map((key) => [formatCorrelationKey(key), found.get(key) ?? targetId]),
  )
  return { target, sources, tree, keys, holders }
}

function checkMerge({ target, sources }: LockedTrees): void {
  if ([target, ...sources].some((row) => row.close_reason === 'merged')) throw caseIsMerged()
  const opens = sources.some((row) => isOpenState(row.state))
  if (opens && !isOpenState(target.state)) {
    throw mergeNotAllowed(
      'an open case cannot be merged into an ended case; reopen that case first',
    )
  }
  const moved = sources.reduce((sum, row) => sum + row.event_count, 0)
  if (moved > MOVED_EVENTS_MAX) {
    throw mergeNotAllowed(
      `${moved} events would move, and at most ${MOVED_EVENTS_MAX} do at once; merge into the largest of the cases`,
    )
  }
}

/**
 * Undoes merges: each source gets its events and its former state back. The target afterwards.
 * Throws the errors of 404 and 409.
 */
export async function unmergeCases(
  { db, ids, eventMoves, legalHolds }: MergeDeps,
  scope: TenantScope,
  command: MergeCommand,
): Promise<CaseRow> {
  return await inTransaction(db, async (tx) => {
    await legalHolds.prepare(tx, scope)
    const locked = await lockTrees(tx, scope, command, [command.targetId])
    const { target, sources } = locked
    if (target.close_reason === 'merged') throw caseIsMerged()
    const records = await findMerges(tx, scope, target.id, command.sourceIds)
    const reopened = listReopened(sources, records)
    const keys = planKeysOfUnmerge(locked, reopened)
    await checkGroups(tx, scope, reopened)
    const back: object[] = []
    for (const source of sources) {
      const record = records.get(source.id)
      if (record === undefined) throw mergeNotAllowed(`${source.id} was not merged into this case`)
      const origins = [...listSubtree(locked.tree, source.id)]
      const moved = await eventMoves.moveBack(
        tx,
        scope,
        target.id,
        { id: source.id, resolvedAt: record.resolvedAt },
        origins,
      )
      await writeUnmerged(tx, source, record, command.at)
      await endMerge(tx, scope, record.id, command.at)
      back.push({ case_id: source.id, event_count: moved })
    }
    await raiseVersion(tx, target, command.at)
    await setOpenCases(tx, scope, keys)
    await writeCounters(tx, scope, [target.id, ...command.sourceIds])
    await addHistory(tx, ids, scope, describeUnmerge(command, sources, records, back))
    await legalHolds.extend(tx, ids, scope, {
      from: target.id,
      to: command.sourceIds,
      origin: command,
    })
    return await requireCase(tx, scope, target.id)
  })
}

/** The sources that are open after the unmerge, as they were before the merge. */
function listReopened(
  sources: readonly CaseRow[],
  records: ReadonlyMap<string, MergeRecord>,
): readonly CaseRow[] {
  return sources.filter(({ id }) => {
    const record = records.get(id)
    return record !== undefined && isOpenState(record.state)
  })
}

// A source that is open again takes its keys from the target. The target keeps its own key and the
// keys of the cases that stay merged. A source cannot be unmerged while its own key has another
// open case.
function planKeysOfUnmerge(
  locked: LockedTrees,
  reopened: readonly CaseRow[],
): readonly (CorrelationKey & { readonly caseId: string | null })[] {
  const { target, keys, holders } = locked
  // An own key comes before the same key of a merged case.
  const openCases = new Map([
    ...planInheritedKeys(locked, reopened),
    ...planOwnKeys(locked, reopened),
  ])
  return keys.flatMap((key) => {
    const name = formatCorrelationKey(key)
    // A key of another open case stays with that case.
    return holders.get(name) === target.id ? [{ ...key, caseId: openCases.get(name) ?? null }] : []
  })
}

/** By key of a merged case: the open case into which it is merged after the unmerge. */
function planInheritedKeys(
  { target, sources, tree }: LockedTrees,
  reopened: readonly CaseRow[],
): ReadonlyMap<string, string> {
  const openCases = new Map<string, string>()
  const give = (members: ReadonlySet<string>, rootId: string): void => {
    for (const one of tree) {
      if (members.has(one.id) && one.id !== rootId) openCases.set(formatCorrelationKey(one), rootId)
    }
  }
  const leaving = new Set(sources.flatMap(({ id }) => [...listSubtree(tree, id)]))
  const staying = new Set(tree.flatMap(({ id }) => (leaving.has(id) ? [] : [id])))
  if (isOpenState(target.state)) give(staying, target.id)
  for (const { id } of reopened) give(listSubtree(tree, id), id)
  return openCases
}

/** By own key: the target or source that is open with it after the unmerge. */
function planOwnKeys(
  { target, tree, holders }: LockedTrees,
  reopened: readonly CaseRow[],
): ReadonlyMap<string, string> {
  const openCases = new Map<string, string>()
  const isSealed = (caseId: string): boolean =>
    [target, ...reopened].some(({ id, sealed_at: at }) => id === caseId && at !== null)
  // The target first, so that a source with the same key is refused, and not the target.
  const open = [
    ...tree.filter(({ id }) => id === target.id && isOpenState(target.state)),
    ...tree.filter(({ id }) => reopened.some((source) => source.id === id)),
  ]
  for (const one of open) {
    const name = formatCorrelationKey(one)
    const holder = holders.get(name) ?? target.id
    const other = holder === target.id ? openCases.get(name) : holder
    if (other === undefined) openCases.set(name, one.id)
    // A sealed case stays open without a key, as before the merge.
    else if (!isSealed(one.id)) throw keyHasOpenCase(other)
  }
  return openCases
}

/** Throws when the group of one of them was deleted, which is allowed once it has no open case. */
async function checkGroups(
  tx: Tx,
  scope: TenantScope,
  reopened: readonly CaseRow[],
): Promise<void> {
  const groupIds = reopened.map((row) => row.case_group_id)
  const existing = await lockExistingCaseGroups(tx, scope, groupIds)
  if (!groupIds.every((id) => existing.has(id))) throw caseGroupDeleted()
}

function describeUnmerge(
  command: MergeCommand,
  sources: readonly CaseRow[],
  records: ReadonlyMap<string, MergeRecord>,
  back: readonly object[],
): readonly NewHistoryEntry[] {
  const entry = { kind: 'unmerge', ...pickOrigin(command) } as const
  const moved = sources.map(
    ({ id }): NewHistoryEntry => ({
      ...entry,
      caseId: id,
      fromState: 'CLOSED',
      toState: records.get(id)?.state ?? null,
      changes: { out_of: command.targetId },
    }),
  )
  return [...moved, { ...entry, caseId: command.targetId, changes: { from: back } }]
}

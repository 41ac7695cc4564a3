// SQL of correlation, each for a whole batch in one statement: loads the keys and cases of a batch,
// and writes what was decided. The caller has the correlation lock.

import { strict as assert } from 'node:assert'
import { RetryTransaction, type Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { formatCorrelationKey } from '../cases/case.ts'
import { addHistory, type NewHistoryEntry } from '../cases/case-history-store.ts'
import { isOpenState } from '../cases/case-state.ts'
import {
  addToCases,
  insertCases,
  lockForIngest,
  type NewCase,
  reopenResolvedCases,
  sealCases,
} from '../cases/case-summary-store.ts'
import { type EndedCaseRow, findLastEndedCases } from '../cases/case-tree.ts'
import {
  findKeyHolders,
  findOpenCases,
  lockExistingCaseGroups,
  type OpenCases,
  setOpenCases,
} from '../cases/open-case-store.ts'
import type { CorrelationPlan, CorrelationState } from './correlate.ts'
import { LATE_TAG } from './event-tags.ts'
import { acceptsAny, hasThreshold, type KeyBatch, type KeyedEvent } from './key-events.ts'
import {
  deletePendingEvents,
  insertPendingEvents,
  joinPendingEvents,
  loadPendingEvents,
} from './pending-event-store.ts'

/** `seen`: the open cases of the keys as they were read before the lock; null if they were not. */
export async function loadCorrelationState(
  tx: Tx,
  scope: TenantScope,
  keys: readonly KeyBatch[],
  seen: OpenCases<KeyBatch> | null,
): Promise<CorrelationState> {
  const open = await readOpenCases(tx, scope, keys, seen)
  const free = keys.filter((key) => !open.caseIds.has(key))
  const rows = await findLastEndedCases(tx, scope, free)
  const ended = new Map(rows.map((row) => [formatCorrelationKey(row), row]))
  const waiting = free.filter(hasThreshold)
  const pending = waiting.length === 0 ? [] : await loadPendingEvents(tx, scope, waiting)
  return {
    open,
    ended,
    pending: Map.groupBy(pending, formatCorrelationKey),
    cases: await lockCandidates(tx, scope, keys, open, ended),
    freeTargetKeys: await findFreeTargetKeys(tx, scope, keys, ended),
  }
}

// Whether the cases of the keys are open was checked before the lock, where the check delays no
// other batch. A case that ends frees its keys under the lock, so only the ids are read again here.
// Without that check, or where it found a stale key, the cases are checked again.
async function readOpenCases(
  tx: Tx,
  scope: TenantScope,
  keys: readonly KeyBatch[],
  seen: OpenCases<KeyBatch> | null,
): Promise<OpenCases<KeyBatch>> {
  if (seen === null || seen.stale.size > 0) return await findOpenCases(tx, scope, keys)
  return { caseIds: await findKeyHolders(tx, scope, keys), stale: new Set() }
}

/**
 * Locks the cases whose dates and states decide. The open cases of the other keys are locked with
 * them, since `addToCases` will lock those: two batches must lock in one order.
 */
async function lockCandidates(
  tx: Tx,
  scope: TenantScope,
  keys: readonly KeyBatch[],
  open: OpenCases<KeyBatch>,
  ended: ReadonlyMap<string, EndedCaseRow>,
): Promise<CorrelationState['cases']> {
  const needed = new Set<string>()
  for (const key of keys) {
    const openCaseId = open.caseIds.get(key)
    if (openCaseId !== undefined) {
      if (!acceptsAny(key)) needed.add(openCaseId)
      continue
    }
    const row = ended.get(formatCorrelationKey(key))
    if (row !== undefined && mayJoin(key, row)) needed.add(row.caseId)
  }
  if (needed.size === 0) return new Map()
  const cases = await lockForIngest(tx, scope, [...new Set([...needed, ...open.caseIds.values()])])
  for (const caseId of needed) {
    if (!cases.has(caseId)) throw new RetryTransaction('a case was removed while it was read')
  }
  return cases
}

/**
 * Whether events of the key may join a case that has ended: late events, a relapse, or all events
 * when the key's last case was merged into one that is open.
 */
function mayJoin({ events, group: { policy } }: KeyBatch, row: EndedCaseRow): boolean {
  if (isOpenState(row.state)) return true
  if (row.state === 'RESOLVED' && policy.relapse === 'reopen') return true
  if (policy.relapse === 'attach_only') return true
  if (row.resolvedAt === null || policy.lateEvent !== 'attach') return false
  const until = row.resolvedAt.toISOString()
  return events.some(({ incoming }) => incoming.event.eventDate <= until)
}

/**
 * The own keys of resolved cases into which the last case of a key was merged, and which may be
 * reopened for it: those that are free, and not in this batch for events of their own. No statement
 * for groups that reopen nothing.
 */
async function findFreeTargetKeys(
  tx: Tx,
  scope: TenantScope,
  keys: readonly KeyBatch[],
  ended: ReadonlyMap<string, EndedCaseRow>,
): Promise<ReadonlySet<string>> {
  const inBatch = new Set(keys.map(formatCorrelationKey))
  const targets = keys.flatMap((key) => {
    const row = ended.get(formatCorrelationKey(key))
    if (row?.state !== 'RESOLVED' || key.group.policy.relapse !== 'reopen') return []
    return inBatch.has(formatCorrelationKey(row.ownKey)) ? [] : [row.ownKey]
  })
  if (targets.length === 0) return new Set()
  const taken = await findKeyHolders(tx, scope, targets)
  // Its group may be gone, and then no case of it is reopened.
  const groupIds = targets.map(({ caseGroupId }) => caseGroupId)
  const groups = await lockExistingCaseGroups(tx, scope, groupIds)
  const free = targets.filter((key) => groups.has(key.caseGroupId) && !taken.has(key))
  return new Set(free.map(formatCorrelationKey))
}

/** Everything of the plan but the rows of its events. */
export async function writePlan(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  plan: CorrelationPlan,
  at: Date,
): Promise<void> {
  await reopenResolvedCases(tx, scope, [...plan.reopened.keys()], at)
  const joined = [...plan.additions.values()].filter(({ caseId }) => !plan.opened.has(caseId))
  if (!(await addToCases(tx, scope, joined, at))) {
    throw new RetryTransaction('a case was removed before its events were added')
  }
  await lockGroups(tx, scope, plan)
  await insertCases(tx, scope, describeNewCases(plan), at)
  await sealCases(tx, scope, [...plan.sealed.keys()], at)
  await setOpenCases(tx, scope, plan.openCases)
  if (plan.pending.size > 0) await insertPendingEvents(tx, scope, [...plan.pending.values()])
  if (plan.joins.length > 0) await joinPendingEvents(tx, scope, plan.joins)
  if (plan.noLongerPending.length > 0) {
    await deletePendingEvents(tx, scope, plan.noLongerPending)
  }
  await addHistory(tx, ids, scope, describeHistory(plan, at))
}

/**
 * The rules were read before, and a group that gets a case or a pending event may be deleted since.
 */
async function lockGroups(tx: Tx, scope: TenantScope, plan: CorrelationPlan): Promise<void> {
  const groupIds = [
    ...[...plan.opened.values()].map(({ group }) => group.id),
    ...[...plan.reopened.values()].map(({ group }) => group.id),
    ...[...plan.pending.values()].map(({ caseGroupId }) => caseGroupId),
  ]
  const locked = await lockExistingCaseGroups(tx, scope, groupIds)
  if (groupIds.every((id) => locked.has(id))) return
  throw new RetryTransaction('a case group was deleted after the rules were read')
}

function describeNewCases({ additions, opened }: CorrelationPlan): readonly NewCase[] {
  return [...opened.values()].map(({ caseId, group, cause, linkedCaseId }) => {
    const sum = additions.get(caseId)
    assert.ok(sum !== undefined, 'a new case has the event that opened it')
    return {
      ...sum,
      caseGroupId: group.id,
      keyHash: cause.keyHash,
      customerId: cause.ownership.customerId,
      contractId: cause.ownership.contractId,
      linkedCaseId,
      severity: cause.severity,
    }
  })
}

function describeHistory(plan: CorrelationPlan, at: Date): readonly NewHistoryEntry[] {
  const explain = ({ incoming: { actor, reportId }, eventId }: KeyedEvent) => {
    return { actor, at, reason: null, causeId: reportId ?? eventId } as const
  }
  const opened = [...plan.opened.values()].map(({ caseId, group, cause }): NewHistoryEntry => {
    const changes = { case_group: group.id, event_id: cause.eventId }
    return { ...explain(cause), caseId, kind: 'open', toState: 'NEW', changes }
  })
  const reopened = [...plan.reopened].map(([caseId, cause]): NewHistoryEntry => {
    const states = { fromState: 'RESOLVED', toState: 'IN_PROGRESS' } as const
    const changes = { event_id: cause.eventId }
    return { ...explain(cause), caseId, kind: 'move', ...states, reason: 'relapse', changes }
  })
  const sealed = [...plan.sealed].map(([caseId, cause]): NewHistoryEntry => {
    const next = plan.assigned.get(cause.eventId)?.caseId
    return { ...explain(cause), caseId, kind: 'seal', changes: { next_case_id: next } }
  })
  const attached = plan.afterEnd.flatMap((keyed): NewHistoryEntry[] => {
    const found = plan.assigned.get(keyed.eventId)
    if (found === undefined) return []
    const kind = found.mark === LATE_TAG ? 'late_event' : 'relapse_event'
    const changes = { event_id: keyed.eventId }
    return [{ ...explain(keyed), caseId: found.caseId, kind, changes }]
  })
  return [...opened, ...reopened, ...sealed, ...attached]
}

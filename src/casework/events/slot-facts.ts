// What is known of the keys of a batch once their slots are claimed: who holds them, what ended
// before, what waits below a threshold. Part of gather-cases.ts, inside its transaction.

import { RetryTransaction, type Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { holdCaseGroups } from '../cases/case-locks.ts'
import { isOpenState } from '../cases/case-state.ts'
import { type LockedCase, lockForIntake } from '../cases/case-summary-store.ts'
import { giveSlots } from '../cases/case-tree.ts'
import { claimSlots, joinSlotKey, type SlotClaim } from '../cases/open-case-store.ts'
import { type EndedCaseRow, findLastEndedCases } from './ingest-store.ts'
import { type HeldEvent, loadHeldEvents } from './pending-event-store.ts'
import { hasThreshold, type SlotPlan } from './slot-plan.ts'

export interface ClaimedSlots {
  /** The offered case where the slot was free. */
  readonly holders: ReadonlyMap<SlotPlan, string>
  /** Slots that were claimed for resolved cases that may come back, beside those of the plans. */
  readonly spare: readonly SlotClaim[]
}

/** What is known of the keys once their slots are locked. */
export interface SlotFacts extends ClaimedSlots {
  /** By key, where the slot was free. */
  readonly ended: ReadonlyMap<string, EndedCaseRow>
  readonly held: ReadonlyMap<string, readonly HeldEvent[]>
  /** The cases that may take in events; locked. */
  readonly cases: ReadonlyMap<string, LockedCase>
  /** Slots whose case was gone or had ended: they count as free. */
  readonly healed: number
}

/** Locks the slots of the plans until the transaction ends. */
export async function claimPlans(
  tx: Tx,
  scope: TenantScope,
  plans: readonly SlotPlan[],
): Promise<ClaimedSlots> {
  const returning = await findReturning(tx, scope, plans)
  const all = await claimSlots(tx, scope, [...plans, ...returning])
  return {
    holders: new Map(plans.map((plan, at) => [plan, all[at] ?? plan.offeredCaseId])),
    spare: returning.filter((claim, at) => all[plans.length + at] === claim.offeredCaseId),
  }
}

/** `continued`: cases that are locked later, by the writing of what they take in. */
export async function readFacts(
  tx: Tx,
  scope: TenantScope,
  plans: readonly SlotPlan[],
  claimed: ClaimedSlots,
  continued: readonly string[],
): Promise<SlotFacts> {
  const facts = await learnOfCases(tx, scope, plans, claimed, continued)
  const stale = plans.filter((plan) => isStale(plan, facts))
  if (stale.length === 0) return facts
  // Nothing of ours leaves such a slot; whatever did, its key must not stand still for ever. Cases
  // are locked a second time here, which two batches may do in opposite orders: the database then
  // ends one of them, and it is tried again.
  await giveSlots(
    tx,
    scope,
    stale.map(({ caseGroupId, keyHash, offeredCaseId: caseId }) => ({
      caseGroupId,
      keyHash,
      caseId,
    })),
  )
  const given = stale.map((plan): [SlotPlan, string] => [plan, plan.offeredCaseId])
  const holders = new Map([...claimed.holders, ...given])
  const learnt = await learnOfCases(tx, scope, plans, { ...claimed, holders }, continued)
  return { ...learnt, healed: stale.length }
}

/** The lock of a slot keeps its case from ending, so one that has ended holds nothing. */
function isStale(plan: SlotPlan, { holders, cases }: SlotFacts): boolean {
  const holder = holders.get(plan)
  if (holder === undefined || holder === plan.offeredCaseId) return false
  const locked = cases.get(holder)
  return locked === undefined || !isOpenState(locked.state)
}

async function learnOfCases(
  tx: Tx,
  scope: TenantScope,
  plans: readonly SlotPlan[],
  { holders, spare }: ClaimedSlots,
  continued: readonly string[],
): Promise<SlotFacts> {
  const free = plans.filter((plan) => holders.get(plan) === plan.offeredCaseId)
  const ended = new Map(
    (await findLastEndedCases(tx, scope, free)).map((row) => [joinSlotKey(row), row]),
  )
  const held = await loadHeldEvents(tx, scope, free.filter(hasThreshold))
  const taken = plans.flatMap((plan) => {
    const holder = holders.get(plan)
    return holder === undefined || holder === plan.offeredCaseId ? [] : [holder]
  })
  const settled = free.flatMap((plan) => {
    const row = ended.get(joinSlotKey(plan))
    return row !== undefined && mayTake(plan, row) ? [row] : []
  })
  const kept = spare.map(({ offeredCaseId }) => offeredCaseId)
  const needed = new Set([...taken, ...settled.map(({ caseId }) => caseId), ...kept])
  // Where any is locked now, those that are to be written as well: all in one order.
  if (needed.size > 0) for (const caseId of continued) needed.add(caseId)
  const cases = await lockForIntake(tx, scope, [...needed])
  for (const { caseId, state } of settled) {
    if (cases.get(caseId)?.state === state) continue
    throw new RetryTransaction('a case moved between the lock of its slot and its own')
  }
  const heldByKey = Map.groupBy(held, joinSlotKey)
  return { holders, ended, held: heldByKey, cases, spare, healed: 0 }
}

/**
 * The own slots of resolved cases that took in the last case of a key, and may come back for it.
 * Looked for without a lock, so that all slots can then be claimed in one order. No statement for
 * groups that reopen nothing.
 */
async function findReturning(
  tx: Tx,
  scope: TenantScope,
  plans: readonly SlotPlan[],
): Promise<readonly SlotClaim[]> {
  const asking = plans.filter(({ group }) => group.policy.relapse === 'reopen')
  const planned = new Set(plans.map(joinSlotKey))
  const claims = new Map<string, SlotClaim>()
  for (const { state, ownKey, caseId } of await findLastEndedCases(tx, scope, asking)) {
    const name = joinSlotKey(ownKey)
    if (state !== 'RESOLVED' || planned.has(name)) continue
    const { caseGroupId, keyHash } = ownKey
    claims.set(name, { caseGroupId, keyHash, offeredCaseId: caseId })
  }
  // The case that took in the others may be of a group that is gone, in which none is opened again.
  const groupIds = [...claims.values()].map(({ caseGroupId }) => caseGroupId)
  const held = await holdCaseGroups(tx, scope, groupIds)
  return [...claims.values()].filter(({ caseGroupId }) => held.has(caseGroupId))
}

/**
 * Whether an ended case may take in events of the key: late ones, relapses, or all, when it took in
 * the key and is open.
 */
function mayTake({ owned, group: { policy } }: SlotPlan, row: EndedCaseRow): boolean {
  if (isOpenState(row.state)) return true
  if (row.state === 'RESOLVED' && policy.relapse === 'reopen') return true
  if (row.resolvedAt === null || policy.lateEvent !== 'attach') return false
  const until = row.resolvedAt.toISOString()
  return owned.some(({ arrival }) => arrival.event.eventDate <= until)
}

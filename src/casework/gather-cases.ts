// From events with an owner to cases: locks the slots of their keys, learns what there is, and lets each key take its events in order.
// Part of takeInEvents, inside its transaction. Locks: slots by key, then cases by id, then the groups that cases are opened in.

import { strict as assert } from 'node:assert'
import type { TenantScope } from '../kernel/auth/caller.ts'
import { RetryTransaction, type Tx } from '../kernel/db/database.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { EventArrival } from './event-arrival.ts'
import { GatheredEvents, saveGathered } from './gathered-events.ts'
import { isOpenState } from './model/case-state.ts'
import type { Ownership } from './model/correlation.ts'
import { SlotWalk, type WalkedEvent, type WalkStart } from './model/slot-walk.ts'
import { type CaseGroup, holdCaseGroups } from './store/case-group-store.ts'
import { type LockedCase, lockCaseSummaries } from './store/case-summary-store.ts'
import { giveSlots } from './store/case-tree.ts'
import { type HeldEvent, loadHeldEvents } from './store/held-event-store.ts'
import {
  claimSlots,
  type EndedCaseRow,
  findLastEndedCases,
  joinSlotKey,
  type SlotClaim,
} from './store/intake-store.ts'

/** An event that somebody is responsible for. */
export interface OwnedEvent {
  readonly arrival: EventArrival
  readonly eventId: string
  readonly ownership: Ownership
  readonly group: CaseGroup
  readonly keyHash: string
}

export interface SlotPlan extends SlotClaim {
  readonly group: CaseGroup
  readonly owned: OwnedEvent[]
}

export async function gatherCases(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  plans: readonly SlotPlan[],
  at: Date,
): Promise<GatheredEvents> {
  const gathered = new GatheredEvents()
  if (plans.length === 0) return gathered
  const facts = await readFacts(tx, scope, plans)
  gathered.slotsHealed = facts.healed
  for (const [index, plan] of plans.entries()) {
    const start = startWalk(plan, index, facts)
    let offered: string | null = plan.offeredCaseId
    const createId = (): string => {
      const caseId = offered ?? createCaseId(ids)
      offered = null
      return caseId
    }
    const walk = new SlotWalk(plan.group.policy, start, createId)
    const held = facts.held.get(joinSlotKey(plan)) ?? []
    for (const owned of plan.owned) gathered.addSteps(plan, owned, held, walk.take(walked(owned)))
    gathered.endWalk(plan, held, walk, facts.holders[index] ?? '')
  }
  // One that is open by now was opened by somebody else, and holds its slot rightly.
  gathered.addSlots(
    facts.spare.filter(({ offeredCaseId }) => {
      const locked = facts.cases.get(offeredCaseId)
      return locked !== undefined && !isOpenState(locked.state)
    }),
  )
  await holdGroups(tx, scope, gathered)
  await saveGathered(tx, ids, scope, gathered, facts.cases, at)
  return gathered
}

/** The rules were read before anything was locked, and a group that takes a first event or opens a case may have been deleted since. */
async function holdGroups(tx: Tx, scope: TenantScope, gathered: GatheredEvents): Promise<void> {
  const groupIds = [
    ...[...gathered.opened.values()].map(({ group }) => group.id),
    ...[...gathered.reopened.values()].map(({ group }) => group.id),
    ...[...gathered.held.values()].map(({ caseGroupId }) => caseGroupId),
  ]
  const held = await holdCaseGroups(tx, scope, groupIds)
  if (groupIds.every((id) => held.has(id))) return
  throw new RetryTransaction('a case group was deleted after the rules were read')
}

function walked({ eventId, arrival: { event } }: OwnedEvent): WalkedEvent {
  return { eventId, eventDate: event.eventDate, senderEmail: event.senderEmail }
}

/** One for each key, with its events in their order. */
export function planSlots(ids: IdSource, events: readonly OwnedEvent[]): readonly SlotPlan[] {
  const plans = new Map<string, SlotPlan>()
  for (const owned of events) {
    const key = { caseGroupId: owned.group.id, keyHash: owned.keyHash }
    const name = joinSlotKey(key)
    const plan = plans.get(name)
    if (plan === undefined) {
      const offeredCaseId = createCaseId(ids)
      plans.set(name, { ...key, offeredCaseId, group: owned.group, owned: [owned] })
    } else plan.owned.push(owned)
  }
  return [...plans.values()]
}

/** `C-` and an upper-case UUIDv7 (design section 5.3). */
function createCaseId(ids: IdSource): string {
  return `C-${ids.nextUuid().toUpperCase()}`
}

/** What is known of the keys once their slots are locked. */
interface SlotFacts {
  /** In the order of the plans; the offered case where the slot was free. */
  readonly holders: readonly string[]
  /** By key, where the slot was free. */
  readonly ended: ReadonlyMap<string, EndedCaseRow>
  readonly held: ReadonlyMap<string, readonly HeldEvent[]>
  /** The cases that may take in events; locked. */
  readonly cases: ReadonlyMap<string, LockedCase>
  /** Slots that were claimed for resolved cases that may come back, beside those of the plans. */
  readonly spare: readonly SlotClaim[]
  /** Slots whose case was gone or had ended: they count as free. */
  readonly healed: number
}

async function readFacts(
  tx: Tx,
  scope: TenantScope,
  plans: readonly SlotPlan[],
): Promise<SlotFacts> {
  const returning = await findReturning(tx, scope, plans)
  const all = await claimSlots(tx, scope, [...plans, ...returning])
  const claimed = {
    holders: all.slice(0, plans.length),
    spare: returning.filter((claim, at) => all[plans.length + at] === claim.offeredCaseId),
  }
  const facts = await learnOfCases(tx, scope, plans, claimed)
  const stale = plans.filter((plan, at) => isStale(plan, facts.holders[at], facts.cases))
  if (stale.length === 0) return facts
  // Nothing of ours leaves such a slot; whatever did, its key must not stand still for ever. Cases are locked a second time here, which two
  // batches may do in opposite orders: the database then ends one of them, and it is tried again.
  await giveSlots(
    tx,
    scope,
    stale.map(({ caseGroupId, keyHash, offeredCaseId: caseId }) => ({
      caseGroupId,
      keyHash,
      caseId,
    })),
  )
  const holders = plans.map((plan, at) =>
    stale.includes(plan) ? plan.offeredCaseId : (facts.holders[at] ?? plan.offeredCaseId),
  )
  const learnt = await learnOfCases(tx, scope, plans, { ...claimed, holders })
  return { ...learnt, healed: stale.length }
}

/** The lock of a slot keeps its case from ending, so one that has ended holds nothing. */
function isStale(
  plan: SlotPlan,
  holder: string | undefined,
  cases: ReadonlyMap<string, LockedCase>,
): boolean {
  if (holder === undefined || holder === plan.offeredCaseId) return false
  const locked = cases.get(holder)
  return locked === undefined || !isOpenState(locked.state)
}

async function learnOfCases(
  tx: Tx,
  scope: TenantScope,
  plans: readonly SlotPlan[],
  { holders, spare }: Pick<SlotFacts, 'holders' | 'spare'>,
): Promise<SlotFacts> {
  const free = plans.filter((plan, index) => holders[index] === plan.offeredCaseId)
  const ended = new Map(
    (await findLastEndedCases(tx, scope, free)).map((row) => [joinSlotKey(row), row]),
  )
  const held = await loadHeldEvents(tx, scope, free.filter(hasThreshold))
  const taken = holders.filter((holder, index) => holder !== plans[index]?.offeredCaseId)
  const settled = free.flatMap((plan) => {
    const row = ended.get(joinSlotKey(plan))
    return row !== undefined && mayTake(plan, row) ? [row] : []
  })
  const needed = [...taken, ...settled.map(({ caseId }) => caseId)]
  const kept = spare.map(({ offeredCaseId }) => offeredCaseId)
  const cases = await lockCaseSummaries(tx, scope, [...new Set([...needed, ...kept])])
  for (const { caseId, state } of settled) {
    if (cases.get(caseId)?.state === state) continue
    throw new RetryTransaction('a case moved between the lock of its slot and its own')
  }
  const heldByKey = Map.groupBy(held, joinSlotKey)
  return { holders, ended, held: heldByKey, cases, spare, healed: 0 }
}

/** Whether a case opens only when there are enough events. */
export function hasThreshold({ group: { policy } }: SlotPlan): boolean {
  return policy.thresholdEvents > 1 || policy.thresholdReporters > 1
}

/**
 * The own slots of resolved cases that took in the last case of a key, and may come back for it. Looked for without a lock, so that all
 * slots can then be claimed in one order. No statement for groups that reopen nothing.
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

/** Whether an ended case may take in events of the key: late ones, relapses, or all, when it took in the key and is open. */
function mayTake({ owned, group: { policy } }: SlotPlan, row: EndedCaseRow): boolean {
  if (isOpenState(row.state)) return true
  if (row.state === 'RESOLVED' && policy.relapse === 'reopen') return true
  if (row.resolvedAt === null || policy.lateEvent !== 'attach') return false
  const until = row.resolvedAt.toISOString()
  return owned.some(({ arrival }) => arrival.event.eventDate <= until)
}

function startWalk(plan: SlotPlan, index: number, facts: SlotFacts): WalkStart {
  const name = joinSlotKey(plan)
  const holder = facts.holders[index]
  const held = facts.held.get(name) ?? []
  if (holder !== undefined && holder !== plan.offeredCaseId) {
    const open = facts.cases.get(holder)
    assert.ok(open !== undefined, 'a slot names a case that is there')
    return { open, ended: null, held }
  }
  const row = facts.ended.get(name)
  if (row === undefined) return { open: null, ended: null, held }
  const locked = facts.cases.get(row.caseId)
  // It took in the last case of this key, and goes on without the slot of it.
  if (locked !== undefined && isOpenState(row.state) && !locked.isSealed) {
    return { open: locked, ended: null, held }
  }
  const endedAt = row.endedAt.toISOString()
  return {
    open: null,
    ended: {
      caseId: row.caseId,
      resolvedAt: row.resolvedAt?.toISOString() ?? null,
      endedAt,
      // Needed only of a case that may be opened again, which is then locked.
      firstEventDate: locked?.firstEventDate ?? endedAt,
      lastEventDate: locked?.lastEventDate ?? endedAt,
      mayReopen: row.state === 'RESOLVED' && ownsSlot(plan, row, facts),
    },
    held,
  }
}

// A case is opened again only with its own slot. One that is in this batch for another reason decides for itself.
function ownsSlot(plan: SlotPlan, { caseId, ownKey }: EndedCaseRow, facts: SlotFacts): boolean {
  if (joinSlotKey(ownKey) === joinSlotKey(plan)) return true
  return facts.spare.some(({ offeredCaseId }) => offeredCaseId === caseId)
}

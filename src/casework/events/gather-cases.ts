// From events with an owner to cases: locks the slots of their keys, learns what there is, and lets
// each key take its events in order. Part of takeInEvents, inside its transaction. Locks: slots by
// key, then cases by id, then the groups that cases are opened in. A key whose case goes on as it
// is needs no lock of its slot: that of the case keeps both where they are.

import { strict as assert } from 'node:assert'
import { RetryTransaction, type Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { holdCaseGroups } from '../cases/case-locks.ts'
import { isOpenState } from '../cases/case-state.ts'
import { joinSlotKey, type SlotHolder } from '../cases/open-case-store.ts'
import { GatheredEvents, saveAdditions, saveGathered } from './gathered-events.ts'
import { type EndedCaseRow } from './ingest-store.ts'
import { claimPlans, readFacts, type SlotFacts } from './slot-facts.ts'
import { createCaseId, type OwnedEvent, type SlotPlan, takesAny } from './slot-plan.ts'
import { SlotWalk, type WalkedEvent, type WalkStart } from './slot-walk.ts'

/** What was seen of the slots before, without a lock; those of other plans seemed free. */
export type SeenHolders = ReadonlyMap<SlotPlan, SlotHolder>

/**
 * `seen` null: nothing is taken for granted that was seen without a lock. Throws RetryTransaction
 * where something was that did not hold; tried again without it, no race is lost twice.
 */
export async function gatherCases(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { plans, seen }: { readonly plans: readonly SlotPlan[]; readonly seen: SeenHolders | null },
  at: Date,
): Promise<GatheredEvents> {
  const gathered = new GatheredEvents()
  if (plans.length === 0) return gathered
  const claimants: SlotPlan[] = []
  for (const plan of plans) {
    const holder = seen?.get(plan)
    if (takesAny(plan) && holder?.isOwner === true) gathered.continueCase(plan, holder.caseId)
    else claimants.push(plan)
  }
  const claimed = await claimPlans(tx, scope, claimants)
  const walking: SlotPlan[] = []
  for (const plan of claimants) {
    const caseId = claimed.holders.get(plan) ?? plan.offeredCaseId
    const goesOn = seen !== null && takesAny(plan) && caseId !== plan.offeredCaseId
    if (goesOn) gathered.continueCase(plan, caseId)
    else walking.push(plan)
  }
  const facts = await readFacts(tx, scope, walking, claimed, [...gathered.continued])
  gathered.slotsHealed = facts.healed
  for (const plan of walking) {
    const start = startWalk(plan, facts)
    let offered: string | null = plan.offeredCaseId
    const createId = (): string => {
      const caseId = offered ?? createCaseId(ids)
      offered = null
      return caseId
    }
    const walk = new SlotWalk(plan.group.policy, start, createId)
    const held = facts.held.get(joinSlotKey(plan)) ?? []
    for (const owned of plan.owned) gathered.addSteps(plan, owned, held, walk.take(walked(owned)))
    gathered.endWalk(plan, held, walk, facts.holders.get(plan) ?? '')
  }
  // One that is open by now was opened by somebody else, and holds its slot rightly.
  gathered.addSlots(
    facts.spare.filter(({ offeredCaseId }) => {
      const locked = facts.cases.get(offeredCaseId)
      return locked !== undefined && !isOpenState(locked.state)
    }),
  )
  await saveAdditions(tx, scope, gathered, facts.cases, at)
  await holdGroups(tx, scope, gathered)
  await saveGathered(tx, ids, scope, gathered, at)
  return gathered
}

/**
 * The rules were read before anything was locked, and a group that takes a first event or opens a
 * case may have been deleted since.
 */
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

function startWalk(plan: SlotPlan, facts: SlotFacts): WalkStart {
  const name = joinSlotKey(plan)
  const holder = facts.holders.get(plan)
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

// A case is opened again only with its own slot. One that is in this batch for another reason
// decides for itself.
function ownsSlot(plan: SlotPlan, { caseId, ownKey }: EndedCaseRow, facts: SlotFacts): boolean {
  if (joinSlotKey(ownKey) === joinSlotKey(plan)) return true
  return facts.spare.some(({ offeredCaseId }) => offeredCaseId === caseId)
}

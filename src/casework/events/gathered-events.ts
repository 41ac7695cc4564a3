// What the walks of a batch come to: where each event goes, which cases open, come back or are
// full, which slots change hands; and the writing of all that, a statement a kind.

import { strict as assert } from 'node:assert'
import { RetryTransaction, type Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory, type NewHistoryEntry } from '../cases/case-history-store.ts'
import { mergeSummaries, summariseEvent } from '../cases/case-summary.ts'
import {
  addToCases,
  type CaseSummary,
  insertCases,
  type LockedCase,
  type NewCase,
  reopenResolvedCases,
  sealCases,
} from '../cases/case-summary-store.ts'
import { giveSlots } from '../cases/case-tree.ts'
import type { SlotClaim, SlotKey } from '../cases/open-case-store.ts'
import type { CaseGroup } from '../rules/case-group.ts'
import { LATE_TAG } from './event-tags.ts'
import {
  deleteHeldEvents,
  type HeldEvent,
  insertHeldEvents,
  joinHeldEvents,
} from './pending-event-store.ts'
import type { OwnedEvent, SlotPlan } from './slot-plan.ts'
import type { SlotWalk, WalkStep } from './slot-walk.ts'

export interface EventPlace {
  readonly caseId: string
  /** It belongs to a case that was resolved already. */
  readonly isLate: boolean
}

interface OpenedCase {
  readonly caseId: string
  readonly group: CaseGroup
  /** The event that opened it. */
  readonly cause: OwnedEvent
  readonly linkedCaseId: string | null
}

export class GatheredEvents {
  /** By event id, of the events of this batch. */
  readonly places = new Map<string, EventPlace>()
  readonly opened = new Map<string, OpenedCase>()
  /** By the id of the case: the event for which it is opened again. */
  readonly reopened = new Map<string, OwnedEvent>()
  /** By the id of the case: the event that it did not take. */
  readonly sealed = new Map<string, OwnedEvent>()
  /** Ids of open cases that take any event; not locked yet. */
  readonly continued = new Set<string>()
  readonly additions = new Map<string, CaseSummary>()
  /** Events that came before, and now go into a case. */
  readonly joins: { readonly eventId: string; readonly caseId: string }[] = []
  /**
   * Events of this batch that are in no case, since they are below a threshold; those that may
   * still count are held for it.
   */
  readonly below = new Set<string>()
  readonly held = new Map<string, SlotKey & { readonly eventId: string }>()
  readonly heldNoMore: string[] = []
  readonly slots: (SlotKey & { readonly caseId: string | null })[] = []
  /** Slots that named no open case and were taken as free. */
  slotsHealed = 0

  addSteps(
    plan: SlotPlan,
    owned: OwnedEvent,
    held: readonly HeldEvent[],
    steps: readonly WalkStep[],
  ): void {
    for (const step of steps) {
      switch (step.kind) {
        case 'attach':
          this.#attach(plan, step, held)
          break
        case 'attach_late':
          this.#place(owned, step.caseId, true)
          break
        case 'hold':
          this.below.add(step.eventId)
          break
        case 'open': {
          const { caseId, linkedCaseId } = step
          this.opened.set(caseId, { caseId, group: plan.group, cause: owned, linkedCaseId })
          break
        }
        case 'reopen':
          if (!this.reopened.has(step.caseId)) this.reopened.set(step.caseId, owned)
          break
        case 'seal':
          if (!this.sealed.has(step.caseId)) this.sealed.set(step.caseId, owned)
          break
      }
    }
  }

  /** All events of the plan join it. */
  continueCase(plan: SlotPlan, caseId: string): void {
    this.continued.add(caseId)
    for (const owned of plan.owned) this.#place(owned, caseId, false)
  }

  #attach(
    plan: SlotPlan,
    { eventId, caseId }: { readonly eventId: string; readonly caseId: string },
    held: readonly HeldEvent[],
  ): void {
    const waited = held.find((event) => event.eventId === eventId)
    if (waited === undefined) {
      const owned = plan.owned.find((one) => one.eventId === eventId)
      assert.ok(owned !== undefined, 'a walk places the events of its plan')
      this.#place(owned, caseId, false)
    } else {
      this.joins.push({ eventId, caseId })
      this.#add(summariseEvent(caseId, waited, waited.tags))
    }
  }

  #place(owned: OwnedEvent, caseId: string, isLate: boolean): void {
    const { event } = owned.arrival
    this.places.set(owned.eventId, { caseId, isLate })
    this.below.delete(owned.eventId)
    this.#add(summariseEvent(caseId, event, isLate ? [...event.tags, LATE_TAG] : event.tags))
  }

  #add(addition: CaseSummary): void {
    const sum = this.additions.get(addition.caseId)
    this.additions.set(
      addition.caseId,
      sum === undefined ? addition : mergeSummaries(sum, addition),
    )
  }

  /** `holder`: the case that has the slot so far. */
  endWalk(plan: SlotPlan, before: readonly HeldEvent[], walk: SlotWalk, holder: string): void {
    const { caseGroupId, keyHash } = plan
    if (walk.openCaseId !== holder) {
      this.slots.push({ caseGroupId, keyHash, caseId: walk.openCaseId })
    }
    const waiting = new Set(walk.held.map(({ eventId }) => eventId))
    this.heldNoMore.push(
      ...before.flatMap(({ eventId }) => (waiting.has(eventId) ? [] : [eventId])),
    )
    for (const { eventId } of plan.owned) {
      if (waiting.has(eventId)) this.held.set(eventId, { caseGroupId, keyHash, eventId })
    }
  }

  /**
   * Slots that were claimed for cases that may have come back: of those that did not, they are
   * given back.
   */
  addSlots(spare: readonly SlotClaim[]): void {
    for (const { caseGroupId, keyHash, offeredCaseId } of spare) {
      if (this.reopened.has(offeredCaseId)) continue
      this.slots.push({ caseGroupId, keyHash, caseId: null })
    }
  }
}

/**
 * What comes to the cases that were there before: `present` ones, which are locked, and those that
 * go on, which are locked here.
 */
export async function saveAdditions(
  tx: Tx,
  scope: TenantScope,
  { additions, continued, opened, reopened }: GatheredEvents,
  present: ReadonlyMap<string, LockedCase>,
  at: Date,
): Promise<void> {
  await reopenResolvedCases(tx, scope, [...reopened.keys()], at)
  const joining = [...additions.values()].filter(({ caseId }) => !opened.has(caseId))
  for (const { caseId } of joining) {
    assert.ok(present.has(caseId) || continued.has(caseId), 'a case that takes in events is known')
  }
  if (!(await addToCases(tx, scope, joining, continued, at))) {
    throw new RetryTransaction('a case ended, was sealed or went before intake had its lock')
  }
}

/** All the rest, once the cases are locked. */
export async function saveGathered(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  gathered: GatheredEvents,
  at: Date,
): Promise<void> {
  await insertCases(tx, scope, describeOpened(gathered), at)
  await sealCases(tx, scope, [...gathered.sealed.keys()], at)
  if (gathered.slots.length > 0) await giveSlots(tx, scope, gathered.slots)
  await insertHeldEvents(tx, scope, [...gathered.held.values()])
  await joinHeldEvents(tx, scope, gathered.joins)
  await deleteHeldEvents(tx, scope, gathered.heldNoMore)
  await addHistory(tx, ids, scope, describeHistory(gathered, at))
}

function describeOpened({ additions, opened }: GatheredEvents): readonly NewCase[] {
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
      severity: group.severity,
    }
  })
}

function describeHistory(gathered: GatheredEvents, at: Date): readonly NewHistoryEntry[] {
  const explain = ({ arrival: { actor, reportId }, eventId }: OwnedEvent) => {
    return { actor, at, reason: null, causeId: reportId ?? eventId } as const
  }
  const opened = [...gathered.opened.values()].map(({ caseId, group, cause }): NewHistoryEntry => {
    const changes = { case_group: group.id, event_id: cause.eventId }
    return { ...explain(cause), caseId, kind: 'open', toState: 'NEW', changes }
  })
  const reopened = [...gathered.reopened].map(([caseId, cause]): NewHistoryEntry => {
    const states = { fromState: 'RESOLVED', toState: 'IN_PROGRESS' } as const
    const changes = { event_id: cause.eventId }
    return { ...explain(cause), caseId, kind: 'move', ...states, reason: 'relapse', changes }
  })
  const sealed = [...gathered.sealed].map(([caseId, cause]): NewHistoryEntry => {
    const next = gathered.places.get(cause.eventId)?.caseId
    return { ...explain(cause), caseId, kind: 'seal', changes: { next_case_id: next } }
  })
  return [...opened, ...reopened, ...sealed]
}

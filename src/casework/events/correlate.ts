// Correlation: which case each event of a batch joins, opens or reopens, and which events stay
// pending. Pure: correlation-store.ts loads the state and writes the plan.

import { strict as assert } from 'node:assert'
import type { IdSource } from '../../kernel/ids.ts'
import type { CaseSummary } from '../cases/case.ts'
import {
  type CorrelationKey,
  formatCorrelationKey,
  mergeSummaries,
  summariseEvent,
} from '../cases/case.ts'
import { isOpenState } from '../cases/case-state.ts'
import type { LockedCase } from '../cases/case-summary-store.ts'
import type { EndedCaseRow } from '../cases/case-tree.ts'
import { type OpenCases } from '../cases/open-case-store.ts'
import type { CaseGroup } from '../rules/case-group.ts'
import { KeyCorrelation, type KeyState, type Step } from './correlate-key.ts'
import { BELOW_THRESHOLD_TAG, LATE_TAG, MUTED_TAG, RELAPSE_TAG } from './event-tags.ts'
import {
  acceptsAny,
  createCaseId,
  hasThreshold,
  type KeyBatch,
  type KeyedEvent,
} from './key-events.ts'
import type { PendingEvent } from './pending-event-store.ts'

/** The keys and cases of a batch as they are under the correlation lock. */
export interface CorrelationState {
  readonly open: OpenCases<KeyBatch>
  /** By key, of keys without an open case: the case that ended last. */
  readonly ended: ReadonlyMap<string, EndedCaseRow>
  /** By key, of keys without an open case. */
  readonly pending: ReadonlyMap<string, readonly PendingEvent[]>
  /** By id: the cases that may get events by their dates. */
  readonly cases: ReadonlyMap<string, LockedCase>
  /** Keys of merged cases' targets, outside this batch, that are free. */
  readonly freeTargetKeys: ReadonlySet<string>
}

type EndedCaseMark = typeof LATE_TAG | typeof RELAPSE_TAG

export interface AssignedCase {
  readonly caseId: string
  /** Of an event that joined a case which has ended; null for any other. */
  readonly mark: EndedCaseMark | null
}

interface OpenedCase {
  readonly caseId: string
  readonly group: CaseGroup
  /** The event that opened it. */
  readonly cause: KeyedEvent
  readonly linkedCaseId: string | null
}

/** What correlation decided for a batch. */
export class CorrelationPlan {
  /** By event id, of the events of this batch. */
  readonly assigned = new Map<string, AssignedCase>()
  /** Events that joined a case which has ended, and stays so. */
  readonly afterEnd: KeyedEvent[] = []
  readonly opened = new Map<string, OpenedCase>()
  /** By the id of the case: the event for which it is reopened. */
  readonly reopened = new Map<string, KeyedEvent>()
  /** By the id of the case: the event that it did not accept. */
  readonly sealed = new Map<string, KeyedEvent>()
  /** What the cases get, by id, new ones among them. */
  readonly additions = new Map<string, CaseSummary>()
  /** Events that were pending before this batch, and now join a case. */
  readonly joins: { readonly eventId: string; readonly caseId: string }[] = []
  /** Events of this batch that are in no case, since they are below a threshold. */
  readonly below = new Set<string>()
  /** Those of them that may still count. */
  readonly pending = new Map<string, CorrelationKey & { readonly eventId: string }>()
  readonly noLongerPending: string[] = []
  /** Keys that get another open case, or none (null). */
  readonly openCases: (CorrelationKey & { readonly caseId: string | null })[] = []

  /** The steps of one event. */
  addSteps(
    key: KeyBatch,
    keyed: KeyedEvent,
    before: readonly PendingEvent[],
    ended: EndedCaseRow | undefined,
    steps: readonly Step[],
  ): void {
    for (const step of steps) {
      switch (step.kind) {
        case 'attach':
          this.#attach(key, step, before)
          break
        case 'attach_late':
          this.assign(keyed, step.caseId, LATE_TAG)
          break
        case 'attach_relapse':
          this.assign(keyed, step.caseId, RELAPSE_TAG)
          break
        case 'pend':
          this.below.add(step.eventId)
          break
        case 'open': {
          const { caseId, linkedCaseId } = step
          this.opened.set(caseId, { caseId, group: key.group, cause: keyed, linkedCaseId })
          break
        }
        case 'reopen':
          this.#reopen(key, keyed, step.caseId, ended)
          break
        case 'seal':
          if (!this.sealed.has(step.caseId)) this.sealed.set(step.caseId, keyed)
          break
      }
    }
  }

  assign(keyed: KeyedEvent, caseId: string, mark: EndedCaseMark | null): void {
    const { event } = keyed.incoming
    this.assigned.set(keyed.eventId, { caseId, mark })
    if (mark !== null) this.afterEnd.push(keyed)
    this.below.delete(keyed.eventId)
    this.#add(summariseEvent(caseId, event, mark === null ? event.tags : [...event.tags, mark]))
  }

  #attach(
    key: KeyBatch,
    { eventId, caseId }: { readonly eventId: string; readonly caseId: string },
    before: readonly PendingEvent[],
  ): void {
    const pending = before.find((event) => event.eventId === eventId)
    if (pending === undefined) {
      const keyed = key.events.find((one) => one.eventId === eventId)
      assert.ok(keyed !== undefined, 'a step names an event of its key')
      this.assign(keyed, caseId, null)
    } else {
      this.joins.push({ eventId, caseId })
      this.#add(summariseEvent(caseId, pending, pending.tags))
    }
  }

  // A case that is reopened for a key that was merged into it gets its own key back too.
  #reopen(key: KeyBatch, keyed: KeyedEvent, caseId: string, ended: EndedCaseRow | undefined): void {
    if (this.reopened.has(caseId)) return
    this.reopened.set(caseId, keyed)
    if (ended === undefined || formatCorrelationKey(ended.ownKey) === formatCorrelationKey(key)) {
      return
    }
    const { caseGroupId, keyHash } = ended.ownKey
    this.openCases.push({ caseGroupId, keyHash, caseId })
  }

  #add(addition: CaseSummary): void {
    const sum = this.additions.get(addition.caseId)
    this.additions.set(
      addition.caseId,
      sum === undefined ? addition : mergeSummaries(sum, addition),
    )
  }

  /** After the last event of a key. */
  endKey(key: KeyBatch, before: readonly PendingEvent[], correlation: KeyCorrelation): void {
    const { caseGroupId, keyHash } = key
    const pending = new Set(correlation.pending.map(({ eventId }) => eventId))
    for (const { eventId } of before) if (!pending.has(eventId)) this.noLongerPending.push(eventId)
    for (const { eventId } of key.events) {
      if (pending.has(eventId)) this.pending.set(eventId, { caseGroupId, keyHash, eventId })
    }
  }
}

export function correlate(
  ids: IdSource,
  keys: readonly KeyBatch[],
  state: CorrelationState,
): CorrelationPlan {
  const plan = new CorrelationPlan()
  for (const key of keys) {
    const openCaseId = state.open.caseIds.get(key)
    if (openCaseId !== undefined && acceptsAny(key)) {
      for (const keyed of key.events) plan.assign(keyed, openCaseId, null)
    } else correlateKey(ids, key, state, plan)
  }
  return plan
}

function correlateKey(
  ids: IdSource,
  key: KeyBatch,
  state: CorrelationState,
  plan: CorrelationPlan,
): void {
  const name = formatCorrelationKey(key)
  const [before, ended] = [state.pending.get(name) ?? [], state.ended.get(name)]
  let offered: string | null = key.offeredCaseId
  const createId = (): string => {
    const caseId = offered ?? createCaseId(ids)
    offered = null
    return caseId
  }
  const correlation = new KeyCorrelation(key.group.policy, startKey(key, state), createId)
  for (const keyed of key.events) {
    const { eventId, incoming } = keyed
    const { eventDate, senderEmail } = incoming.event
    const steps = correlation.add({ eventId, eventDate, senderEmail })
    plan.addSteps(key, keyed, before, ended, steps)
  }
  plan.endKey(key, before, correlation)
  const wasOpen = state.open.caseIds.get(key) ?? null
  if (correlation.openCaseId !== wasOpen || state.open.stale.has(key)) {
    const { caseGroupId, keyHash } = key
    plan.openCases.push({ caseGroupId, keyHash, caseId: correlation.openCaseId })
  }
}

function startKey(key: KeyBatch, state: CorrelationState): KeyState {
  const name = formatCorrelationKey(key)
  const pending = state.pending.get(name) ?? []
  const openCaseId = state.open.caseIds.get(key)
  if (openCaseId !== undefined) {
    const open = state.cases.get(openCaseId)
    assert.ok(open !== undefined, 'the open case of a key is loaded')
    return { open, ended: null, pending }
  }
  const row = state.ended.get(name)
  if (row === undefined) return { open: null, ended: null, pending }
  const found = state.cases.get(row.caseId)
  // The last case of this key was merged into one that is open, and has not this key.
  if (found !== undefined && isOpenState(row.state) && !found.isSealed) {
    return { open: found, ended: null, pending }
  }
  const endedAt = row.endedAt.toISOString()
  const ownName = formatCorrelationKey(row.ownKey)
  return {
    open: null,
    ended: {
      caseId: row.caseId,
      resolvedAt: row.resolvedAt?.toISOString() ?? null,
      endedAt,
      // Needed only of a case that may be reopened, which is loaded then.
      firstEventDate: found?.firstEventDate ?? endedAt,
      lastEventDate: found?.lastEventDate ?? endedAt,
      mayAttach: !isOpenState(row.state),
      // A case is reopened only with its own key.
      mayReopen:
        row.state === 'RESOLVED' && (ownName === name || state.freeTargetKeys.has(ownName)),
    },
    pending,
  }
}

/** Where events of a batch are, or are expected to be. */
export interface Assignment {
  readonly assigned: ReadonlyMap<string, AssignedCase>
  readonly below: ReadonlySet<string>
}

/**
 * The cases of the events if nobody else changes their keys meanwhile. Rows of events are most of
 * the work of a batch. They are written with these cases before the correlation lock is taken, so
 * that the lock is held for a short time; few have to be corrected afterwards.
 */
export function expectCases(
  keys: readonly KeyBatch[],
  open: ReadonlyMap<KeyBatch, string>,
): Assignment {
  const assigned = new Map<string, AssignedCase>()
  for (const key of keys) {
    const caseId = open.get(key) ?? (hasThreshold(key) ? null : key.offeredCaseId)
    if (caseId === null) continue
    for (const { eventId } of key.events) assigned.set(eventId, { caseId, mark: null })
  }
  return { assigned, below: new Set() }
}

/** The columns of a stored event that the rules and its case decide. */
export function describeAssignment(
  eventId: string,
  tags: readonly string[],
  { assigned, below }: Assignment,
  muted: ReadonlyMap<string, string>,
): {
  readonly caseId: string | null
  readonly muteRuleId: string | null
  readonly tags: readonly string[]
  readonly resolved: boolean
} {
  const found = assigned.get(eventId)
  const muteRuleId = muted.get(eventId) ?? null
  const mark = found?.mark ?? null
  const marks = [
    ...(mark === null ? [] : [mark]),
    ...(muteRuleId === null ? [] : [MUTED_TAG]),
    ...(below.has(eventId) ? [BELOW_THRESHOLD_TAG] : []),
  ]
  return {
    caseId: found?.caseId ?? null,
    muteRuleId,
    tags: marks.length === 0 ? tags : [...new Set([...tags, ...marks])],
    // An event from before its case was resolved is resolved with it.
    resolved: mark === LATE_TAG,
  }
}

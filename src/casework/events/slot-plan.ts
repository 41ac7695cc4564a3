// The events of a batch that have one key of a case group in common, with the case that is offered
// to them should their slot be free.

import type { IdSource } from '../../kernel/ids.ts'
import { joinSlotKey, type SlotClaim } from '../cases/open-case-store.ts'
import type { CaseGroup } from '../rules/case-group.ts'
import type { Ownership } from '../rules/correlation-key.ts'
import type { EventArrival } from './event-arrival.ts'

/** An event that somebody is responsible for. */
export interface OwnedEvent {
  readonly arrival: EventArrival
  readonly eventId: string
  readonly ownership: Ownership
  readonly group: CaseGroup
  readonly keyHash: string
}

export class SlotPlan implements SlotClaim {
  readonly caseGroupId: string
  readonly keyHash: string
  readonly group: CaseGroup
  readonly owned: OwnedEvent[]
  readonly #ids: IdSource
  #offeredCaseId: string | null = null

  constructor(ids: IdSource, first: OwnedEvent) {
    this.#ids = ids
    this.caseGroupId = first.group.id
    this.keyHash = first.keyHash
    this.group = first.group
    this.owned = [first]
  }

  /** Made when it is first asked for: most keys have a case already. */
  get offeredCaseId(): string {
    this.#offeredCaseId ??= createCaseId(this.#ids)
    return this.#offeredCaseId
  }
}

/** One for each key, with its events in their order. */
export function planSlots(ids: IdSource, events: readonly OwnedEvent[]): readonly SlotPlan[] {
  const plans = new Map<string, SlotPlan>()
  for (const owned of events) {
    const name = joinSlotKey({ caseGroupId: owned.group.id, keyHash: owned.keyHash })
    const plan = plans.get(name)
    if (plan === undefined) plans.set(name, new SlotPlan(ids, owned))
    else plan.owned.push(owned)
  }
  return [...plans.values()]
}

/** `C-` and an upper-case UUIDv7 (design section 5.3). */
export function createCaseId(ids: IdSource): string {
  return `C-${ids.nextUuid().toUpperCase()}`
}

/** Whether a case opens only when there are enough events. */
export function hasThreshold({ group: { policy } }: SlotPlan): boolean {
  return policy.thresholdEvents > 1 || policy.thresholdReporters > 1
}

/**
 * Nothing can come of it but that an open case takes its events: without a bound of age, an open
 * one takes any.
 */
export function takesAny({ group: { policy } }: SlotPlan): boolean {
  return policy.maxAgeSeconds === null && policy.maxGapSeconds === null
}

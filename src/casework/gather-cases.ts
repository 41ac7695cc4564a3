// From events with an owner to cases: claims the slots of their keys, opens the cases that are missing, and brings the sums of all
// of them up to date. Part of takeInEvents, inside its transaction.

import { strict as assert } from 'node:assert'
import type { TenantScope } from '../kernel/auth/caller.ts'
import type { Tx } from '../kernel/db/database.ts'
import type { IdSource } from '../kernel/ids.ts'
import { mergeSummaries, summariseEvent } from './case-summary.ts'
import type { EventArrival } from './event-arrival.ts'
import { decideAttach, type EndedCase, LATE_TAG, type Ownership } from './model/correlation.ts'
import type { CaseGroup } from './store/case-group-store.ts'
import {
  type CaseSummary,
  claimSlots,
  findLastEndedCases,
  insertCases,
  joinSlotKey,
  lockCaseSummaries,
  type NewCase,
  releaseSlots,
  type SlotClaim,
  updateCaseSummaries,
} from './store/intake-store.ts'

/** An event that somebody is responsible for. */
export interface OwnedEvent {
  readonly arrival: EventArrival
  readonly eventId: string
  readonly ownership: Ownership
  readonly group: CaseGroup
  readonly keyHash: string
}

interface EventPlace {
  readonly caseId: string
  /** It belongs to a case that was resolved already. */
  readonly isLate: boolean
}

interface OpenedCase {
  readonly caseId: string
  readonly group: CaseGroup
  /** The event that opened it. */
  readonly cause: OwnedEvent
}

export interface GatheredCases {
  /** By event id. */
  readonly places: ReadonlyMap<string, EventPlace>
  readonly opened: readonly OpenedCase[]
}

interface SlotPlan extends SlotClaim {
  readonly owned: OwnedEvent[]
}

export async function gatherCases(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  events: readonly OwnedEvent[],
  at: Date,
): Promise<GatheredCases> {
  if (events.length === 0) return { places: new Map(), opened: [] }
  const plans = planSlots(ids, events)
  const holders = await claimSlots(tx, scope, plans)
  const free = plans.filter((plan, index) => holders[index] === plan.offeredCaseId)
  const ended = new Map(
    (await findLastEndedCases(tx, scope, free)).map((row) => [
      joinSlotKey(row),
      { caseId: row.caseId, resolvedAt: row.resolvedAt?.toISOString() ?? null },
    ]),
  )
  const gathering = new Gathering()
  for (const [index, plan] of plans.entries()) {
    const holder = holders[index]
    const openCaseId = holder === plan.offeredCaseId ? null : (holder ?? null)
    gathering.placeEvents(plan, openCaseId, ended.get(joinSlotKey(plan)) ?? null)
  }
  await releaseSlots(
    tx,
    scope,
    free.filter((plan) => !gathering.opened.has(plan.offeredCaseId)),
  )
  await saveCases(tx, scope, gathering, at)
  return { places: gathering.places, opened: [...gathering.opened.values()] }
}

function planSlots(ids: IdSource, events: readonly OwnedEvent[]): readonly SlotPlan[] {
  const plans = new Map<string, SlotPlan>()
  for (const owned of events) {
    const key = { caseGroupId: owned.group.id, keyHash: owned.keyHash }
    const name = joinSlotKey(key)
    const plan = plans.get(name)
    if (plan === undefined) {
      plans.set(name, { ...key, offeredCaseId: createCaseId(ids), owned: [owned] })
    } else plan.owned.push(owned)
  }
  return [...plans.values()]
}

/** `C-` and an upper-case UUIDv7 (design section 5.3). */
function createCaseId(ids: IdSource): string {
  return `C-${ids.nextUuid().toUpperCase()}`
}

/** Where each event goes, and what that adds to which case. */
class Gathering {
  readonly places = new Map<string, EventPlace>()
  readonly opened = new Map<string, OpenedCase & { readonly linkedCaseId: string | null }>()
  readonly additions = new Map<string, CaseSummary>()

  placeEvents(plan: SlotPlan, openCaseId: string | null, lastEnded: EndedCase | null): void {
    for (const owned of plan.owned) {
      const { event } = owned.arrival
      const decision = decideAttach(event.eventDate, openCaseId, lastEnded)
      if (decision.kind === 'open_case') {
        const caseId = plan.offeredCaseId
        if (!this.opened.has(caseId)) {
          const { linkedCaseId } = decision
          this.opened.set(caseId, { caseId, group: owned.group, cause: owned, linkedCaseId })
        }
        this.#place(owned, caseId, false)
      } else {
        this.#place(owned, decision.caseId, decision.kind === 'attach_late')
      }
    }
  }

  #place(owned: OwnedEvent, caseId: string, isLate: boolean): void {
    const { event } = owned.arrival
    this.places.set(owned.eventId, { caseId, isLate })
    const addition = summariseEvent(caseId, event, isLate ? [...event.tags, LATE_TAG] : event.tags)
    const sum = this.additions.get(caseId)
    this.additions.set(caseId, sum === undefined ? addition : mergeSummaries(sum, addition))
  }
}

async function saveCases(
  tx: Tx,
  scope: TenantScope,
  gathering: Gathering,
  at: Date,
): Promise<void> {
  const additions = [...gathering.additions.values()]
  const known = additions.filter((addition) => !gathering.opened.has(addition.caseId))
  const present = await lockCaseSummaries(
    tx,
    scope,
    known.map((addition) => addition.caseId),
  )
  await updateCaseSummaries(
    tx,
    scope,
    known.map((addition) => {
      const sum = present.get(addition.caseId)
      assert.ok(sum !== undefined, 'a slot names a case that is there')
      return mergeSummaries(sum, addition)
    }),
    at,
  )
  const opened = additions.flatMap((addition): NewCase[] => {
    const entry = gathering.opened.get(addition.caseId)
    if (entry === undefined) return []
    return [
      {
        ...addition,
        caseGroupId: entry.group.id,
        keyHash: entry.cause.keyHash,
        customerId: entry.cause.ownership.customerId,
        contractId: entry.cause.ownership.contractId,
        linkedCaseId: entry.linkedCaseId,
      },
    ]
  })
  await insertCases(tx, scope, opened, at)
}

// What the rules and the cases make of events with an owner: muted, held, or in a case, with
// history and runs. Part of takeInEvents and of a replay, inside their transactions.

import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory, type NewHistoryEntry } from '../cases/case-history-store.ts'
import type { OwnerAnswer } from '../owners/resolve-owners.ts'
import { startRunsForNewCases } from '../playbooks/run-store.ts'
import type { IntakeRules } from '../rules/case-group.ts'
import { type ConditionFailures, createRuleChooser } from '../rules/choose-rules.ts'
import { buildCorrelationKey } from '../rules/correlation-key.ts'
import type { EventArrival } from './event-arrival.ts'
import { BELOW_THRESHOLD_TAG, LATE_TAG, MUTED_TAG } from './event-tags.ts'
import { gatherCases, type SeenHolders } from './gather-cases.ts'
import type { EventPlace, GatheredEvents } from './gathered-events.ts'
import { type IntakeTally, NO_TALLY } from './ingest-metrics.ts'
import { type OwnedEvent, planSlots, type SlotPlan } from './slot-plan.ts'

/** An event with the id under which it is stored. */
export interface EventEntry {
  readonly arrival: EventArrival
  readonly eventId: string
}

export interface ResolvedEvents {
  readonly entries: readonly EventEntry[]
  /** In the order of the entries. */
  readonly answers: readonly OwnerAnswer[]
  readonly rules: IntakeRules
}

export interface PlacedEvents {
  readonly gathered: GatheredEvents
  /** The rule that muted the event, by event id. */
  readonly muted: ReadonlyMap<string, string>
  readonly runsStarted: number
  readonly tally: IntakeTally
}

/** What the rules say of events with an owner, before anybody looks at a case. */
export interface ChosenEvents {
  /** The rule that muted the event, by event id. */
  readonly muted: ReadonlyMap<string, string>
  readonly owned: readonly OwnedEvent[]
  readonly plans: readonly SlotPlan[]
  readonly failures: ConditionFailures
}

export function chooseRules(
  ids: IdSource,
  { entries, answers, rules }: ResolvedEvents,
  at: Date,
): ChosenEvents {
  const chooser = createRuleChooser(rules, at)
  const owned: OwnedEvent[] = []
  const muted = new Map<string, string>()
  for (const [index, { arrival, eventId }] of entries.entries()) {
    const answer = answers[index]
    // Nobody is known to be responsible: no case.
    if (answer?.kind !== 'owned') continue
    const { ownership } = answer
    const choice = chooser.choose(arrival.event, ownership)
    if (choice.kind === 'muted') {
      muted.set(eventId, choice.ruleId)
      continue
    }
    const { group } = choice
    const keyHash = buildCorrelationKey(group.keyFields, arrival.event, ownership)
    owned.push({ arrival, eventId, ownership, group, keyHash })
  }
  return { muted, owned, plans: planSlots(ids, owned), failures: chooser.failures }
}

/**
 * Gathers them into cases, with history and runs; the events themselves are the caller's to write.
 */
export async function placeEvents(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { muted, owned, plans, failures, seen }: ChosenEvents & { readonly seen: SeenHolders | null },
  at: Date,
): Promise<PlacedEvents> {
  const gathered = await gatherCases(tx, ids, scope, { plans, seen }, at)
  await addHistory(tx, ids, scope, describeLate(owned, gathered, at))
  const tally: IntakeTally = {
    ...NO_TALLY,
    muted: muted.size,
    below: gathered.below.size,
    slotsHealed: gathered.slotsHealed,
    failures,
  }
  return { gathered, muted, tally, runsStarted: await startRuns(tx, ids, scope, gathered) }
}

/** Where events are, or are taken to be. */
export interface Placement {
  readonly gathered: Pick<GatheredEvents, 'below'> & {
    readonly places: ReadonlyMap<string, EventPlace>
  }
  readonly muted: ReadonlyMap<string, string>
}

/** How a stored event is marked for what became of it. */
export function markEvent(
  eventId: string,
  tags: readonly string[],
  { gathered, muted }: Placement,
): {
  readonly caseId: string | null
  readonly muteRuleId: string | null
  readonly tags: readonly string[]
  readonly resolved: boolean
} {
  const place = gathered.places.get(eventId)
  const muteRuleId = muted.get(eventId) ?? null
  const isLate = place?.isLate === true
  const marks = [
    ...(isLate ? [LATE_TAG] : []),
    ...(muteRuleId === null ? [] : [MUTED_TAG]),
    ...(gathered.below.has(eventId) ? [BELOW_THRESHOLD_TAG] : []),
  ]
  return {
    caseId: place?.caseId ?? null,
    muteRuleId,
    tags: marks.length === 0 ? tags : [...new Set([...tags, ...marks])],
    // What happened before its case was resolved is settled with it.
    resolved: isLate,
  }
}

function describeLate(
  owned: readonly OwnedEvent[],
  gathered: GatheredEvents,
  at: Date,
): readonly NewHistoryEntry[] {
  return owned.flatMap(({ arrival, eventId }): NewHistoryEntry[] => {
    const place = gathered.places.get(eventId)
    if (place?.isLate !== true) return []
    const { actor, reportId } = arrival
    const entry = { kind: 'late_event', actor, at, reason: null } as const
    return [
      {
        ...entry,
        caseId: place.caseId,
        causeId: reportId ?? eventId,
        changes: { event_id: eventId },
      },
    ]
  })
}

async function startRuns(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { opened }: GatheredEvents,
): Promise<number> {
  const cases = [...opened.values()].flatMap(({ caseId, group }) =>
    group.playbookId === null ? [] : [{ caseId, playbookId: group.playbookId }],
  )
  return await startRunsForNewCases(tx, ids, scope, cases)
}

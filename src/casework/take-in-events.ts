// The one way of events into the store, from every door: known ones are counted, new ones get an owner, a group and a case, and
// what they open starts its playbook. All of a batch, or nothing of it.

import { strict as assert } from 'node:assert'
import type { TenantScope } from '../kernel/auth/caller.ts'
import type { Tx } from '../kernel/db/database.ts'
import { type IdSource, readUuidTimeMs } from '../kernel/ids.ts'
import { createRuleChooser } from './conditions/choose-rules.ts'
import type { EventArrival, EventOutcome } from './event-arrival.ts'
import { gatherCases, type OwnedEvent } from './gather-cases.ts'
import type { GatheredEvents } from './gathered-events.ts'
import { type IntakeTally, NO_TALLY } from './intake-metrics.ts'
import { BELOW_THRESHOLD_TAG, buildSlotKey, LATE_TAG, MUTED_TAG } from './model/correlation.ts'
import { type OwnerAnswer, resolveOwners } from './ownership/resolve-owners.ts'
import { startRunsForNewCases } from './playbooks/start-runs.ts'
import { type IntakeRules, readIntakeRules } from './store/case-group-store.ts'
import { addHistory, type NewHistoryEntry } from './store/case-history-store.ts'
import { claimFingerprints, findCasesOfEvents, insertEvents } from './store/intake-store.ts'

export interface TakenIn {
  /** In the order of the arrivals. */
  readonly outcomes: readonly EventOutcome[]
  readonly openedCaseIds: ReadonlySet<string>
  /** When it is not 0, raise the DueHint after the commit. */
  readonly runsStarted: number
  /** For the metrics, after the commit. */
  readonly tally: IntakeTally
}

// Bulk requests hold up to 1,000 events, reports more; this bounds the memory and the locks of one transaction.
const ARRIVALS_MAX = 10_000

/** Takes a batch in; `tx` is the caller's, who answers only after its commit. */
export async function takeInEvents(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  arrivals: readonly EventArrival[],
  at: Date,
): Promise<TakenIn> {
  assert.ok(arrivals.length <= ARRIVALS_MAX, 'a batch of events is bounded')
  if (arrivals.length === 0) {
    return { outcomes: [], openedCaseIds: new Set(), runsStarted: 0, tally: NO_TALLY }
  }
  const identified = await identifyArrivals(tx, ids, scope, arrivals, at)
  const outcomes = await settleRepeats(tx, scope, identified)
  const fresh = identified.filter((entry) => entry.isNew)
  let openedCaseIds: ReadonlySet<string> = new Set()
  let [runsStarted, tally] = [0, NO_TALLY]
  if (fresh.length > 0) {
    const rules = await readIntakeRules(tx, scope)
    const events = fresh.map((entry) => entry.arrival.event)
    const answers = await resolveOwners(tx, scope, rules, events)
    const placed = await placeEvents(tx, ids, scope, { entries: fresh, answers, rules }, at)
    await storeEvents(tx, scope, { fresh, answers, placed })
    openedCaseIds = new Set(placed.gathered.opened.keys())
    ;({ runsStarted, tally } = placed)
    for (const entry of fresh) outcomes.set(entry.eventId, tellOutcome(entry.eventId, placed))
  }
  return {
    outcomes: identified.map((entry) => readOutcome(entry, outcomes, at)),
    openedCaseIds,
    runsStarted,
    tally: { ...tally, duplicates: identified.length - fresh.length },
  }
}

function tellOutcome(eventId: string, { gathered, muted }: PlacedEvents): EventOutcome {
  const caseId = gathered.places.get(eventId)?.caseId ?? null
  if (caseId !== null) return { kind: 'created', eventId, caseId }
  if (muted.has(eventId)) return { kind: 'muted', eventId, caseId }
  return { kind: gathered.below.has(eventId) ? 'held' : 'unassigned', eventId, caseId }
}

/** An event with the id under which it is stored. */
interface EventEntry {
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

/** Gathers those that have an owner into cases, with history and runs; the events themselves are the caller's to write. */
export async function placeEvents(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { entries, answers, rules }: ResolvedEvents,
  at: Date,
): Promise<PlacedEvents> {
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
    const keyHash = buildSlotKey(group.keyFields, arrival.event, ownership)
    owned.push({ arrival, eventId, ownership, group, keyHash })
  }
  const gathered = await gatherCases(tx, ids, scope, owned, at)
  await addHistory(tx, ids, scope, describeLate(owned, gathered, at))
  const tally: IntakeTally = {
    ...NO_TALLY,
    muted: muted.size,
    below: gathered.below.size,
    slotsHealed: gathered.slotsHealed,
    failures: chooser.failures,
  }
  return { gathered, muted, tally, runsStarted: await startRuns(tx, ids, scope, gathered) }
}

/** How a stored event is marked for what became of it. */
export function markEvent(
  eventId: string,
  tags: readonly string[],
  { gathered, muted }: PlacedEvents,
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

interface Identified extends EventEntry {
  /** False for an event that is stored already, and for the second of two equal ones in this batch. */
  readonly isNew: boolean
  readonly seenCount: number
}

async function identifyArrivals(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  arrivals: readonly EventArrival[],
  at: Date,
): Promise<readonly Identified[]> {
  const claims = new Map<string, { eventId: string; times: number }>()
  for (const { fingerprint } of arrivals) {
    const claim = claims.get(fingerprint)
    if (claim === undefined) claims.set(fingerprint, { eventId: ids.nextUuid(), times: 1 })
    else claim.times += 1
  }
  const claimed = await claimFingerprints(
    tx,
    scope,
    [...claims].map(([fingerprint, claim]) => ({ fingerprint, ...claim })),
    at,
  )
  const met = new Set<string>()
  return arrivals.map((arrival) => {
    const { fingerprint } = arrival
    const event = claimed.get(fingerprint)
    assert.ok(event !== undefined, 'every fingerprint is claimed')
    const { eventId, seenCount } = event
    const isNew = eventId === claims.get(fingerprint)?.eventId && !met.has(fingerprint)
    met.add(fingerprint)
    return { arrival, eventId, isNew, seenCount }
  })
}

/** Outcomes by event id of the events that were stored before this batch. */
async function settleRepeats(
  tx: Tx,
  scope: TenantScope,
  identified: readonly Identified[],
): Promise<Map<string, EventOutcome>> {
  const fresh = new Set(identified.filter((entry) => entry.isNew).map((entry) => entry.eventId))
  const stored = identified.map((entry) => entry.eventId).filter((eventId) => !fresh.has(eventId))
  const cases = await findCasesOfEvents(tx, scope, [...new Set(stored)])
  return new Map(
    [...cases].map(([eventId, caseId]) => [eventId, { kind: 'duplicate', eventId, caseId }]),
  )
}

function readOutcome(
  { eventId, isNew, seenCount }: Identified,
  outcomes: ReadonlyMap<string, EventOutcome>,
  at: Date,
): EventOutcome {
  const outcome = outcomes.get(eventId)
  assert.ok(outcome !== undefined, 'every event has an outcome')
  if (isNew) return outcome
  return { ...outcome, kind: 'duplicate', repeats: { seenCount, lastSeen: at } }
}

interface SettledEvents {
  readonly fresh: readonly Identified[]
  /** In the order of `fresh`. */
  readonly answers: readonly OwnerAnswer[]
  readonly placed: PlacedEvents
}

async function storeEvents(
  tx: Tx,
  scope: TenantScope,
  { fresh, answers, placed }: SettledEvents,
): Promise<void> {
  await insertEvents(
    tx,
    scope,
    fresh.map(({ arrival, eventId }, index) => {
      const answer = answers[index]
      const owner = answer?.kind === 'owned' ? answer.ownership : null
      return {
        event: arrival.event,
        eventId,
        // The list by create_date is the list by id (migration 0003).
        createDate: new Date(readUuidTimeMs(eventId)).toISOString(),
        customerId: owner?.customerId ?? null,
        contractId: owner?.contractId ?? null,
        unassignedCause: answer?.kind === 'unassigned' ? answer.cause : null,
        reportId: arrival.reportId,
        ...markEvent(eventId, arrival.event.tags, placed),
      }
    }),
  )
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

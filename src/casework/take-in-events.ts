// The one way of events into the store, from every door: known ones are counted, new ones get an owner, a group and a case, and
// what they open starts its playbook. All of a batch, or nothing of it.

import { strict as assert } from 'node:assert'
import type { TenantScope } from '../kernel/auth/caller.ts'
import type { Tx } from '../kernel/db/database.ts'
import { type IdSource, readUuidTimeMs } from '../kernel/ids.ts'
import type { EventArrival, EventOutcome } from './event-arrival.ts'
import { type GatheredCases, gatherCases, type OwnedEvent } from './gather-cases.ts'
import { buildSlotKey, LATE_TAG } from './model/correlation.ts'
import type { NewEvent } from './model/event.ts'
import { type OwnerAnswer, resolveOwners } from './ownership/resolve-owners.ts'
import { startRunsForNewCases } from './playbooks/start-runs.ts'
import { type CaseGroup, type IntakeRules, readIntakeRules } from './store/case-group-store.ts'
import { addHistory, type NewHistoryEntry } from './store/case-history-store.ts'
import { claimFingerprints, findCasesOfEvents, insertEvents } from './store/intake-store.ts'

export interface TakenIn {
  /** In the order of the arrivals. */
  readonly outcomes: readonly EventOutcome[]
  readonly openedCaseIds: ReadonlySet<string>
  /** When it is not 0, raise the DueHint after the commit. */
  readonly runsStarted: number
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
  if (arrivals.length === 0) return { outcomes: [], openedCaseIds: new Set(), runsStarted: 0 }
  const identified = await identifyArrivals(tx, ids, scope, arrivals, at)
  const outcomes = await settleRepeats(tx, scope, identified)
  const fresh = identified.filter((entry) => entry.isNew)
  let openedCaseIds: ReadonlySet<string> = new Set()
  let runsStarted = 0
  if (fresh.length > 0) {
    const rules = await readIntakeRules(tx, scope)
    const events = fresh.map((entry) => entry.arrival.event)
    const answers = await resolveOwners(tx, scope, rules, events)
    const placed = await placeEvents(tx, ids, scope, { entries: fresh, answers, rules }, at)
    const { gathered } = placed
    await storeEvents(tx, scope, { fresh, answers, gathered })
    openedCaseIds = new Set(gathered.opened.map((opened) => opened.caseId))
    runsStarted = placed.runsStarted
    for (const entry of fresh) {
      const caseId = gathered.places.get(entry.eventId)?.caseId ?? null
      const kind = caseId === null ? 'unassigned' : 'created'
      outcomes.set(entry.eventId, { kind, eventId: entry.eventId, caseId })
    }
  }
  return {
    outcomes: identified.map((entry) => readOutcome(entry, outcomes)),
    openedCaseIds,
    runsStarted,
  }
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
  readonly gathered: GatheredCases
  readonly runsStarted: number
}

/** Gathers those that have an owner into cases, with history and runs; the events themselves are the caller's to write. */
export async function placeEvents(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { entries, answers, rules }: ResolvedEvents,
  at: Date,
): Promise<PlacedEvents> {
  const owned = entries.flatMap((entry, index) => placeEvent(entry, answers[index], rules))
  const gathered = await gatherCases(tx, ids, scope, owned, at)
  await addHistory(tx, ids, scope, describeArrivals(owned, gathered, at))
  return { gathered, runsStarted: await startRuns(tx, ids, scope, gathered) }
}

interface Identified extends EventEntry {
  /** False for an event that is stored already, and for the second of two equal ones in this batch. */
  readonly isNew: boolean
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
  const eventIds = await claimFingerprints(
    tx,
    scope,
    [...claims].map(([fingerprint, claim]) => ({ fingerprint, ...claim })),
    at,
  )
  const met = new Set<string>()
  return arrivals.map((arrival) => {
    const { fingerprint } = arrival
    const eventId = eventIds.get(fingerprint)
    assert.ok(eventId !== undefined, 'every fingerprint is claimed')
    const isNew = eventId === claims.get(fingerprint)?.eventId && !met.has(fingerprint)
    met.add(fingerprint)
    return { arrival, eventId, isNew }
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

function readOutcome(entry: Identified, outcomes: ReadonlyMap<string, EventOutcome>): EventOutcome {
  const outcome = outcomes.get(entry.eventId)
  assert.ok(outcome !== undefined, 'every event has an outcome')
  return entry.isNew ? outcome : { ...outcome, kind: 'duplicate' }
}

/** The event with its owner, group and key; nothing when nobody is known to be responsible. */
function placeEvent(
  { arrival, eventId }: EventEntry,
  answer: OwnerAnswer | undefined,
  rules: IntakeRules,
): readonly OwnedEvent[] {
  if (answer?.kind !== 'owned') return []
  const { ownership } = answer
  const group = rules.groups.find((candidate) => takesEvent(candidate, arrival.event))
  assert.ok(group !== undefined, 'the last group takes everything')
  const keyHash = buildSlotKey(group.keyFields, arrival.event, ownership)
  return [{ arrival, eventId, ownership, group, keyHash }]
}

function takesEvent(group: CaseGroup, event: NewEvent): boolean {
  if (!group.isEnabled) return false
  if (group.xarfClasses === null) return true
  return event.xarfClass !== null && group.xarfClasses.includes(event.xarfClass)
}

interface SettledEvents {
  readonly fresh: readonly Identified[]
  /** In the order of `fresh`. */
  readonly answers: readonly OwnerAnswer[]
  readonly gathered: GatheredCases
}

async function storeEvents(
  tx: Tx,
  scope: TenantScope,
  { fresh, answers, gathered }: SettledEvents,
): Promise<void> {
  await insertEvents(
    tx,
    scope,
    fresh.map(({ arrival, eventId }, index) => {
      const place = gathered.places.get(eventId)
      const answer = answers[index]
      const owner = answer?.kind === 'owned' ? answer.ownership : null
      const isLate = place?.isLate === true
      return {
        event: arrival.event,
        eventId,
        // The list by create_date is the list by id (migration 0003).
        createDate: new Date(readUuidTimeMs(eventId)).toISOString(),
        customerId: owner?.customerId ?? null,
        contractId: owner?.contractId ?? null,
        unassignedCause: answer?.kind === 'unassigned' ? answer.cause : null,
        caseId: place?.caseId ?? null,
        reportId: arrival.reportId,
        tags: isLate ? [...new Set([...arrival.event.tags, LATE_TAG])] : arrival.event.tags,
        // What happened before its case was resolved is settled with it.
        resolved: isLate,
      }
    }),
  )
}

function describeArrivals(
  owned: readonly OwnedEvent[],
  gathered: GatheredCases,
  at: Date,
): readonly NewHistoryEntry[] {
  const opened = gathered.opened.map(({ caseId, cause, group }): NewHistoryEntry => {
    const { actor, reportId } = cause.arrival
    const changes = { case_group: group.id, event_id: cause.eventId }
    const causeId = reportId ?? cause.eventId
    return { caseId, kind: 'open', actor, at, toState: 'NEW', reason: null, causeId, changes }
  })
  const late = owned.flatMap(({ arrival, eventId }): NewHistoryEntry[] => {
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
  return [...opened, ...late]
}

async function startRuns(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  gathered: GatheredCases,
): Promise<number> {
  const cases = gathered.opened.flatMap(({ caseId, group }) =>
    group.playbookId === null ? [] : [{ caseId, playbookId: group.playbookId }],
  )
  return await startRunsForNewCases(tx, ids, scope, cases)
}

// The one way of events into the store, from every door: known ones are counted, new ones get an
// owner, a group and a case, and what they open starts its playbook. All of a batch, or nothing of
// it.

import { strict as assert } from 'node:assert'
import type { Tx } from '../../kernel/db/database.ts'
import { type IdSource, readUuidTimeMs } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { findSlotHolders } from '../cases/open-case-store.ts'
import { type OwnerAnswer, resolveOwners } from '../owners/resolve-owners.ts'
import { readIntakeRules } from '../rules/case-group-store.ts'
import type { EventArrival, EventOutcome } from './event-arrival.ts'
import type { SeenHolders } from './gather-cases.ts'
import type { EventPlace } from './gathered-events.ts'
import { type IntakeTally, NO_TALLY } from './ingest-metrics.ts'
import {
  claimFingerprints,
  type FingerprintClaim,
  findCasesOfEvents,
  insertEvents,
  markStoredEvents,
} from './ingest-store.ts'
import {
  type ChosenEvents,
  chooseRules,
  type EventEntry,
  markEvent,
  type PlacedEvents,
  type Placement,
  placeEvents,
} from './place-events.ts'
import { hasThreshold } from './slot-plan.ts'

export interface TakenIn {
  /** In the order of the arrivals. */
  readonly outcomes: readonly EventOutcome[]
  readonly openedCaseIds: ReadonlySet<string>
  /** When it is not 0, wake the workers after the commit. */
  readonly runsStarted: number
  /** For the metrics, after the commit. */
  readonly tally: IntakeTally
}

// Bulk requests hold up to 1,000 events, reports more; this bounds the memory and the locks of one
// transaction.
const ARRIVALS_MAX = 10_000

export interface TakingIn {
  readonly at: Date
  /**
   * Whether slots that seem to go on as they are stay unlocked. Where one did not, the transaction
   * has to start again, and then without trust, so that no race is lost twice.
   */
  readonly trustsSight: boolean
}

/** Takes a batch in; `tx` is the caller's, who answers only after its commit. */
export async function takeInEvents(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  arrivals: readonly EventArrival[],
  { at, trustsSight }: TakingIn,
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
    const chosen = chooseRules(ids, { entries: fresh, answers, rules }, at)
    const seen = await findSlotHolders(tx, scope, chosen.plans)
    const guess = guessPlaces(chosen, seen)
    await storeEvents(tx, scope, { fresh, answers, guess })
    const placed = await placeEvents(
      tx,
      ids,
      scope,
      { ...chosen, seen: trustsSight ? seen : null },
      at,
    )
    await correctGuess(tx, scope, fresh, guess, placed)
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

interface Identified extends EventEntry {
  /**
   * False for an event that is stored already, and for the second of two equal ones in this batch.
   */
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
  const claims = new Map<string, Omit<FingerprintClaim, 'times'> & { times: number }>()
  for (const { fingerprint } of arrivals) {
    const claim = claims.get(fingerprint)
    if (claim === undefined) {
      claims.set(fingerprint, { fingerprint, eventId: ids.nextUuid(), times: 1 })
    } else claim.times += 1
  }
  const repeated = await claimFingerprints(tx, scope, [...claims.values()], at)
  const met = new Set<string>()
  return arrivals.map((arrival) => {
    const { fingerprint } = arrival
    const claim = claims.get(fingerprint)
    assert.ok(claim !== undefined, 'every fingerprint is claimed')
    const { eventId, seenCount } = repeated.get(fingerprint) ?? {
      eventId: claim.eventId,
      seenCount: 1,
    }
    const isNew = eventId === claim.eventId && !met.has(fingerprint)
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

/**
 * Where events go if nobody else is at their slots. The rows of events are the larger part of the
 * work, and are written by this before anything is locked, so that batches with keys in common wait
 * for each other the shorter.
 */
function guessPlaces({ plans, muted }: ChosenEvents, seen: SeenHolders): Placement {
  const places = new Map<string, EventPlace>()
  for (const plan of plans) {
    const caseId = seen.get(plan)?.caseId ?? (hasThreshold(plan) ? null : plan.offeredCaseId)
    if (caseId === null) continue
    for (const { eventId } of plan.owned) places.set(eventId, { caseId, isLate: false })
  }
  return { gathered: { places, below: new Set() }, muted }
}

interface GuessedEvents {
  readonly fresh: readonly Identified[]
  /** In the order of `fresh`. */
  readonly answers: readonly OwnerAnswer[]
  readonly guess: Placement
}

async function storeEvents(
  tx: Tx,
  scope: TenantScope,
  { fresh, answers, guess }: GuessedEvents,
): Promise<void> {
  const readDate = createDateReader()
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
        createDate: readDate(eventId),
        customerId: owner?.customerId ?? null,
        contractId: owner?.contractId ?? null,
        unassignedCause: answer?.kind === 'unassigned' ? answer.cause : null,
        reportId: arrival.reportId,
        ...markEvent(eventId, arrival.event.tags, guess),
      }
    }),
  )
}

/** The time inside an id. Those of a batch are of a few milliseconds, so each is written once. */
function createDateReader(): (eventId: string) => string {
  let [lastMs, text] = [Number.NaN, '']
  return (eventId) => {
    const timeMs = readUuidTimeMs(eventId)
    if (timeMs !== lastMs) [lastMs, text] = [timeMs, new Date(timeMs).toISOString()]
    return text
  }
}

/** Writes again what came to another case than it seemed, or is late or held. */
async function correctGuess(
  tx: Tx,
  scope: TenantScope,
  fresh: readonly Identified[],
  guess: Placement,
  placed: Placement,
): Promise<void> {
  const wrong = fresh.flatMap(({ arrival, eventId }) => {
    const place = placed.gathered.places.get(eventId)
    // Nothing was guessed to be late or held.
    const isRight =
      place?.caseId === guess.gathered.places.get(eventId)?.caseId &&
      place?.isLate !== true &&
      !placed.gathered.below.has(eventId)
    return isRight ? [] : [{ eventId, ...markEvent(eventId, arrival.event.tags, placed) }]
  })
  await markStoredEvents(tx, scope, wrong)
}

// The one way of events into the store, from every source: repeats are counted, new events get an
// owner, a group and a case, and a case that opens starts its playbook. All of a batch, or nothing.

import { strict as assert } from 'node:assert'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { type IdSource, readUuidTimeMs } from '../../kernel/ids.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { findOpenCases, lockCorrelation, type OpenCases } from '../cases/open-case-store.ts'
import type { PrepareOwners } from '../owners/prepare-owners.ts'
import { type OwnerAnswer, resolveOwners } from '../owners/resolve-owners.ts'
import { startRunsForNewCases } from '../playbooks/runs/run-store.ts'
import { readIngestRules } from '../rules/case-group-store.ts'
import { noteItems } from '../sightings/sighting-change-store.ts'
import { findMisnamedEvents } from './check-named-owners.ts'
import {
  type Assignment,
  type CorrelationPlan,
  correlate,
  describeAssignment,
  expectCases,
} from './correlate.ts'
import { loadCorrelationState, writePlan } from './correlation-store.ts'
import {
  claimFingerprints,
  correctEvents,
  type EventRow,
  type FingerprintClaim,
  findCasesOfEvents,
  insertEvents,
} from './event-store.ts'
import type { EventOutcome, IncomingEvent, RefusedEvent } from './incoming-event.ts'
import { type CountIngest, type IngestTally, NO_TALLY } from './ingest-metrics.ts'
import {
  type IdentifiedEvent,
  type KeyBatch,
  type KeyedBatch,
  type KeyingDeps,
  keyEvents,
} from './key-events.ts'
import { findReusedKeys } from './request-keys.ts'

// Bulk requests hold up to 1,000 events, reports more; this bounds the memory and the locks of one
// transaction.
const EVENTS_MAX = 10_000

export interface Ingested {
  /** In the order of the events. */
  readonly outcomes: readonly EventOutcome[]
  readonly openedCaseIds: ReadonlySet<string>
  /** When it is not 0, wake the workers after the commit. */
  readonly runsStarted: number
  /** For the metrics, after the commit. */
  readonly tally: IngestTally
}

/** Ingests a batch; `tx` is the caller's, who answers only after its commit. */
export async function ingest(
  tx: Tx,
  deps: KeyingDeps,
  scope: TenantScope,
  incoming: readonly IncomingEvent[],
  at: Date,
): Promise<Ingested> {
  assert.ok(incoming.length <= EVENTS_MAX, 'a batch of events is bounded')
  if (incoming.length === 0) return answer([], new Map(), NOTHING_INGESTED, at)
  const { ids } = deps
  const identified = await identify(tx, ids, scope, incoming, at)
  const fresh = identified.filter(({ isNew }) => isNew)
  const repeats = await findRepeats(tx, scope, identified)
  if (fresh.length === 0) return answer(identified, repeats, NOTHING_INGESTED, at)
  const rules = await readIngestRules(tx, scope)
  const owners = await resolveOwners(tx, scope, rules, fresh.map(readEvent))
  const keyed = await keyEvents(deps, { scope, rules, events: fresh, owners, at })
  const seen = await findOpenCases(tx, scope, keyed.keys)
  const expected = expectCases(keyed.keys, seen.caseIds)
  await insertEvents(tx, scope, buildRows(fresh, owners, expected, keyed))
  const counted = fresh.filter(({ eventId }) => !keyed.muted.has(eventId))
  await noteItems(tx, scope, counted.map(readEvent))
  const correlated = await correlateKeyed(tx, ids, scope, keyed, at, seen)
  await correctEvents(tx, scope, listUnexpected(fresh, expected, correlated.plan, keyed))
  return answer(identified, repeats, correlated, at)
}

interface Correlated {
  readonly plan: CorrelationPlan
  readonly muted: KeyedBatch['muted']
  readonly runsStarted: number
  readonly tally: IngestTally
}

/**
 * Brings keyed events to their cases, with history and runs, under the correlation lock; the rows
 * of the events are the caller's to write. `seen`: the open cases before the lock, if they were
 * read.
 */
export async function correlateKeyed(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { keys, muted, failures }: KeyedBatch,
  at: Date,
  seen: OpenCases<KeyBatch> | null = null,
): Promise<Correlated> {
  if (keys.length > 0) await lockCorrelation(tx, scope)
  const state = await loadCorrelationState(tx, scope, keys, seen)
  const plan = correlate(ids, keys, state)
  await writePlan(tx, ids, scope, plan, at)
  const runsStarted = await startRuns(tx, ids, scope, plan)
  const tally = {
    ...NO_TALLY,
    muted: muted.size,
    below: plan.below.size,
    staleKeys: state.open.stale.size,
    failures,
  }
  return { plan, muted, runsStarted, tally }
}

async function startRuns(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  { opened }: CorrelationPlan,
): Promise<number> {
  const cases = [...opened.values()].flatMap(({ caseId, group }) =>
    group.playbookId === null ? [] : [{ caseId, playbookId: group.playbookId }],
  )
  return cases.length === 0 ? 0 : await startRunsForNewCases(tx, ids, scope, cases)
}

interface Identified extends IdentifiedEvent {
  /**
   * False for an event that is stored already, and for the second of two equal ones in this batch.
   */
  readonly isNew: boolean
  readonly seenCount: number
}

async function identify(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  incoming: readonly IncomingEvent[],
  at: Date,
): Promise<readonly Identified[]> {
  const claims = new Map<string, Omit<FingerprintClaim, 'times'> & { times: number }>()
  for (const { fingerprint } of incoming) {
    const claim = claims.get(fingerprint)
    if (claim === undefined) {
      claims.set(fingerprint, { fingerprint, eventId: ids.nextUuid(), times: 1 })
    } else claim.times += 1
  }
  const repeated = await claimFingerprints(tx, scope, [...claims.values()], at)
  const met = new Set<string>()
  return incoming.map((one) => {
    const { fingerprint } = one
    const claim = claims.get(fingerprint)
    assert.ok(claim !== undefined, 'every fingerprint is claimed')
    const known = repeated.get(fingerprint)
    const eventId = known?.eventId ?? claim.eventId
    const isNew = eventId === claim.eventId && !met.has(fingerprint)
    met.add(fingerprint)
    return { incoming: one, eventId, isNew, seenCount: known?.seenCount ?? 1 }
  })
}

/** The cases of events that were stored before this batch, by event id. */
async function findRepeats(
  tx: Tx,
  scope: TenantScope,
  identified: readonly Identified[],
): Promise<ReadonlyMap<string, string | null>> {
  const fresh = new Set(identified.filter(({ isNew }) => isNew).map(({ eventId }) => eventId))
  const stored = identified.map(({ eventId }) => eventId).filter((eventId) => !fresh.has(eventId))
  return await findCasesOfEvents(tx, scope, [...new Set(stored)])
}

function readEvent({ incoming }: IdentifiedEvent): IncomingEvent['event'] {
  return incoming.event
}

function buildRows(
  fresh: readonly Identified[],
  owners: readonly OwnerAnswer[],
  expected: Assignment,
  { muted }: KeyedBatch,
): readonly EventRow[] {
  const readDate = createDateReader()
  return fresh.map(({ incoming: { event, reportId }, eventId }, index) => {
    const found = owners[index]
    const owner = found?.kind === 'owned' ? found.ownership : null
    return {
      event,
      eventId,
      // The list by create_date is the list by id (migration 0003).
      createDate: readDate(eventId),
      customerId: owner?.customerId ?? null,
      contractId: owner?.contractId ?? null,
      unassignedCause: found?.kind === 'unassigned' ? found.cause : null,
      reportId,
      ...describeAssignment(eventId, event.tags, expected, muted),
    }
  })
}

/**
 * The time inside an id. Ids of a batch are of a few milliseconds, so each time is written once.
 */
function createDateReader(): (eventId: string) => string {
  let [lastMs, text] = [Number.NaN, '']
  return (eventId) => {
    const timeMs = readUuidTimeMs(eventId)
    if (timeMs !== lastMs) [lastMs, text] = [timeMs, new Date(timeMs).toISOString()]
    return text
  }
}

/** Events that came to another case than expected, are late, or are pending. */
function listUnexpected(
  fresh: readonly Identified[],
  expected: Assignment,
  plan: CorrelationPlan,
  { muted }: KeyedBatch,
): readonly Pick<EventRow, 'eventId' | 'caseId' | 'resolved' | 'tags'>[] {
  return fresh.flatMap(({ incoming, eventId }) => {
    const found = plan.assigned.get(eventId)
    const isRight =
      found?.caseId === expected.assigned.get(eventId)?.caseId &&
      (found?.mark ?? null) === null &&
      !plan.below.has(eventId)
    if (isRight) return []
    return [{ eventId, ...describeAssignment(eventId, incoming.event.tags, plan, muted) }]
  })
}

const NOTHING_INGESTED = { plan: null, muted: new Map(), runsStarted: 0, tally: NO_TALLY } as const

function answer(
  identified: readonly Identified[],
  repeats: ReadonlyMap<string, string | null>,
  { plan, muted, runsStarted, tally }: Correlated | typeof NOTHING_INGESTED,
  at: Date,
): Ingested {
  let duplicates = 0
  const outcomes = identified.map(({ eventId, isNew, seenCount }): EventOutcome => {
    const caseId = repeats.get(eventId) ?? plan?.assigned.get(eventId)?.caseId ?? null
    if (!isNew) {
      duplicates += 1
      return { kind: 'duplicate', eventId, caseId, repeats: { seenCount, lastSeen: at } }
    }
    if (caseId !== null) return { kind: 'created', eventId, caseId }
    if (muted.has(eventId)) return { kind: 'muted', eventId, caseId }
    return { kind: plan?.below.has(eventId) === true ? 'held' : 'unassigned', eventId, caseId }
  })
  const openedCaseIds = new Set(plan?.opened.keys())
  return { outcomes, openedCaseIds, runsStarted, tally: { ...tally, duplicates } }
}

/** Ingests the events that are not refused, and resolves after the commit, one outcome for each. */
export type CommitEvents = (
  scope: TenantScope,
  incoming: readonly IncomingEvent[],
) => Promise<readonly (EventOutcome | RefusedEvent)[]>

export interface CommitEventsDeps extends KeyingDeps {
  readonly db: Db
  readonly clock: Clock
  /** Runs may be due. */
  readonly wakeWorkers: () => void
  readonly prepareOwners: PrepareOwners
  readonly countIngest: CountIngest
}

/** One transaction for each batch; after its commit the workers learn of runs that are due. */
export function createCommitEvents(deps: CommitEventsDeps): CommitEvents {
  const { db, clock, wakeWorkers, prepareOwners, countIngest, conditionWork } = deps
  const commit = async (
    scope: TenantScope,
    incoming: readonly IncomingEvent[],
  ): Promise<readonly (EventOutcome | RefusedEvent)[]> => {
    conditionWork.requireRoom(scope)
    await conditionWork.waitForRoom(scope)
    await prepareOwners(
      scope,
      incoming.map(({ event }) => event),
    )
    const { ingested, outcomes } = await inTransaction(db, async (tx) => {
      const reused = await findReusedKeys(tx, scope, incoming)
      const kept = reused.size === 0 ? incoming : incoming.filter((one) => !reused.has(one))
      const result = await ingest(tx, deps, scope, kept, new Date(clock.nowMs()))
      return { ingested: result, outcomes: joinOutcomes(incoming, kept, result.outcomes, reused) }
    })
    if (ingested.runsStarted > 0) wakeWorkers()
    countIngest(ingested.tally)
    return outcomes
  }
  return async (scope, incoming) => {
    // Most events name no owner, and cost no look.
    const naming = incoming.filter(({ event }) => event.customerId !== null)
    if (naming.length === 0) return await commit(scope, incoming)
    const misnamed = await findMisnamedEvents(db, scope, naming)
    if (misnamed.size === 0) return await commit(scope, incoming)
    const kept = incoming.filter((one) => !misnamed.has(one))
    const outcomes = kept.length === 0 ? [] : await commit(scope, kept)
    const refused = new Map([...misnamed].map(([one, problem]) => [one, refuse(problem)]))
    return joinOutcomes(incoming, kept, outcomes, refused)
  }
}

function refuse(problem: FieldProblem): RefusedEvent {
  return { kind: 'refused', problem }
}

/** In the order of `incoming`, from the outcomes of `kept` and the refusals of all others. */
function joinOutcomes<Outcome>(
  incoming: readonly IncomingEvent[],
  kept: readonly IncomingEvent[],
  outcomes: readonly Outcome[],
  refused: ReadonlyMap<IncomingEvent, RefusedEvent>,
): readonly (Outcome | RefusedEvent)[] {
  if (refused.size === 0) return outcomes
  const byEvent = new Map(kept.map((one, index) => [one, outcomes[index]]))
  return incoming.map((one) => {
    const outcome = refused.get(one) ?? byEvent.get(one)
    assert.ok(outcome !== undefined, 'every event that is not refused has an outcome')
    return outcome
  })
}

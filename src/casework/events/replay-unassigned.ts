// Unassigned events look for their owners again, in the same way as new events, in bounded batches.

import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Actor } from '../cases/case-tables.ts'
import { lockCorrelation } from '../cases/open-case-store.ts'
import type { OwnerResolver } from '../owners/prepare-owners.ts'
import { type OwnerAnswer, resolveOwners } from '../owners/resolve-owners.ts'
import type { UnassignedCause } from '../owners/unassigned.ts'
import { readIngestRules } from '../rules/case-group-store.ts'
import { noteItems } from '../sightings/sighting-change-store.ts'
import { describeAssignment } from './correlate.ts'
import { correlateKeyed } from './ingest.ts'
import { type KeyingDeps, keyEvents } from './key-events.ts'
import {
  assignEvents,
  listUnassigned,
  lockUnassigned,
  type StoredEvent,
  type UnassignedFilter,
} from './unassigned-store.ts'

export interface ReplayDeps extends KeyingDeps {
  readonly db: Db
  readonly clock: Clock
  readonly wakeWorkers: () => void
  readonly owners: Pick<OwnerResolver, 'findSettings' | 'prepare' | 'endPause'>
}

export interface ReplayRequest {
  readonly filter: UnassignedFilter
  /** Events after this one, by id; null from the first one on. */
  readonly afterId: string | null
  readonly actor: Actor
}

export interface Replayed {
  /** The number of events that have an owner now. */
  readonly assigned: number
  readonly unassigned: number
  /** The last event of this request; null when there are no more. */
  readonly nextAfterId: string | null
}

// As many as a bulk push brings, so that locks last no longer than in ingest.
const BATCH_EVENTS = 1_000
// 10,000 events in one request: seconds.
const BATCHES_MAX = 10

export async function replayUnassigned(
  deps: ReplayDeps,
  scope: TenantScope,
  { filter, afterId, actor }: ReplayRequest,
): Promise<Replayed> {
  let assigned = 0
  let unassigned = 0
  let lastId = afterId
  await deps.conditionWork.waitForRoom(scope)
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    // Each begins where the one before ended.
    // oxlint-disable eslint/no-await-in-loop
    await askForOwners(deps, scope, filter, lastId)
    const done = await inTransaction(deps.db, async (tx) => {
      await lockCorrelation(tx, scope)
      const events = await lockUnassigned(tx, scope, filter, lastId, BATCH_EVENTS)
      return { events, ...(await assignAgain(tx, deps, scope, events, actor)) }
    })
    // oxlint-enable eslint/no-await-in-loop
    if (done.runsStarted > 0) deps.wakeWorkers()
    assigned += done.assigned
    unassigned += done.events.length - done.assigned
    if (done.events.length < BATCH_EVENTS) return { assigned, unassigned, nextAfterId: null }
    lastId = done.events.at(-1)?.eventId ?? null
    // The caller goes on from here when the rules of the tenant may work again.
    if (deps.conditionWork.waitMs(scope) > 0) break
  }
  return { assigned, unassigned, nextAfterId: lastId }
}

/** For the next batch. An event that changes meanwhile stays unanswered until its next turn. */
async function askForOwners(
  { db, owners }: ReplayDeps,
  scope: TenantScope,
  filter: UnassignedFilter,
  afterId: string | null,
): Promise<void> {
  if ((await owners.findSettings(scope)) === null) return
  const events = await listUnassigned(db, scope, filter, afterId, BATCH_EVENTS)
  await owners.prepare(
    scope,
    events.map(({ event }) => event),
  )
}

interface Assigned {
  readonly assigned: number
  readonly runsStarted: number
  /** By event id. */
  readonly caseIds: ReadonlyMap<string, string>
}

/**
 * Finds the owners and cases of events that are locked and unassigned; the caller has the
 * correlation lock. An event that still has no owner gets the cause of now.
 */
export async function assignAgain(
  tx: Tx,
  deps: ReplayDeps,
  scope: TenantScope,
  events: readonly StoredEvent[],
  actor: Actor,
): Promise<Assigned> {
  if (events.length === 0) return { assigned: 0, runsStarted: 0, caseIds: new Map() }
  const rules = await readIngestRules(tx, scope)
  const answers = await resolveOwners(
    tx,
    scope,
    rules,
    events.map(({ event }) => event),
  )
  const entries = events.map(({ event, eventId, reportId }) => ({
    // The fingerprint was compared when the event was stored.
    incoming: { event, fingerprint: '', actor, reportId },
    eventId,
  }))
  const at = new Date(deps.clock.nowMs())
  const keyed = await keyEvents(deps, { scope, rules, events: entries, owners: answers, at })
  const { plan, runsStarted } = await correlateKeyed(tx, deps.ids, scope, keyed, at)
  await assignEvents(
    tx,
    scope,
    events.map(({ event, eventId }, index) => ({
      eventId,
      ...readAnswer(answers[index]),
      ...describeAssignment(eventId, event.tags, plan, keyed.muted),
    })),
  )
  // A rule of now may mute them, or no longer.
  await noteItems(
    tx,
    scope,
    events.map(({ event }) => event),
  )
  const caseIds = new Map([...plan.assigned].map(([eventId, { caseId }]) => [eventId, caseId]))
  const assigned = answers.filter(({ kind }) => kind === 'owned').length
  return { assigned, runsStarted, caseIds }
}

function readAnswer(answer: OwnerAnswer | undefined): {
  readonly customerId: string | null
  readonly contractId: string | null
  readonly unassignedCause: UnassignedCause | null
} {
  if (answer?.kind === 'owned') {
    const { customerId, contractId } = answer.ownership
    return { customerId, contractId, unassignedCause: null }
  }
  return { customerId: null, contractId: null, unassignedCause: answer?.cause ?? 'no_match' }
}

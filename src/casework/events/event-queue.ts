// Group commit for events that are pushed one by one: those that arrive while a transaction of
// their tenant is on its way share the next one. A lone push waits for no company, so it is as fast
// as it can be, and a crowd costs one commit a batch.

import { explainDatabaseTrouble } from '../../kernel/db/database.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { eventNotValid, intakeBusy } from '../cases/errors.ts'
import type { EventArrival, EventOutcome, RefusedArrival } from './event-arrival.ts'
import type { CountWaiting } from './ingest-metrics.ts'

/**
 * Takes in what of a batch is not refused, and resolves after the commit with one outcome for each
 * arrival.
 */
export type CommitEvents = (
  scope: TenantScope,
  arrivals: readonly EventArrival[],
) => Promise<readonly (EventOutcome | RefusedArrival)[]>

export interface EventQueue {
  /**
   * Resolves after the commit. Throws `intakeBusy` when too many wait already, and `eventNotValid`
   * for one that is refused.
   */
  readonly push: (scope: TenantScope, arrival: EventArrival) => Promise<EventOutcome>
  /** Waits for what is under way; what is pushed afterwards is refused. */
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly arrival: EventArrival
  readonly resolve: (outcome: EventOutcome) => void
  readonly reject: (error: unknown) => void
}

interface Lane {
  readonly scope: TenantScope
  readonly waiting: Waiting[]
  running: number
  /**
   * Half of those who were just answered, and may come back; fewer wait for them until the pause is
   * over.
   */
  expected: number
  pause: NodeJS.Timeout | null
}

// At 1,000 events a second a batch of this size is a fifth of a second; larger ones gain little
// (measured from 100 on).
const BATCH_MAX = 200
// Of 32 that are pushed at once the next transaction takes all that came meanwhile. With two at a
// time the batches are half as large and in each other's way at the slots: twice the processor time
// an event (measured: 28 and 12 ms for ten events, ours and the database's).
const TRANSACTIONS_PER_TENANT = 1
// Whoever pushes one event after the other comes back this soon. Without the pause the first of a
// crowd would go alone and the others in the next transaction, again and again.
const CROWD_PAUSE_MS = 2
// About 5 MB of events; at the slowest measured rate (1,000/s) the last of them waits 5 s, which a
// caller still bears.
const WAITING_MAX = 5_000

export function createEventQueue(commit: CommitEvents, countWaiting: CountWaiting): EventQueue {
  const lanes = new Map<string, Lane>()
  const underWay = new Set<Promise<void>>()
  let waitingCount = 0
  let isClosed = false

  const drain = (lane: Lane): void => {
    while (lane.running < TRANSACTIONS_PER_TENANT && lane.waiting.length > 0) {
      if (lane.waiting.length < lane.expected) return
      endPause(lane)
      const batch = lane.waiting.splice(0, BATCH_MAX)
      waitingCount -= batch.length
      countWaiting(-batch.length)
      lane.running += 1
      const work = commitBatch(commit, lane.scope, batch).finally(() => {
        underWay.delete(work)
        lane.running -= 1
        if (batch.length > 1 && !isClosed) startPause(lane, Math.floor(batch.length / 2))
        drain(lane)
        forget(lane)
      })
      underWay.add(work)
    }
  }
  const startPause = (lane: Lane, expected: number): void => {
    lane.expected = expected
    lane.pause ??= setTimeout(() => {
      endPause(lane)
      drain(lane)
      forget(lane)
    }, CROWD_PAUSE_MS)
  }
  const forget = (lane: Lane): void => {
    const isIdle = lane.running === 0 && lane.waiting.length === 0 && lane.pause === null
    if (isIdle) lanes.delete(lane.scope.tenantId)
  }

  return {
    push(scope, arrival) {
      if (isClosed || waitingCount >= WAITING_MAX) return Promise.reject(intakeBusy())
      return new Promise((resolve, reject) => {
        const lane = lanes.get(scope.tenantId) ?? createLane(scope)
        lanes.set(scope.tenantId, lane)
        lane.waiting.push({ arrival, resolve, reject })
        waitingCount += 1
        countWaiting(1)
        drain(lane)
      })
    },
    async close() {
      isClosed = true
      for (const lane of lanes.values()) {
        endPause(lane)
        drain(lane)
      }
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function createLane(scope: TenantScope): Lane {
  return { scope, waiting: [], running: 0, expected: 0, pause: null }
}

function endPause(lane: Lane): void {
  if (lane.pause !== null) clearTimeout(lane.pause)
  lane.pause = null
  lane.expected = 0
}

/** Never rejects: every waiting one is answered. */
async function commitBatch(
  commit: CommitEvents,
  scope: TenantScope,
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const outcomes = await commit(
      scope,
      batch.map((waiting) => waiting.arrival),
    )
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome === undefined) waiting.reject(new Error('a pushed event got no outcome'))
      else if (outcome.kind === 'refused') waiting.reject(eventNotValid([outcome.problem]))
      else waiting.resolve(outcome)
    }
  } catch (error) {
    await answerFailure(commit, scope, batch, error)
  }
}

// One caller's event must not fail the others': unless the database is away, each is tried by
// itself.
async function answerFailure(
  commit: CommitEvents,
  scope: TenantScope,
  batch: readonly Waiting[],
  error: unknown,
): Promise<void> {
  const isForAll = batch.length === 1 || explainDatabaseTrouble(error) instanceof OperatingError
  for (const waiting of batch) {
    if (isForAll) waiting.reject(error)
    else await commitBatch(commit, scope, [waiting])
  }
}

// Group commit for events that are pushed one by one: those that arrive while a transaction of their tenant is on its way share the
// next one. Nobody waits for company, so a lone push is as fast as it can be, and a crowd costs one commit a batch.

import type { TenantScope } from '../kernel/auth/caller.ts'
import { explainDatabaseTrouble } from '../kernel/db/database.ts'
import { OperatingError } from '../kernel/operating-error.ts'
import { intakeBusy } from './errors.ts'
import type { EventArrival, EventOutcome } from './event-arrival.ts'

/** Takes a batch in and resolves after the commit, with one outcome for each arrival. */
export type CommitEvents = (
  scope: TenantScope,
  arrivals: readonly EventArrival[],
) => Promise<readonly EventOutcome[]>

export interface EventQueue {
  /** Resolves after the commit. Throws `intakeBusy` when too many wait already. */
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
}

// At 1,000 events a second a batch of this size is a fifth of a second; larger ones gain little (measured from 100 on).
const BATCH_MAX = 200
// One commits while the next one is being written; more would only take connections from the readers.
const TRANSACTIONS_PER_TENANT = 2
// About 5 MB of events; at the slowest measured rate (1,000/s) the last of them waits 5 s, which a caller still bears.
const WAITING_MAX = 5_000

export function createEventQueue(commit: CommitEvents): EventQueue {
  const lanes = new Map<string, Lane>()
  const underWay = new Set<Promise<void>>()
  let waitingCount = 0
  let isClosed = false

  const drain = (lane: Lane): void => {
    while (lane.running < TRANSACTIONS_PER_TENANT && lane.waiting.length > 0) {
      const batch = lane.waiting.splice(0, BATCH_MAX)
      waitingCount -= batch.length
      lane.running += 1
      const work = commitBatch(commit, lane.scope, batch).finally(() => {
        underWay.delete(work)
        lane.running -= 1
        if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(lane.scope.tenantId)
        drain(lane)
      })
      underWay.add(work)
    }
  }

  return {
    push(scope, arrival) {
      if (isClosed || waitingCount >= WAITING_MAX) return Promise.reject(intakeBusy())
      return new Promise((resolve, reject) => {
        const lane = lanes.get(scope.tenantId) ?? { scope, waiting: [], running: 0 }
        lanes.set(scope.tenantId, lane)
        lane.waiting.push({ arrival, resolve, reject })
        waitingCount += 1
        drain(lane)
      })
    },
    async close() {
      isClosed = true
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
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
      else waiting.resolve(outcome)
    }
  } catch (error) {
    await answerFailure(commit, scope, batch, error)
  }
}

// One caller's event must not fail the others': unless the database is away, each is tried by itself.
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

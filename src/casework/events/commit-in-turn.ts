// Turns for events that come in bulk. Batches of one tenant have keys in common, and whoever holds
// one is waited for: more of them at once only wait within the database, each with a connection
// that others could use.

import type { TenantScope } from '../../vocabulary/caller.ts'
import { intakeBusy } from '../cases/errors.ts'
import type { EventArrival } from './event-arrival.ts'
import type { CommitEvents } from './event-queue.ts'
import type { CountWaiting } from './ingest-metrics.ts'

// Of 200,000 events over 8 connections: 10,334 a second with 3 at once, 9,537 with 2, 9,609 with 4,
// 8,234 with all 8 (measured 2026-11-22).
const AT_ONCE_PER_TENANT = 3
// At the slowest measured rate (6,000/s) the last of them waits some 3 s, which a caller still
// bears. About 2 kB each.
const WAITING_EVENTS_MAX = 20_000

interface Lane {
  running: number
  waitingEvents: number
  /** Each starts one that waits, the first come first. */
  readonly waiting: (() => void)[]
}

/**
 * The same as `commit`, so many at once for each tenant. Throws `intakeBusy`, and stores nothing,
 * when too many events wait already.
 */
export function commitInTurn(commit: CommitEvents, countWaiting: CountWaiting): CommitEvents {
  const lanes = new Map<string, Lane>()
  const enter = async (lane: Lane, events: number): Promise<void> => {
    if (lane.running < AT_ONCE_PER_TENANT) {
      lane.running += 1
      return
    }
    if (lane.waitingEvents + events > WAITING_EVENTS_MAX) throw intakeBusy()
    lane.waitingEvents += events
    countWaiting(events)
    // Whoever leaves hands on its turn.
    await new Promise<void>((resolve) => lane.waiting.push(resolve))
    lane.waitingEvents -= events
    countWaiting(-events)
  }
  const leave = (tenantId: string, lane: Lane): void => {
    const next = lane.waiting.shift()
    if (next !== undefined) return next()
    lane.running -= 1
    if (lane.running === 0) lanes.delete(tenantId)
  }
  return async (scope: TenantScope, arrivals: readonly EventArrival[]) => {
    const { tenantId } = scope
    const lane = lanes.get(tenantId) ?? { running: 0, waitingEvents: 0, waiting: [] }
    lanes.set(tenantId, lane)
    await enter(lane, arrivals.length)
    try {
      return await commit(scope, arrivals)
    } finally {
      leave(tenantId, lane)
    }
  }
}

// Group commit for pushed events, a queue for each tenant. Events that are pushed one by one while
// a transaction of their tenant is under way share the next one: a lone push is as fast as it can
// be, and a crowd costs one commit a batch. Bulk pushes are batches already and wait for their
// turn.

import { type Limit, limit, QueueFull } from '../../kernel/async/limit.ts'
import { explainDatabaseTrouble } from '../../kernel/db/database.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import { idempotencyKeyReused } from '../../kernel/errors.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { eventNotValid, ingestBusy } from '../cases/errors.ts'
import type { EventOutcome, IncomingEvent } from './incoming-event.ts'
import type { CommitEvents } from './ingest.ts'
import type { CountWaiting } from './ingest-metrics.ts'

export interface EventQueue {
  /**
   * Resolves after the commit. Throws `ingestBusy` when too many events wait: at once, or later
   * when its place is given to a tenant with fewer waiting (`makeRoom`). Throws `eventNotValid` for
   * an event that is refused, and `idempotencyKeyReused`.
   */
  readonly push: (scope: TenantScope, incoming: IncomingEvent) => Promise<EventOutcome>
  /** Waits for what is under way; what is pushed afterwards is refused. */
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly incoming: IncomingEvent
  readonly resolve: (outcome: EventOutcome) => void
  readonly reject: (error: unknown) => void
}

interface SingleQueue {
  readonly scope: TenantScope
  readonly waiting: Waiting[]
  isRunning: boolean
  /**
   * The next batch waits for so many events, or for the end of the pause: half of the callers that
   * were just answered, who probably push the next event at once. 0 without a pause.
   */
  expected: number
  pause: NodeJS.Timeout | null
}

// At 1,000 events a second a batch of this size is a fifth of a second; larger ones gain little.
const BATCH_MAX = 200
// A caller that pushes one event after the other comes back this soon. Without the pause the first
// of a crowd would go alone and the others in the next transaction, again and again.
const CROWD_PAUSE_MS = 2
// About 5 MB of events; at the slowest rate (1,000/s) the last of them waits 5 s, which a caller
// still bears.
export const SINGLE_WAITING_MAX = 5_000

/** One transaction at a time for each tenant: with two, batches are half as large and compete. */
export function createEventQueue(commit: CommitEvents, countWaiting: CountWaiting): EventQueue {
  const queues = new Map<string, SingleQueue>()
  const underWay = new Set<Promise<void>>()
  let waitingCount = 0
  let isClosed = false

  const drain = (queue: SingleQueue): void => {
    if (queue.isRunning || queue.waiting.length === 0) return
    if (queue.waiting.length < queue.expected) return
    endPause(queue)
    const batch = queue.waiting.splice(0, BATCH_MAX)
    waitingCount -= batch.length
    countWaiting(-batch.length)
    queue.isRunning = true
    // A batch may begin at the end of the one before, in the scope of no caller.
    const committing = inTenant(queue.scope, () => commitBatch(commit, queue.scope, batch))
    const work = committing.finally(() => {
      underWay.delete(work)
      queue.isRunning = false
      if (batch.length > 1 && !isClosed) startPause(queue, Math.floor(batch.length / 2))
      drain(queue)
      forget(queue)
    })
    underWay.add(work)
  }
  const startPause = (queue: SingleQueue, expected: number): void => {
    queue.expected = expected
    queue.pause ??= setTimeout(() => {
      endPause(queue)
      drain(queue)
      forget(queue)
    }, CROWD_PAUSE_MS)
  }
  const forget = (queue: SingleQueue): void => {
    const isIdle = !queue.isRunning && queue.waiting.length === 0 && queue.pause === null
    if (isIdle) queues.delete(queue.scope.tenantId)
  }

  /** Whether an event of the tenant may wait; the tenant with most waiting gives up its newest. */
  const makeRoom = (tenantId: string): boolean => {
    if (waitingCount < SINGLE_WAITING_MAX) return true
    let longest: SingleQueue | null = null
    for (const queue of queues.values()) {
      if (longest === null || queue.waiting.length > longest.waiting.length) longest = queue
    }
    const own = queues.get(tenantId)?.waiting.length ?? 0
    if (longest === null || longest.waiting.length <= own + 1) return false
    waitingCount -= 1
    countWaiting(-1)
    longest.waiting.pop()?.reject(ingestBusy())
    return true
  }

  return {
    push(scope, incoming) {
      if (isClosed || !makeRoom(scope.tenantId)) return Promise.reject(ingestBusy())
      return new Promise((resolve, reject) => {
        const queue = queues.get(scope.tenantId) ?? createQueue(scope)
        queues.set(scope.tenantId, queue)
        queue.waiting.push({ incoming, resolve, reject })
        waitingCount += 1
        countWaiting(1)
        drain(queue)
      })
    },
    async close() {
      isClosed = true
      for (const queue of queues.values()) {
        endPause(queue)
        drain(queue)
      }
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function createQueue(scope: TenantScope): SingleQueue {
  return { scope, waiting: [], isRunning: false, expected: 0, pause: null }
}

function endPause(queue: SingleQueue): void {
  if (queue.pause !== null) clearTimeout(queue.pause)
  queue.pause = null
  queue.expected = 0
}

/** Never rejects: every waiting caller is answered. */
async function commitBatch(
  commit: CommitEvents,
  scope: TenantScope,
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const outcomes = await commit(
      scope,
      batch.map(({ incoming }) => incoming),
    )
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome === undefined) waiting.reject(new Error('a pushed event got no outcome'))
      else if (outcome.kind === 'key_reused') waiting.reject(idempotencyKeyReused())
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

// While one batch has the correlation lock, the others store their rows; more than three only wait
// in the database, each with a connection that others could use.
const BULK_AT_ONCE = 3
// At the slowest rate (6,000/s) the last of them waits some 3 s, which a caller still bears. About
// 2 kB each.
export const BULK_WAITING_MAX = 20_000

interface TenantLimit {
  readonly bulk: Limit
  /** Batches that run or wait. */
  batches: number
}

/**
 * The same as `commit`, three batches at once for each tenant. Throws `ingestBusy`, and stores
 * nothing, when too many events wait already.
 */
export function limitBulk(commit: CommitEvents, countWaiting: CountWaiting): CommitEvents {
  const limits = new Map<string, TenantLimit>()
  return async (scope: TenantScope, incoming: readonly IncomingEvent[]) => {
    const tenant = limits.get(scope.tenantId) ?? createTenantLimit()
    limits.set(scope.tenantId, tenant)
    tenant.batches += 1
    const before = tenant.bulk.waitingWeight()
    let waiting = 0
    const turn = tenant.bulk.run(
      async () => {
        if (waiting > 0) countWaiting(-waiting)
        return await commit(scope, incoming)
      },
      { weight: incoming.length },
    )
    waiting = tenant.bulk.waitingWeight() - before
    if (waiting > 0) countWaiting(waiting)
    try {
      return await turn
    } catch (error) {
      throw error instanceof QueueFull ? ingestBusy() : error
    } finally {
      tenant.batches -= 1
      if (tenant.batches === 0) limits.delete(scope.tenantId)
    }
  }
}

function createTenantLimit(): TenantLimit {
  const options = { queueMax: Infinity, queueWeightMax: BULK_WAITING_MAX }
  return { bulk: limit(BULK_AT_ONCE, options), batches: 0 }
}

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { buildIncomingEvent } from '../../../test/build-incoming-event.ts'
import { databaseNotReachable } from '../../kernel/errors.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { createEventQueue, type EventQueue } from './batcher.ts'
import type { EventOutcome, IncomingEvent } from './incoming-event.ts'
import type { CommitEvents } from './ingest.ts'

const SCOPE: TenantScope = { tenantId: 'default' }

let waiting = 0
afterEach(() => assert.equal(waiting, 0, 'none is counted as waiting for longer than it waits'))

function openQueue(commit: CommitEvents): EventQueue {
  return createEventQueue(commit, (events) => {
    waiting += events
  })
}

interface Batch {
  readonly names: readonly string[]
  readonly tenantId: string
  readonly finish: () => void
}

/** A store whose commits end when the test says so. */
function createGate() {
  const batches: Batch[] = []
  const listeners = new Set<() => void>()
  return {
    batches,
    commit: (
      scope: TenantScope,
      arrivals: readonly IncomingEvent[],
    ): Promise<readonly EventOutcome[]> => {
      const names = arrivals.map((arrival) => arrival.fingerprint)
      const outcomes = names.map((eventId) => ({ kind: 'created', eventId, caseId: null }) as const)
      const { promise, resolve } = Promise.withResolvers<readonly EventOutcome[]>()
      batches.push({ names, tenantId: scope.tenantId, finish: () => resolve(outcomes) })
      for (const listener of listeners) listener()
      return promise
    },
    /** Resolves as soon as that many commits have begun. */
    whenBatches(count: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = (): void => (batches.length >= count ? resolve() : undefined)
      listeners.add(look)
      look()
      return promise
    },
  }
}

test('the first goes at once, those that come meanwhile share the next commit', async () => {
  const gate = createGate()
  const queue = openQueue(gate.commit)
  const pushed = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    queue.push(SCOPE, buildIncomingEvent(name)),
  )
  assert.deepEqual(
    gate.batches.map((batch) => batch.names),
    [['a']],
  )
  gate.batches[0]?.finish()
  assert.equal((await pushed[0])?.eventId, 'a')
  await gate.whenBatches(2)
  assert.deepEqual(gate.batches[1]?.names, ['b', 'c', 'd', 'e'])
  gate.batches[1]?.finish()
  const ids = (await Promise.all(pushed)).map((outcome) => outcome.eventId)
  assert.deepEqual(ids, ['a', 'b', 'c', 'd', 'e'])
})

/** A queue that has just answered a crowd of four, and expects half of it back. */
async function answerCrowd() {
  const gate = createGate()
  const queue = openQueue(gate.commit)
  const crowd = ['a', 'b', 'c', 'd', 'e'].map((name) => queue.push(SCOPE, buildIncomingEvent(name)))
  gate.batches[0]?.finish()
  await gate.whenBatches(2)
  gate.batches[1]?.finish()
  await Promise.all(crowd)
  return { gate, queue }
}

test('the first of a crowd that was just answered waits for the others, and no longer than a pause', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { gate, queue } = await answerCrowd()
  const first = queue.push(SCOPE, buildIncomingEvent('f'))
  assert.equal(gate.batches.length, 2)
  const second = queue.push(SCOPE, buildIncomingEvent('g'))
  assert.deepEqual(gate.batches[2]?.names, ['f', 'g'])
  gate.batches[2]?.finish()
  await Promise.all([first, second])
  // Half of two: a single one is not kept waiting.
  const alone = queue.push(SCOPE, buildIncomingEvent('h'))
  assert.deepEqual(gate.batches[3]?.names, ['h'])
  gate.batches[3]?.finish()
  await alone
  const other = await answerCrowd()
  const left = other.queue.push(SCOPE, buildIncomingEvent('n'))
  assert.equal(other.gate.batches.length, 2)
  t.mock.timers.tick(2)
  assert.deepEqual(other.gate.batches[2]?.names, ['n'])
  other.gate.batches[2]?.finish()
  assert.equal((await left).eventId, 'n')
})

test('closing sends those who wait for others', async () => {
  const { gate, queue } = await answerCrowd()
  const last = queue.push(SCOPE, buildIncomingEvent('f'))
  const closed = queue.close()
  assert.deepEqual(gate.batches[2]?.names, ['f'])
  gate.batches[2]?.finish()
  assert.equal((await last).eventId, 'f')
  await closed
})

test('a tenant that fills the queue gives up its newest event for another tenant, with 503', async () => {
  const gate = createGate()
  const queue = openQueue(gate.commit)
  const first = queue.push(SCOPE, buildIncomingEvent('running'))
  const crowd = Array.from({ length: 5_000 }, (_, at) =>
    queue.push(SCOPE, buildIncomingEvent(`${at}`)),
  )
  await assert.rejects(queue.push(SCOPE, buildIncomingEvent('more')), {
    code: 'CASEWORK_INTAKE_BUSY',
    status: 503,
  })
  const pushedOut = assert.rejects(crowd.pop() ?? Promise.resolve(), {
    code: 'CASEWORK_INTAKE_BUSY',
  })
  const other = queue.push({ tenantId: 'other' }, buildIncomingEvent('other'))
  await pushedOut
  // The other tenant does not wait for the first one at all.
  await gate.whenBatches(2)
  assert.deepEqual([gate.batches[1]?.tenantId, gate.batches[1]?.names], ['other', ['other']])
  gate.batches[1]?.finish()
  await other
  for (let at = 0; at < gate.batches.length; at += 1) {
    gate.batches[at]?.finish()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all([first, ...crowd])
  await queue.close()
})

test('tenants never share a commit', async () => {
  const gate = createGate()
  const queue = openQueue(gate.commit)
  const pushed = ['x', 'y'].map((tenantId) =>
    queue.push({ tenantId }, buildIncomingEvent(tenantId)),
  )
  assert.deepEqual(
    gate.batches.map((batch) => [batch.tenantId, ...batch.names]),
    [
      ['x', 'x'],
      ['y', 'y'],
    ],
  )
  for (const batch of gate.batches) batch.finish()
  await Promise.all(pushed)
})

async function commitGood(
  _scope: TenantScope,
  arrivals: readonly IncomingEvent[],
): Promise<readonly EventOutcome[]> {
  if (arrivals.some((arrival) => arrival.fingerprint === 'bad')) throw new Error('cannot')
  return arrivals.map((arrival) => ({
    kind: 'created',
    eventId: arrival.fingerprint,
    caseId: null,
  }))
}

test('one event that cannot be stored fails alone', async () => {
  const queue = openQueue(commitGood)
  const names = ['a', 'b', 'c', 'bad', 'd']
  const settled = await Promise.allSettled(
    names.map((name) => queue.push(SCOPE, buildIncomingEvent(name))),
  )
  assert.deepEqual(
    settled.map((one) => one.status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
})

test('while the database is away all are refused, and none is tried again one by one', async () => {
  let commits = 0
  const queue = openQueue(async () => {
    commits += 1
    throw databaseNotReachable(new Error('gone'))
  })
  const pushed = Array.from({ length: 20 }, (_, index) =>
    queue.push(SCOPE, buildIncomingEvent(`${index}`)),
  )
  const settled = await Promise.allSettled(pushed)
  assert.ok(settled.every((one) => one.status === 'rejected'))
  assert.equal(commits, 2)
})

test('503 when 5,000 wait already, and again room when they are through', async () => {
  const gate = createGate()
  const queue = openQueue(gate.commit)
  const arrivals = Array.from({ length: 5_001 }, (_, index) => buildIncomingEvent(`${index}`))
  // One is under way, alone; the others wait and go 200 at a time.
  const pushed = arrivals.map((arrival) => queue.push(SCOPE, arrival))
  await assert.rejects(queue.push(SCOPE, buildIncomingEvent('more')), {
    code: 'CASEWORK_INTAKE_BUSY',
    status: 503,
  })
  for (let at = 0; at < 1 + 5_000 / 200; at += 1) {
    await gate.whenBatches(at + 1)
    gate.batches[at]?.finish()
  }
  await Promise.all(pushed)
  const last = queue.push(SCOPE, buildIncomingEvent('last'))
  await gate.whenBatches(2 + 5_000 / 200)
  gate.batches.at(-1)?.finish()
  assert.equal((await last).eventId, 'last')
})

test('closing waits for what is under way and takes nothing more', async () => {
  const gate = createGate()
  const queue = openQueue(gate.commit)
  const pushed = queue.push(SCOPE, buildIncomingEvent('a'))
  const closed = queue.close()
  await assert.rejects(queue.push(SCOPE, buildIncomingEvent('b')), { code: 'CASEWORK_INTAKE_BUSY' })
  gate.batches[0]?.finish()
  await Promise.all([pushed, closed])
})

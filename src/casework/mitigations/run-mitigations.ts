// The worker of mitigations: asks adapters for what is due, records each attempt with the history
// of the case, and begins to undo what has expired. Any number of workers share the work through
// leases. A worker that dies between a request and its commit repeats it with the same key.

import { sql } from 'kysely'
import { startClaimLoop } from '../../kernel/async/claim-loop.ts'
import { inTransaction, type Tx } from '../../kernel/db/database.ts'
import { watchDue } from '../../kernel/db/due-poll.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import { asPoll } from '../../kernel/db/statement-limit.ts'
import type { Log } from '../../kernel/log.ts'
import { type AdapterAnswer, type AskDeps, askAdapter } from './ask-adapter.ts'
import { choosePauseMs, choosePollMs } from './mitigation.ts'
import {
  beginAttempt,
  type ClaimedMitigation,
  claimMitigations,
  endAttempt,
  HAS_DUE_MITIGATIONS,
  postponeMitigation,
  releaseLease,
} from './mitigation-attempt-store.ts'
import type { MitigationMetrics } from './mitigation-metrics.ts'
import {
  HAS_EXPIRED_MITIGATIONS,
  hasOtherHolder,
  lockMitigation,
  markInForce,
  markRemoved,
  markTrouble,
} from './mitigation-store.ts'
import { noteMitigation } from './note-mitigation.ts'
import type { MitigationDeps } from './request-mitigation.ts'
import { MITIGATION_ACTOR, undoExpired } from './undo-mitigations.ts'

export interface MitigationWorkerDeps extends MitigationDeps, AskDeps {
  readonly log: Log
  readonly count: MitigationMetrics['count']
}

// Requests at once in this process, and in all processes to one adapter.
const RUNNING_MAX = 64
const PER_ADAPTER_MAX = 8
const EXPIRED_MAX = 200
// The poll finds what is due (due-poll.ts). This is for what it may have missed.
const UNASKED_MS = 30_000
// Requests that end together make room together.
const GATHER_MS = 20

interface MitigationWorker {
  /**
   * Begins to undo what has expired, claims what is due, as far as there is room, and begins to ask
   * adapters for it; how much of it there was.
   */
  readonly begin: () => Promise<number>
  /** Resolves when no request is under way. */
  readonly whenIdle: () => Promise<void>
  /** Ends the requests: another process repeats them when their leases have run out. */
  readonly stop: () => Promise<void>
}

/** `onEnd` is called after each request. */
export function createMitigationWorker(
  deps: MitigationWorkerDeps,
  onEnd: () => void = () => undefined,
): MitigationWorker {
  const owner = deps.ids.nextUuid()
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const start = (one: ClaimedMitigation): void => {
    const asking = inTenant(one, () => askOne(deps, owner, one, stopping.signal)).finally(() => {
      running.delete(asking)
      onEnd()
    })
    running.add(asking)
  }
  const whenIdle = async (): Promise<void> => void (await Promise.all(running))
  return {
    async begin() {
      if (stopping.signal.aborted) return 0
      const act = 'ask adapters'
      const expired = await asPoll(() => inInstance(act, () => undoExpired(deps, EXPIRED_MAX)))
      const room = RUNNING_MAX - running.size
      if (room <= 0) return expired
      const { begun, released } = await asPoll(() =>
        inInstance(act, () => claim(deps, owner, room)),
      )
      for (const one of begun) start(one)
      return expired + begun.length + released
    },
    whenIdle,
    async stop() {
      stopping.abort(new Error('The service is stopping'))
      await whenIdle()
    },
  }
}

/** Works again and again, until it is stopped. */
export function startMitigations(deps: MitigationWorkerDeps): () => Promise<void> {
  // A request that ends makes room for the next one of its adapter or target.
  const worker = createMitigationWorker(deps, () => loop.wake())
  const loop = startClaimLoop({
    begin: worker.begin,
    onTrouble: (error) =>
      deps.log.warn('Mitigations could not be worked on', { error: String(error) }),
    pollMs: UNASKED_MS,
    gatherMs: GATHER_MS,
  })
  const stopAsking = watchDue(deps.db, {
    isDue: sql<boolean>`(${HAS_DUE_MITIGATIONS} or ${HAS_EXPIRED_MITIGATIONS})`,
    work: async () => loop.wake(),
    onTrouble: () => undefined,
  })
  return async () => {
    const asked = stopAsking()
    const stopped = loop.stop()
    await worker.stop()
    await stopped
    await asked
    // A claim that was under way may have begun some.
    await worker.whenIdle()
  }
}

interface Claim {
  readonly begun: readonly ClaimedMitigation[]
  /** Ended without a request, because another mitigation holds the target. */
  readonly released: number
}

async function claim(deps: MitigationWorkerDeps, owner: string, room: number): Promise<Claim> {
  const request = { owner, limit: room, perAdapter: PER_ADAPTER_MAX }
  const claimed = await claimMitigations(deps, request, async (tx, one) => {
    if (one.action === 'undo' && (await releaseIfHeld(tx, deps, one))) return null
    await beginAttempt(tx, one)
    return one
  })
  const begun = claimed.filter((one) => one !== null)
  return { begun, released: claimed.length - begun.length }
}

/** Ends an undo without a request when another mitigation holds the target. False if none does. */
async function releaseIfHeld(
  tx: Tx,
  deps: MitigationWorkerDeps,
  claimed: ClaimedMitigation,
): Promise<boolean> {
  const one = await lockMitigation(tx, claimed, claimed.id)
  if (one === null || !(await hasOtherHolder(tx, one))) return false
  const reason = 'held_by_other'
  await releaseLease(tx, claimed)
  await markRemoved(tx, claimed, { reason })
  await noteMitigation(tx, deps, { ...one, state: 'removed', reason }, ORIGIN)
  return true
}

const ORIGIN = { actor: MITIGATION_ACTOR, causeId: null }

async function askOne(
  deps: MitigationWorkerDeps,
  owner: string,
  one: ClaimedMitigation,
  signal: AbortSignal,
): Promise<void> {
  const startedMs = performance.now()
  try {
    const answer = await askAdapter(deps, one, signal)
    if (answer === null) return
    const durationMs = Math.round(performance.now() - startedMs)
    await inTransaction(deps.db, (tx) => record(tx, deps, owner, one, answer, durationMs))
    deps.count.inc({ action: one.action, outcome: answer.outcome })
  } catch (error) {
    // The lease runs out, and the request is repeated with the same key.
    deps.log.warn('An attempt of a mitigation could not be recorded', {
      mitigation_id: one.id,
      error: String(error),
    })
  }
}

const STATE_OF_ACTION = { execute: 'pending', undo: 'removing' } as const

async function record(
  tx: Tx,
  deps: MitigationWorkerDeps,
  owner: string,
  one: ClaimedMitigation,
  answer: AdapterAnswer,
  durationMs: number,
): Promise<void> {
  const { outcome, status, failure } = answer
  const state = await endAttempt(tx, owner, one, { outcome, durationMs, status, failure })
  // Another process has begun the next attempt, or a request changed the state meanwhile: the
  // answer is about a state that is over.
  if (state !== STATE_OF_ACTION[one.action]) return
  const change = await applyAnswer(tx, one, answer)
  if (change !== null) await noteMitigation(tx, deps, { ...one, ...change }, ORIGIN)
}

interface StateChange {
  readonly state: string
  readonly reason: string | null
}

/** Null when it waits for the next attempt. */
async function applyAnswer(
  tx: Tx,
  one: ClaimedMitigation,
  answer: AdapterAnswer,
): Promise<StateChange | null> {
  const { detail, reference } = answer
  if (answer.outcome === 'done') {
    if (one.action === 'execute') {
      await markInForce(tx, one, { detail, reference })
      return { state: 'active', reason: null }
    }
    await markRemoved(tx, one, { reason: null, detail })
    return { state: 'removed', reason: null }
  }
  const isAccepted = answer.outcome === 'accepted' || one.isAccepted
  const pauseMs = answer.outcome === 'refused' ? null : choosePause(one, isAccepted, answer.askedMs)
  if (pauseMs !== null) {
    await postponeMitigation(tx, one, pauseMs, { isAccepted, reference })
    return null
  }
  const reason = chooseReason(answer, isAccepted)
  await markTrouble(tx, one, { reason, detail: detail ?? answer.failure })
  return { state: one.action === 'execute' ? 'failed' : 'removing', reason }
}

function choosePause(
  { action, attempts, waitedMs }: ClaimedMitigation,
  isAccepted: boolean,
  askedMs: number,
): number | null {
  return isAccepted
    ? choosePollMs(waitedMs, attempts, askedMs)
    : choosePauseMs(action, attempts, askedMs, Math.random())
}

function chooseReason({ outcome }: AdapterAnswer, isAccepted: boolean): string {
  if (outcome === 'refused') return 'refused'
  return isAccepted ? 'no_result' : 'all_attempts_failed'
}

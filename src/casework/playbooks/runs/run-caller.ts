// Calls other systems for tokens whose nodes do so (`call` of a node kind), outside of any
// transaction. Transaction 1 claims the token and writes the attempt as begun; the call follows
// under the lease, which the worker renews; transaction 2 fences the token, writes the outcome and
// moves the token on. A crash in between leaves the attempt without an outcome: the next claim
// marks it as interrupted, and calls again with the same key. An outcome that comes while the run
// is paused stays with the token until the run is resumed.

import { setTimeout as delay } from 'node:timers/promises'
import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { forEachTenant } from '../../../kernel/db/due-tenants.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { inTenant } from '../../../kernel/db/row-scope.ts'
import { asPoll } from '../../../kernel/db/statement-limit.ts'
import { runTraced } from '../../../kernel/tracing/span.ts'
import { type Facts, NO_FACTS } from '../case-facts.ts'
import {
  type CallOutcome,
  DEFAULT_RETRY,
  type NodeKind,
  type Outcome,
  type RetryPolicy,
} from '../node-kind.ts'
import { changeByPlaybook } from '../nodes/change-cases.ts'
import { loadFactsOf, nameToken, runSteps } from './interpreter.ts'
import { beginMoving, buildDue, findNode, type MovingToken } from './moving-token.ts'
import {
  type BegunAttempt,
  beginAttempts,
  type EndedAttempt,
  endAttempts,
} from './run-attempt-store.ts'
import {
  type ClaimedToken,
  claimDueTokens,
  createTokenTurns,
  fenceTokens,
  keepOutcomes,
  type LeasedToken,
  postponeToken,
} from './run-token-store.ts'
import type { WaitQueue } from './wait-queue.ts'
import type { WorkerDeps } from './worker.ts'

export interface Caller {
  /**
   * Claims as many due tokens as there is room for and begins their calls. Returns how many were
   * claimed.
   */
  readonly begin: () => Promise<number>
  /** Resolves when a call has ended, or none is under way. */
  readonly untilRoom: () => Promise<void>
  /** Resolves when no call is under way and every outcome is written. */
  readonly finish: () => Promise<void>
  /** Aborts the calls that do not end within this time, and writes their outcomes. */
  readonly stop: (graceMs: number) => Promise<void>
}

interface CallerWork {
  readonly deps: WorkerDeps
  /** Of those who claim calls: outcomes may have led to more of them. */
  readonly callQueue: WaitQueue
  readonly owner: string
  /** Tokens whose leases are renewed. */
  readonly leased: Set<ClaimedToken>
}

// Calls wait for other systems and cost little here; the guarded client takes 256 at once.
const CALLS_MAX = 64
// Tokens whose calls are under way, and those whose outcomes wait for their transaction. Calls go
// on while outcomes are saved.
const CLAIMED_MAX = 2 * CALLS_MAX
// A claim for fewer is not worth its statements.
const ROOM_MIN = 16
// A kind ends its calls within a minute; one that does not must not keep its place for ever.
const CALL_MS_MAX = 120_000
const AFTER_SECONDS_MAX = 86_400
const SETTLED_MAX = 64
// Of a token whose version cannot be loaded.
const UNREADABLE_SECONDS = 60

interface Prepared {
  readonly claimed: ClaimedToken
  readonly moving: MovingToken
  readonly kind: NodeKind
  readonly policy: RetryPolicy
  /** Null for a token whose call has ended, or whose attempts are used up. */
  readonly attempt: BegunAttempt | null
}

/** Facts of the calls that were claimed together. */
type FactsOfCalls = Promise<ReadonlyMap<MovingToken, Facts>>

interface Ended extends Prepared {
  readonly outcome: CallOutcome
}

export function createCaller(work: CallerWork): Caller {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const ended: Ended[] = []
  const turns = createTokenTurns('callers', work.deps.log)
  let settling: Promise<void> | null = null
  let calling = 0
  let noteRoom: (() => void) | null = null
  const room = (): number => Math.min(CALLS_MAX - calling, CLAIMED_MAX - running.size)
  const settle = async (): Promise<void> => {
    while (ended.length > 0) await settleBatch(work, ended.splice(0, SETTLED_MAX))
    work.callQueue.wakeOne()
  }
  // One transaction at a time: outcomes that come meanwhile share the next one.
  const settleSoon = async (): Promise<void> => {
    settling ??= settle().finally(() => {
      settling = null
    })
    await settling
    if (ended.length > 0) await settleSoon()
  }
  const run = async (prepared: Prepared, facts: FactsOfCalls): Promise<void> => {
    calling += 1
    const outcome = await callOnce(work, prepared, facts, stopping.signal)
    calling -= 1
    noteRoom?.()
    ended.push({ ...prepared, outcome })
    await settleSoon()
  }
  const finish = async (): Promise<void> => {
    await Promise.all(running)
  }
  const begin = async (): Promise<number> => {
    const free = room()
    if (free <= 0) return 0
    const claimed = await asPoll(() =>
      claimDueTokens(work.deps.database.kysely, work.owner, free, 'callers', turns),
    )
    if (claimed.length === 0) return 0
    for (const token of claimed) work.leased.add(token)
    const all = await prepare(work, claimed)
    const facts = loadFactsOf(
      work.deps.database.kysely,
      work.deps.briefItem,
      all.map(({ moving }) => moving),
    )
    // Each call waits for them, and tells when they could not be loaded.
    facts.catch(() => undefined)
    for (const prepared of all) {
      const call: Promise<void> = run(prepared, facts).finally(() => {
        running.delete(call)
        noteRoom?.()
      })
      running.add(call)
    }
    return claimed.length
  }
  return {
    begin: () => inInstance('run playbooks', begin),
    async untilRoom() {
      while (room() < ROOM_MIN) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        await new Promise<void>((resolve) => (noteRoom = resolve))
      }
    },
    finish,
    async stop(graceMs) {
      const grace = new AbortController()
      await Promise.race([
        finish(),
        delay(graceMs, undefined, { signal: grace.signal }).catch(() => undefined),
      ])
      grace.abort()
      stopping.abort(new Error('The worker stops'))
      await finish()
    },
  }
}

/** Transaction 1. Tokens that another worker has claimed meanwhile are left out. */
async function prepare(
  work: CallerWork,
  claimed: readonly ClaimedToken[],
): Promise<readonly Prepared[]> {
  const { deps, owner, leased } = work
  try {
    const prepared = await inTransaction(deps.database.kysely, async (tx) => {
      const fenced = await fenceTokens(tx, owner, claimed)
      const found: Omit<Prepared, 'attempt'>[] = []
      for (const token of fenced) {
        const one = await findCall(work, tx, token, claimed)
        if (one !== null) found.push(one)
      }
      const due = found.filter(
        ({ claimed: token, moving, policy }) =>
          moving.token.callOutcome === null && token.attempts <= policy.attempts,
      )
      const begun =
        due.length === 0
          ? []
          : await beginAttempts(
              tx,
              due.map((one) => one.claimed),
            )
      const byToken = new Map(begun.map((attempt) => [nameToken(attempt), attempt]))
      return found.map((one) => ({ ...one, attempt: byToken.get(nameToken(one.claimed)) ?? null }))
    })
    const taken = new Set(prepared.map((one) => one.claimed))
    for (const token of claimed) if (!taken.has(token)) leased.delete(token)
    return prepared
  } catch (error) {
    // The leases run out, and the tokens are claimed again.
    for (const token of claimed) leased.delete(token)
    throw error
  }
}

async function findCall(
  { deps, owner }: CallerWork,
  tx: Tx,
  token: LeasedToken,
  claimed: readonly ClaimedToken[],
): Promise<Omit<Prepared, 'attempt'> | null> {
  const own = claimed.find((one) => nameToken(one) === nameToken(token))
  if (own === undefined) return null
  try {
    const moving = beginMoving(token, await inTenant(token, () => deps.graphs.load(tx, token)))
    const node = findNode(moving)
    if (node?.kind.call !== undefined) {
      const policy = node.retry ?? node.kind.retry ?? DEFAULT_RETRY
      return { claimed: own, moving, kind: node.kind, policy }
    }
    throw new Error(`node ${token.node} does not call`)
  } catch (error) {
    // A newer version of the program stored it, or a parked token was moved to another version.
    deps.log.error('A playbook call could not be prepared', {
      run_id: token.runId,
      error: describe(error),
    })
    await postponeToken(tx, owner, own, UNREADABLE_SECONDS)
    return null
  }
}

async function callOnce(
  { deps }: CallerWork,
  { moving, kind, attempt }: Prepared,
  factsOfCalls: FactsOfCalls,
  stopping: AbortSignal,
): Promise<CallOutcome> {
  if (moving.token.callOutcome !== null) return moving.token.callOutcome
  const node = findNode(moving)
  if (attempt === null || node === undefined || kind.call === undefined) {
    return { kind: 'refused', reason: 'call_interrupted' }
  }
  const { call: callOther } = kind
  const call = (all: WorkerDeps, due: Parameters<typeof callOther>[1]): Promise<CallOutcome> =>
    inTenant(moving.token, () => callOther({ ...all, db: all.database.kysely }, due))
  const limit = new AbortController()
  const late = Promise.withResolvers<CallOutcome>()
  const timer = setTimeout(() => {
    late.resolve({ kind: 'retry', reason: 'call_timed_out' })
    limit.abort()
  }, CALL_MS_MAX)
  try {
    const facts = (await factsOfCalls).get(moving) ?? NO_FACTS
    const signal = AbortSignal.any([stopping, limit.signal])
    const due = { ...buildDue(moving, node, facts), attempt: attempt.attempt, signal }
    const { runId, caseId } = due
    const attributes = { 'casework.run_id': runId, 'casework.case_id': caseId }
    const span = { name: `playbook call ${kind.kind}`, kind: 'internal', attributes } as const
    return await runTraced(deps.tracer ?? null, span, () =>
      Promise.race([call(deps, due), late.promise]),
    )
  } catch (error) {
    deps.log.warn('A playbook call failed', { run_id: moving.token.runId, error: describe(error) })
    return { kind: 'retry', reason: 'call_failed' }
  } finally {
    clearTimeout(timer)
  }
}

/** Transaction 2 for calls that have ended, and alone for each when it fails for all. */
async function settleBatch(work: CallerWork, ended: readonly Ended[]): Promise<void> {
  const { deps, leased } = work
  try {
    await settleTogether(work, ended)
  } catch (error) {
    deps.log.warn('A batch of playbook calls could not be saved; they are saved one by one', {
      error: describe(error),
    })
    for (const one of ended) await settleAlone(work, one)
  } finally {
    for (const one of ended) leased.delete(one.claimed)
  }
}

// The steps after a call may fail where its outcome does not, so the outcome is saved alone.
async function settleAlone(work: CallerWork, one: Ended): Promise<void> {
  try {
    await settleTogether(work, [one], 0)
  } catch (error) {
    // The lease runs out, the attempt counts as interrupted, and the call is repeated.
    work.deps.log.error('The outcome of a playbook call could not be saved', {
      run_id: one.claimed.runId,
      error: describe(error),
    })
  }
}

async function settleTogether(
  { deps, owner }: CallerWork,
  ended: readonly Ended[],
  roundsMax?: number,
): Promise<void> {
  const outcomes = new Map<string, Outcome>()
  const later: { readonly token: ClaimedToken; readonly seconds: number }[] = []
  for (const one of ended) {
    const { claimed, outcome, policy } = one
    if (outcome.kind !== 'retry') outcomes.set(nameToken(claimed), outcome)
    else if (claimed.attempts < policy.attempts) {
      later.push({ token: claimed, seconds: choosePause(claimed, policy, outcome.afterMs ?? 0) })
    } else {
      const output = { ...outcome.output, attempts: claimed.attempts }
      outcomes.set(nameToken(claimed), { kind: 'refused', reason: outcome.reason, output })
    }
  }
  const moving = ended.filter(({ claimed }) => outcomes.has(nameToken(claimed)))
  const failed = await inTransaction(deps.database.kysely, async (tx) => {
    const fenced = await fenceCalls(tx, owner, moving)
    await setMetadata(tx, deps, ended, fenced, outcomes)
    // Also of tokens that were cancelled or claimed meanwhile: the call has happened.
    await endAttempts(tx, ended.flatMap(describeAttempt))
    for (const { token, seconds } of later) await postponeToken(tx, owner, token, seconds)
    return await runSteps(tx, deps, fenced, {
      outcomes,
      ...(roundsMax === undefined ? {} : { roundsMax }),
    })
  })
  if (failed > 0) deps.countFailed?.(failed)
}

/**
 * Fences the tokens of calls that have ended. The outcome stays with a token whose run was paused
 * meanwhile, so that the call is not made again.
 */
async function fenceCalls(
  tx: Tx,
  owner: string,
  ended: readonly Ended[],
): Promise<readonly LeasedToken[]> {
  if (ended.length === 0) return []
  const claimed = ended.map((one) => one.claimed)
  const fenced = await fenceTokens(tx, owner, claimed)
  const live = new Set(fenced.map(nameToken))
  const missed = ended.filter((one) => !live.has(nameToken(one.claimed)))
  if (missed.length === 0) return fenced
  await keepOutcomes(tx, owner, missed)
  // Those of runs that were resumed between the two statements.
  const resumed = missed.map((one) => one.claimed)
  return [...fenced, ...(await fenceTokens(tx, owner, resumed))]
}

/**
 * What answers set in the metadata of their cases, each with its entry in the history. Where the
 * case does not take it, that is the outcome of the call.
 */
async function setMetadata(
  tx: Tx,
  deps: WorkerDeps,
  ended: readonly Ended[],
  fenced: readonly LeasedToken[],
  outcomes: Map<string, Outcome>,
): Promise<void> {
  const live = new Set(fenced.map(nameToken))
  const dues = ended.flatMap(({ claimed, moving, outcome }) => {
    const node = findNode(moving)
    const given = outcome.kind === 'done' ? (outcome.setMetadata ?? {}) : {}
    if (node === undefined || !live.has(nameToken(claimed)) || Object.keys(given).length === 0) {
      return []
    }
    const due = buildDue(moving, node, NO_FACTS)
    const { tenantId } = due.scope
    return [{ ...due, tenantId, config: { plan: () => ({ setMetadata: given }) } }]
  })
  await forEachTenant(dues, async (_, own) => {
    const results = await changeByPlaybook(tx, { ...deps, isFirst: false }, own)
    for (const [at, result] of results.entries()) {
      const due = own[at]
      if (due !== undefined && result.kind !== 'done') outcomes.set(nameToken(due), result)
    }
  })
}

function describeAttempt({ attempt, outcome }: Ended): readonly EndedAttempt[] {
  if (attempt === null) return []
  const reason = outcome.kind === 'done' ? {} : { reason: outcome.reason }
  const output = outcome.kind === 'over' ? {} : outcome.output
  return [{ ...attempt, outcome: outcome.kind, detail: { ...reason, ...output } }]
}

// Up to half of the pause is jitter from the id of the run, so that calls that failed together are
// not repeated together. What the other side asks for is not shortened.
function choosePause(token: ClaimedToken, policy: RetryPolicy, afterMs: number): number {
  const seconds = Math.min(policy.maxSeconds, policy.seconds * 2 ** (token.attempts - 1))
  const jitter = Number.parseInt(token.runId.slice(-4), 16) / 0xffff
  return Math.max(seconds * (0.5 + jitter / 2), Math.min(afterMs / 1_000, AFTER_SECONDS_MAX))
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

// The worker: claims due tokens and moves them. Any number of workers in any number of processes
// share the work through leases on the rows of tokens. When a worker dies, its leases run out, and
// other workers claim its tokens. keep-playbooks.ts has the upkeep.
//
// States of a token (column run_token.state), and the moves between them:
//
//   ready    A worker may claim the token from wake_at on, unless another worker's lease is valid.
//            A claim sets the lease and raises `attempts`.
//     -> waiting   its node waits: for a trigger, a time, or a change of the case
//     -> ready     its node calls another system (`calls`), and callers claim it; the limit of one
//                  transaction is reached; or a failed step or call is retried later
//     -> done      the graph has ended for the token, or the case had ended
//     -> dead      the step can never succeed, or its attempts are used up
//   waiting  The token has no lease.
//     -> ready     a trigger chose its path (accept-trigger.ts), its timer rang, or the case that
//                  it watches changed (timer-store.ts); the first to commit wins
//   paused   A person has paused the run, or another token of it has failed.
//     -> ready     the run is resumed
//   ready, waiting, paused
//     -> done      the run was cancelled, the case was merged, or another token has ended this one
//   dead     The run has failed, and needs a person.
//     -> ready     the run is resumed: a new visit of the node (resumeRuns in locked-run-store.ts)
//   done     Final. The run ends with its last live token.

import type { BriefItem } from '../../../intel/lookup/item-brief.ts'
import { every } from '../../../kernel/async/every.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { watchDue } from '../../../kernel/db/due-poll.ts'
import type { TenantTurns } from '../../../kernel/db/due-tenants.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { asPoll } from '../../../kernel/db/statement-limit.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import type { SecretCipher } from '../../../kernel/secrets/secret-cipher.ts'
import { runTraced, type Tracer } from '../../../kernel/tracing/span.ts'
import type { MarkEventsResolved, NoteWithdrawals } from '../../cases/case-move-store.ts'
import type { MailIdentity } from '../../notices/mail-identity.ts'
import type { GraphCache } from '../graph-cache.ts'
import { runSteps } from './interpreter.ts'
import { type Caller, createCaller } from './run-caller.ts'
import {
  type ClaimedToken,
  claimDueTokens,
  createTokenTurns,
  fenceTokens,
  hasTokensOf,
  postponeToken,
  releaseLeases,
  renewLeases,
} from './run-token-store.ts'
import { giveUp } from './stop-runs.ts'
import { HAS_DUE_TIMERS, ringTimers } from './timer-store.ts'
import { createWaitQueue, type WaitQueue } from './wait-queue.ts'
import type { WorkerWakeUp } from './worker-wake-up.ts'

export interface WorkerDeps {
  readonly database: Database
  readonly ids: IdSource
  readonly clock: Clock
  readonly log: Log
  readonly wakeUp: WorkerWakeUp
  readonly graphs: GraphCache
  readonly markEventsResolved: MarkEventsResolved
  /** Called after the commit; nothing is counted when left out. */
  readonly countFailed?: (runs: number) => void
  readonly noteWithdrawals: NoteWithdrawals
  readonly briefItem: BriefItem
  /** Null where no relay is set. */
  readonly mail: MailIdentity | null
  readonly outbound: Outbound
  readonly secrets: SecretCipher
  readonly allowsPlainHttp: (url: string) => boolean
  /** Null, or left out, without traces. */
  readonly tracer?: Tracer | null
}

export interface WorkerOptions {
  /** Batches processed at once, each on one database connection. 4 when left out. */
  readonly concurrency?: number
  /** Tokens of one claim, and of one transaction; 64 when left out. */
  readonly batch?: number
}

export interface PlaybookWorker {
  /** Since the database last answered a claim, or said that there is nothing to claim. */
  readonly claimedAgoMs: () => number
  /** Claims no more tokens, finishes the claimed ones, and releases those it cannot finish. */
  readonly stop: () => Promise<void>
}

// Four batches at once keep two cores busy; more would wait for database connections.
const CONCURRENCY = 4
// 64 tokens share one commit, and the last of them waits some 20 ms for it.
const BATCH = 64
// A third of the lease, so that one late renewal does no harm.
const RENEW_MS = 1_300
// The pause after an error of the database itself.
const PAUSE_MS = 1_000
// The worker gives a step up after this many claims without progress: some eight minutes, with the
// back-off below.
const ATTEMPTS_MAX = 10
const BACK_OFF_MAX_SECONDS = 300
// 1,000 timers are one statement of some 20 ms; 100,000 due at once are rung in a few seconds.
const TIMERS_AT_ONCE = 1_000
// A stop waits this long for calls that are under way, and then aborts them.
const CALL_GRACE_MS = 3_000

export function startPlaybookWorker(deps: WorkerDeps, options: WorkerOptions = {}): PlaybookWorker {
  const owner = deps.ids.nextUuid()
  const waitQueue = createWaitQueue()
  const callQueue = createWaitQueue()
  const leased = new Set<ClaimedToken>()
  const batch = options.batch ?? BATCH
  const state = { isStopping: false, claimedAtMs: performance.now() }
  const work: Work = {
    deps,
    owner,
    waitQueue,
    callQueue,
    leased,
    turns: createTokenTurns('movers', deps.log),
    batch,
    isStopping: () => state.isStopping,
    noteClaim: () => {
      state.claimedAtMs = performance.now()
    },
  }
  const caller = createCaller(work)
  const loops = [
    ...Array.from({ length: options.concurrency ?? CONCURRENCY }, () =>
      runLoop(work, waitQueue, () => claimAndMove(work)),
    ),
    runLoop(work, callQueue, async () => {
      await caller.untilRoom()
      return await caller.begin()
    }),
  ]
  const stopListening = deps.wakeUp.listen(waitQueue.wakeOne)
  // The poll finds tokens that other processes made due. The wake-up announces those of this one.
  const { kysely: db } = deps.database
  const onTrouble = logTrouble(deps.log)
  const stopPolling = [
    watchDue(db, {
      isDue: hasTokensOf('movers'),
      work: async () => waitQueue.wakeOne(),
      onTrouble,
      onAnswer: work.noteClaim,
    }),
    watchDue(db, {
      isDue: hasTokensOf('callers'),
      work: async () => callQueue.wakeOne(),
      onTrouble,
    }),
    watchDue(db, { isDue: HAS_DUE_TIMERS, work: () => ringDue(work), onTrouble }),
  ]
  const stopRenewing = every(RENEW_MS, () => renewLeased(work), onTrouble)
  return {
    claimedAgoMs: () => performance.now() - state.claimedAtMs,
    async stop() {
      state.isStopping = true
      stopListening()
      waitQueue.close()
      callQueue.close()
      await Promise.all([...loops, caller.stop(CALL_GRACE_MS)])
      // A call may have begun while the loops ended.
      await caller.stop(0)
      await Promise.all([...stopPolling.map((stop) => stop()), stopRenewing()])
      if (leased.size === 0) return
      await inInstance('run playbooks', () =>
        releaseLeases(deps.database.kysely, owner, [...leased]),
      )
    },
  }
}

/**
 * Moves every token that is due, and those that become due by it, then returns. For callers with a
 * schedule of their own, such as tests.
 */
export async function moveDueTokens(deps: WorkerDeps, batch = BATCH): Promise<void> {
  const owner = deps.ids.nextUuid()
  const work: Work = {
    deps,
    owner,
    waitQueue: createWaitQueue(),
    callQueue: createWaitQueue(),
    leased: new Set(),
    turns: createTokenTurns('movers', deps.log),
    batch,
    isStopping: () => false,
    noteClaim: () => undefined,
  }
  const caller = createCaller(work)
  for (let count = 1; count > 0; ) {
    await ringDue(work)
    count = (await claimAndMove(work)) + (await beginAndFinish(caller))
  }
}

async function beginAndFinish(caller: Caller): Promise<number> {
  const count = await caller.begin()
  await caller.finish()
  return count
}

interface Work {
  readonly deps: WorkerDeps
  readonly owner: string
  readonly waitQueue: WaitQueue
  /** Of the loop that claims calls. */
  readonly callQueue: WaitQueue
  /** Tokens that the loops of this worker have claimed and not finished. */
  readonly leased: Set<ClaimedToken>
  /** Of the tenants, among all loops of this worker. */
  readonly turns: TenantTurns
  readonly batch: number
  readonly isStopping: () => boolean
  /** The database has answered a claim, or said that there is nothing to claim. */
  readonly noteClaim: () => void
}

/** Repeats `claim`, and waits for the queue when it has found nothing. */
async function runLoop(work: Work, queue: WaitQueue, claim: () => Promise<number>): Promise<void> {
  const { deps } = work
  while (!work.isStopping()) {
    try {
      if ((await claim()) === 0) await queue.wait()
    } catch (error) {
      // The leases run out, and the tokens are claimed again.
      deps.log.error('Playbook tokens could not be moved', { error: describe(error) })
      await queue.pause(PAUSE_MS)
    }
  }
}

/** How many tokens were claimed. */
async function claimAndMove(work: Work): Promise<number> {
  return await inInstance('run playbooks', () => claimAndMoveAll(work))
}

async function claimAndMoveAll(work: Work): Promise<number> {
  const claimed = await asPoll(() =>
    claimDueTokens(work.deps.database.kysely, work.owner, work.batch, 'movers', work.turns),
  )
  work.noteClaim()
  // A full batch means that more tokens are due: another loop shall claim them.
  if (claimed.length === work.batch) work.waitQueue.wakeOne()
  for (const token of claimed) work.leased.add(token)
  try {
    await moveBatch(work, claimed)
  } finally {
    for (const token of claimed) work.leased.delete(token)
  }
  // Their next nodes may call other systems.
  if (claimed.length > 0) work.callQueue.wakeOne()
  return claimed.length
}

/**
 * Moves a batch in one transaction. When the transaction fails, each token is moved alone, so that
 * one bad token does not block the others.
 */
async function moveBatch(work: Work, claimed: readonly ClaimedToken[]): Promise<void> {
  // A token that was claimed before without progress may have ended its process: it is moved alone
  // from then on.
  const alone = orderRetries(claimed.filter((token) => token.attempts > 1))
  const fresh = claimed.filter((token) => token.attempts <= 1)
  try {
    await move(work, fresh)
  } catch (error) {
    work.deps.log.warn('A batch of playbook steps failed; its tokens are moved one by one', {
      error: describe(error),
    })
    alone.unshift(...fresh)
  }
  for (const token of alone) await moveAlone(work, token)
}

// The order alternates with the attempts. A token that ends the process therefore comes after the
// others in every second attempt.
function orderRetries(tokens: readonly ClaimedToken[]): ClaimedToken[] {
  const ordered = tokens.toSorted((a, b) => (a.runId < b.runId ? -1 : 1))
  return (tokens[0]?.attempts ?? 0) % 2 === 0 ? ordered : ordered.toReversed()
}

async function moveAlone(work: Work, token: ClaimedToken): Promise<void> {
  if (token.attempts > ATTEMPTS_MAX) {
    await giveUp(work.deps, work.owner, token)
    return
  }
  try {
    await move(work, [token])
  } catch (error) {
    await retryLater(work, token, error)
  }
}

async function move(work: Work, tokens: readonly ClaimedToken[]): Promise<void> {
  if (tokens.length === 0) return
  const attributes = { 'casework.tokens': tokens.length }
  const span = { name: 'playbook steps', kind: 'internal', attributes } as const
  const failed = await runTraced(work.deps.tracer ?? null, span, () =>
    inTransaction(work.deps.database.kysely, async (tx) => {
      const fenced = await fenceTokens(tx, work.owner, tokens)
      return await runSteps(tx, work.deps, fenced)
    }),
  )
  if (failed > 0) work.deps.countFailed?.(failed)
}

async function retryLater(work: Work, token: ClaimedToken, error: unknown): Promise<void> {
  work.deps.log.warn('A playbook step failed', {
    run_id: token.runId,
    visit: token.visit,
    attempt: token.attempts,
    error: describe(error),
  })
  if (token.attempts >= ATTEMPTS_MAX) {
    await giveUp(work.deps, work.owner, token)
    return
  }
  // Up to half of the delay is jitter from the id of the run, so that tokens that failed together
  // are not retried together.
  const seconds = Math.min(BACK_OFF_MAX_SECONDS, 2 ** (token.attempts - 1))
  const jitter = Number.parseInt(token.runId.slice(-4), 16) / 0xffff
  await postponeToken(work.deps.database.kysely, work.owner, token, seconds * (0.5 + jitter / 2))
}

async function ringDue({ deps, waitQueue, isStopping }: Work): Promise<void> {
  const pass = { db: deps.database.kysely, log: deps.log }
  // Tenants with few timers leave a round short of the limit, so only an empty one is the last.
  for (let count = 1; count > 0 && !isStopping(); ) {
    count = await asPoll(() => inInstance('run playbooks', () => ringTimers(pass, TIMERS_AT_ONCE)))
    if (count > 0) waitQueue.wakeOne()
  }
}

async function renewLeased(work: Work): Promise<void> {
  if (work.leased.size === 0) return
  const pass = { db: work.deps.database.kysely, log: work.deps.log }
  await asPoll(() =>
    inInstance('run playbooks', () => renewLeases(pass, work.owner, [...work.leased])),
  )
}

function logTrouble(log: Log): (error: unknown) => void {
  return (error) => log.warn('Playbook upkeep failed', { error: describe(error) })
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

// The worker: claims due tokens and moves them. Any number of workers in any number of processes
// share the work through the lease on the token's row; one that dies loses nothing but the lease.

import { every } from '../../kernel/async/every.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Database } from '../../kernel/db/database.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { MarkEventsResolved } from '../cases/case-move-store.ts'
import { giveUp } from './give-up.ts'
import type { GraphCache } from './graph-cache.ts'
import { runSteps } from './interpreter.ts'
import { createLanePark, type LanePark } from './lane-park.ts'
import {
  type ClaimedToken,
  claimDueTokens,
  fenceTokens,
  postponeToken,
  releaseLeases,
  renewLeases,
} from './run-token-store.ts'
import type { WorkerWakeUp } from './worker-wake-up.ts'

export interface WorkerDeps {
  readonly database: Database
  readonly ids: IdSource
  readonly clock: Clock
  readonly log: Log
  readonly wakeUp: WorkerWakeUp
  readonly graphs: GraphCache
  readonly markEventsResolved: MarkEventsResolved
}

export interface WorkerOptions {
  /**
   * Claims processed at once; each holds one database connection while it works. 4 when left out.
   */
  readonly lanes?: number
  /** Tokens of one claim, and of one transaction; 64 when left out. */
  readonly batch?: number
}

export interface PlaybookWorker {
  /** Claims nothing more, finishes what is claimed, and gives back what cannot be finished. */
  readonly stop: () => Promise<void>
}

// More lanes than connections would only queue for them; four kept two cores busy (measured
// 2026-11).
const LANES = 4
// 64 tokens share one commit, and the last of them waits some 20 ms for it.
const BATCH = 64
// Commits of other processes are seen by this poll (an empty claim costs 0.2 ms); those of this one
// by the hint.
const POLL_MS = 200
// A third of the lease, so that one late renewal does no harm.
const RENEW_MS = 1_500
// After trouble with the database itself.
const PAUSE_MS = 1_000
// A step is given up after this many claims without progress: with the back-off below some eight
// minutes.
const ATTEMPTS_MAX = 10
const BACK_OFF_MAX_SECONDS = 300

export function startPlaybookWorker(deps: WorkerDeps, options: WorkerOptions = {}): PlaybookWorker {
  const owner = deps.ids.nextUuid()
  const park = createLanePark()
  const held = new Set<ClaimedToken>()
  const batch = options.batch ?? BATCH
  const state = { isStopping: false }
  const work: LaneWork = { deps, owner, park, held, batch, isStopping: () => state.isStopping }
  const lanes = Array.from({ length: options.lanes ?? LANES }, () => runLane(work))
  const stopListening = deps.wakeUp.listen(park.wakeOne)
  const stopPolling = every(POLL_MS, async () => park.wakeOne(), tellTrouble(deps.log))
  const stopRenewing = every(RENEW_MS, () => renewHeld(work), tellTrouble(deps.log))
  return {
    async stop() {
      state.isStopping = true
      stopListening()
      park.close()
      await Promise.all(lanes)
      await Promise.all([stopPolling(), stopRenewing()])
      if (held.size > 0) await releaseLeases(deps.database.kysely, owner, [...held])
    },
  }
}

/**
 * Moves everything that is due now, and what that makes due, then returns: for callers that bring
 * their own rhythm, such as tests.
 */
export async function moveDueTokens(deps: WorkerDeps, batch = BATCH): Promise<void> {
  const owner = deps.ids.nextUuid()
  const work: LaneWork = {
    deps,
    owner,
    park: createLanePark(),
    held: new Set(),
    batch,
    isStopping: () => false,
  }
  for (let count = 1; count > 0; ) count = await claimAndSettle(work)
}

interface LaneWork {
  readonly deps: WorkerDeps
  readonly owner: string
  readonly park: LanePark
  /** Claimed and not yet settled, by all lanes. */
  readonly held: Set<ClaimedToken>
  readonly batch: number
  readonly isStopping: () => boolean
}

async function runLane(work: LaneWork): Promise<void> {
  const { deps, park } = work
  while (!work.isStopping()) {
    try {
      if ((await claimAndSettle(work)) === 0) await park.wait()
    } catch (error) {
      // The leases of what was claimed run out, and the tokens are claimed again.
      deps.log.error('Playbook tokens could not be moved', { error: describe(error) })
      await park.pause(PAUSE_MS)
    }
  }
}

/** How many tokens were claimed. */
async function claimAndSettle(work: LaneWork): Promise<number> {
  const claimed = await claimDueTokens(work.deps.database.kysely, work.owner, work.batch)
  // A full batch means that there is more than one lane can do.
  if (claimed.length === work.batch) work.park.wakeOne()
  for (const token of claimed) work.held.add(token)
  try {
    await settle(work, claimed)
  } finally {
    for (const token of claimed) work.held.delete(token)
  }
  return claimed.length
}

/**
 * Moves a batch in one transaction; when that fails, each token alone, so that one bad token does
 * not hold up the others.
 */
async function settle(work: LaneWork, claimed: readonly ClaimedToken[]): Promise<void> {
  // A token that was claimed before without progress may be what ended its process: it goes alone
  // from then on.
  const alone = orderRetries(claimed.filter((token) => token.attempts > 1))
  const first = claimed.filter((token) => token.attempts <= 1)
  try {
    await move(work, first)
  } catch (error) {
    work.deps.log.warn('A batch of playbook steps failed, its tokens go on one by one', {
      error: describe(error),
    })
    alone.unshift(...first)
  }
  for (const token of alone) await moveAlone(work, token)
}

// One way round, then the other: behind a token that ends the process there is always a turn in
// which the others come before it.
function orderRetries(tokens: readonly ClaimedToken[]): ClaimedToken[] {
  const ordered = tokens.toSorted((a, b) => (a.runId < b.runId ? -1 : 1))
  return (tokens[0]?.attempts ?? 0) % 2 === 0 ? ordered : ordered.toReversed()
}

async function moveAlone(work: LaneWork, token: ClaimedToken): Promise<void> {
  if (token.attempts > ATTEMPTS_MAX) {
    await giveUp(work.deps, work.owner, token)
    return
  }
  try {
    await move(work, [token])
  } catch (error) {
    await putOff(work, token, error)
  }
}

async function move(work: LaneWork, tokens: readonly ClaimedToken[]): Promise<void> {
  if (tokens.length === 0) return
  await inTransaction(work.deps.database.kysely, async (tx) => {
    const fenced = await fenceTokens(tx, work.owner, tokens)
    await runSteps(tx, work.deps, fenced)
  })
}

async function putOff(work: LaneWork, token: ClaimedToken, error: unknown): Promise<void> {
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
  // Half of the delay is jitter by the run's own id, so that tokens that failed together do not
  // come back together.
  const seconds = Math.min(BACK_OFF_MAX_SECONDS, 2 ** (token.attempts - 1))
  const jitter = Number.parseInt(token.runId.slice(-4), 16) / 0xffff
  await postponeToken(work.deps.database.kysely, work.owner, token, seconds * (0.5 + jitter / 2))
}

async function renewHeld(work: LaneWork): Promise<void> {
  if (work.held.size === 0) return
  await renewLeases(work.deps.database.kysely, work.owner, [...work.held])
}

function tellTrouble(log: Log): (error: unknown) => void {
  return (error) => log.warn('Playbook upkeep failed', { error: describe(error) })
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

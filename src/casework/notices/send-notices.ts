// The worker of notices: claims due ones, gives them to the relay, and has each attempt recorded.
// Any number of workers share the work through leases.

import type { Counter } from 'prom-client'
import type { IsDemoTenant } from '../../access/demo-tenants.ts'
import { startClaimLoop } from '../../kernel/async/claim-loop.ts'
import { every } from '../../kernel/async/every.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { watchDue } from '../../kernel/db/due-poll.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import { asPoll } from '../../kernel/db/statement-limit.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { buildMail } from './build-mail.ts'
import type { MailIdentity } from './mail-identity.ts'
import type { EvidenceFile, RedactionProfile } from './notice.ts'
import {
  type AttemptOutcome,
  type ClaimedNotice,
  claimNotices,
  HAS_DUE_NOTICES,
  keepLeases,
  storeEvidence,
} from './notice-store.ts'
import { createAttemptStore } from './record-attempts.ts'
import type { Relay, RelayOutcome } from './relay.ts'
import { createSendRate } from './send-rate.ts'

export interface NoticeSenderDeps {
  readonly db: Db
  readonly log: Log
  readonly clock: Clock
  readonly ids: IdSource
  readonly mail: MailIdentity
  readonly relay: Relay
  readonly count: Pick<Counter<'outcome'>, 'inc'>
  /** The evidence of a case, redacted; none goes along when left out. */
  readonly buildEvidence?: (request: {
    readonly tenantId: string
    readonly caseId: string
    readonly profile: RedactionProfile
    readonly recipient: string
  }) => Promise<readonly EvidenceFile[]>
  readonly onOutcome: (outcome: RelayOutcome) => void
  /** Mail of no tenant is kept back when left out. */
  readonly isDemoTenant?: IsDemoTenant
}

// For each connection one mail under way, and some that wait for it or for their record.
const RUNNING_OF_CONNECTION = 8
// The poll finds what is due (due-poll.ts). This is for what it may have missed.
const UNASKED_MS = 30_000
// Mails that end together make room together.
const GATHER_MS = 5
// A third of the lease, so that one late renewal does no harm.
const KEEP_MS = 1_300
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
// After each attempt that may pass; together 2 days and 5 hours.
const PAUSES_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  14 * HOUR_MS,
  24 * HOUR_MS,
] as const

/**
 * How long to wait after so many attempts; null when it was the last. A notice that is sent again
 * after its last attempt begins anew.
 */
function choosePauseMs(attempts: number): number | null {
  return PAUSES_MS[(attempts - 1) % (PAUSES_MS.length + 1)] ?? null
}

interface NoticeSender {
  /** Claims what is due, as far as there is room, and begins to send it. Returns how many. */
  readonly begin: () => Promise<number>
  /** Resolves when nothing is being sent. */
  readonly whenIdle: () => Promise<void>
  /** `begin`, and then waits for the end of what it began. Returns how many attempts were made. */
  readonly sendDue: () => Promise<number>
  /** Keeps what is being sent from being claimed by another process. */
  readonly keep: () => Promise<void>
}

/** `onEnd` is called after each attempt. */
export function createNoticeSender(
  deps: NoticeSenderDeps,
  onEnd: () => void = () => undefined,
): NoticeSender {
  const { relay, clock } = deps
  const owner = deps.ids.nextUuid()
  const running = new Map<ClaimedNotice, Promise<void>>()
  const runningMax = relay.connections * RUNNING_OF_CONNECTION
  const rate = createSendRate(relay.ratePerMinute, clock)
  const record = createAttemptStore(deps, owner)
  const start = (notice: ClaimedNotice): void => {
    const sending = inTenant(notice, () => sendOne(deps, notice, record))
      .catch((error: unknown) => {
        // Nobody keeps its lease any more, and the notice is claimed again.
        const { id } = notice
        deps.log.warn('A notice could not be sent', { notice_id: id, error: String(error) })
      })
      .finally(() => {
        running.delete(notice)
        onEnd()
      })
    running.set(notice, sending)
  }
  const begin = async (): Promise<number> => {
    const room = Math.min(runningMax - running.size, rate.room())
    // Claims wait until half of the places are free: else each mail that ends would cause one.
    if (room <= 0 || running.size > runningMax / 2) return 0
    const claimed = await asPoll(() =>
      inInstance('send notices', () => claimNotices(deps, owner, room)),
    )
    rate.take(claimed.length)
    for (const notice of claimed) start(notice)
    return claimed.length
  }
  const keepAll = (): Promise<void> => asPoll(() => keepLeases(deps, owner, [...running.keys()]))
  const whenIdle = async (): Promise<void> => void (await Promise.all(running.values()))
  return {
    begin,
    whenIdle,
    async sendDue() {
      const begun = await begin()
      await whenIdle()
      return begun
    },
    async keep() {
      if (running.size > 0) await inInstance('send notices', keepAll)
    },
  }
}

/** Sends what is due, again and again, until it is stopped. */
export function startSending(deps: NoticeSenderDeps): () => Promise<void> {
  // A mail that ends makes room for the next one.
  const sender = createNoticeSender(deps, () => loop.wake())
  const stopKeeping = every(KEEP_MS, sender.keep, (error) =>
    deps.log.warn('Leases of notices could not be kept', { error: String(error) }),
  )
  const loop = startClaimLoop({
    begin: sender.begin,
    onTrouble: (error) => deps.log.warn('Notices could not be sent', { error: String(error) }),
    pollMs: UNASKED_MS,
    gatherMs: GATHER_MS,
  })
  const stopAsking = watchDue(deps.db, {
    isDue: HAS_DUE_NOTICES,
    work: async () => loop.wake(),
    onTrouble: () => undefined,
  })
  return async () => {
    const asked = stopAsking()
    await loop.stop()
    await asked
    await sender.whenIdle()
    await stopKeeping()
    deps.relay.close()
  }
}

async function sendOne(
  deps: NoticeSenderDeps,
  notice: ClaimedNotice,
  record: (notice: ClaimedNotice, attempt: AttemptOutcome) => Promise<void>,
): Promise<void> {
  const attempt = (await findKeptBack(deps, notice)) ?? (await tryRelay(deps, notice))
  await record(notice, attempt)
  deps.count.inc({ outcome: attempt.outcome })
}

/** Why the notice is not sent at all; null when it is. */
async function findKeptBack(
  { isDemoTenant }: NoticeSenderDeps,
  { tenantId, recipient }: ClaimedNotice,
): Promise<AttemptOutcome | null> {
  if (ERASED.test(recipient)) return NOT_SENT_TO_ERASED
  return (await isDemoTenant?.(tenantId)) === true ? NOT_SENT_BY_DEMO : null
}

const NOT_SENT_BY_DEMO: AttemptOutcome = {
  outcome: 'failed',
  durationMs: 0,
  replyCode: null,
  failure: 'This tenant is a demo; nothing was sent.',
  reason: 'demo',
  pauseMs: 0,
}

// An erasure may come between the making and the sending of a notice (privacy/erasure).
const ERASED = /@erased\.invalid$/
const NOT_SENT_TO_ERASED: AttemptOutcome = {
  outcome: 'failed',
  durationMs: 0,
  replyCode: null,
  failure: 'The recipient was erased; nothing was sent.',
  reason: 'recipient_erased',
  pauseMs: 0,
}

async function tryRelay(deps: NoticeSenderDeps, notice: ClaimedNotice): Promise<AttemptOutcome> {
  const startedMs = performance.now()
  const evidence = await prepareEvidence(deps, notice).catch(() => null)
  const outcome: RelayOutcome =
    evidence === null
      ? EVIDENCE_NOT_READ
      : await deps.relay.send(buildMail(deps.mail, { ...notice, evidence }))
  deps.onOutcome(outcome)
  return describeAttempt(outcome, notice.attempts, Math.round(performance.now() - startedMs))
}

// The readers are busy, or the database is away.
const EVIDENCE_NOT_READ: RelayOutcome = {
  kind: 'failed',
  isFinal: false,
  replyCode: null,
  failure: 'The evidence could not be read.',
}

/** Built once, and the same at every attempt. */
async function prepareEvidence(
  { db, buildEvidence }: NoticeSenderDeps,
  { tenantId, id, caseId, recipient, evidenceProfile: profile, evidence }: ClaimedNotice,
): Promise<readonly EvidenceFile[]> {
  if (evidence !== null || profile === null || caseId === null) return evidence ?? []
  const built = (await buildEvidence?.({ tenantId, caseId, profile, recipient })) ?? []
  await storeEvidence(db, { tenantId }, id, built)
  return built
}

function describeAttempt(
  outcome: RelayOutcome,
  attempts: number,
  durationMs: number,
): AttemptOutcome {
  const { replyCode } = outcome
  if (outcome.kind === 'sent') {
    return { outcome: 'sent', durationMs, replyCode, failure: null, reason: null, pauseMs: 0 }
  }
  const pauseMs = outcome.isFinal ? null : choosePauseMs(attempts)
  const { failure } = outcome
  if (pauseMs !== null) {
    return { outcome: 'postponed', durationMs, replyCode, failure, reason: null, pauseMs }
  }
  const reason = outcome.isFinal ? 'refused_by_relay' : 'all_attempts_failed'
  return { outcome: 'failed', durationMs, replyCode, failure, reason, pauseMs: 0 }
}

// The worker of notices: claims due ones, gives them to the relay, and records each attempt with
// the history of the case. Any number of workers share the work through leases.

import { setTimeout as delay } from 'node:timers/promises'
import type { Counter } from 'prom-client'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { asPoll } from '../../kernel/db/statement-limit.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { changeCase } from '../cases/case-change-store.ts'
import { addHistory } from '../cases/case-history-store.ts'
import { lockRows } from '../cases/case-locks.ts'
import { endDigestItems, listDigestItems } from './digest-store.ts'
import type { MailIdentity } from './mail-identity.ts'
import type { EvidenceFile, RedactionProfile } from './notice.ts'
import {
  type AttemptOutcome,
  type ClaimedNotice,
  claimNotices,
  recordAttempt,
  storeEvidence,
} from './notice-store.ts'
import { buildMail, type Relay, type RelayOutcome } from './relay.ts'

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
}

const RUNNING_MAX = 8
const POLL_MS = 500
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
  /** Sends what is due, up to a bound. Returns how many attempts were made. */
  readonly sendDue: () => Promise<number>
}

export function createNoticeSender(deps: NoticeSenderDeps): NoticeSender {
  const owner = deps.ids.nextUuid()
  return {
    async sendDue() {
      const claimed = await asPoll(() => claimNotices(deps.db, owner, RUNNING_MAX))
      await Promise.all(claimed.map((notice) => sendOne(deps, owner, notice)))
      return claimed.length
    },
  }
}

/** Sends what is due, again and again, until it is stopped. */
export function startSending(deps: NoticeSenderDeps): () => Promise<void> {
  const stopping = new AbortController()
  const sender = createNoticeSender(deps)
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const sent = await sender.sendDue().catch((error: unknown) => {
        deps.log.warn('Notices could not be sent', { error: String(error) })
        return 0
      })
      if (sent > 0) continue
      await delay(POLL_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const running = loop()
  return async () => {
    stopping.abort()
    await running
    deps.relay.close()
  }
}

async function sendOne(
  deps: NoticeSenderDeps,
  owner: string,
  notice: ClaimedNotice,
): Promise<void> {
  const attempt = ERASED.test(notice.recipient) ? NOT_SENT : await tryRelay(deps, notice)
  await inTransaction(deps.db, (tx) => recordEnd(tx, deps, owner, notice, attempt))
  deps.count.inc({ outcome: attempt.outcome })
}

// An erasure may come between the making and the sending of a notice (privacy/erasure).
const ERASED = /@erased\.invalid$/
const NOT_SENT: AttemptOutcome = {
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
      ? NOT_READ
      : await deps.relay.send(buildMail(deps.mail, { ...notice, evidence }))
  deps.onOutcome(outcome)
  return describeAttempt(outcome, notice.attempts, Math.round(performance.now() - startedMs))
}

// The readers are busy, or the database is away.
const NOT_READ: RelayOutcome = {
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

const ACTOR = { kind: 'system', id: 'notices', name: 'notices' } as const

async function recordEnd(
  tx: Tx,
  { ids, clock }: NoticeSenderDeps,
  owner: string,
  notice: ClaimedNotice,
  attempt: AttemptOutcome,
): Promise<void> {
  const { tenantId, id, caseId, purpose, party } = notice
  const scope = { tenantId }
  const told =
    caseId === null ? await listDigestItems(tx, scope, [id]) : [{ id, caseId, purpose, party }]
  // The cases before the notice, as everywhere.
  const cases = await lockRows(tx, scope, [...new Set(told.map((one) => one.caseId))])
  const isOurs = await recordAttempt(tx, owner, notice, attempt)
  if (!isOurs || attempt.outcome === 'postponed') return
  if (caseId === null) await endDigestItems(tx, scope, [id])
  const origin = { actor: ACTOR, at: new Date(clock.nowMs()), reason: null, causeId: id }
  const firsts = told.filter(
    (one) => one.party === 'customer' && cases.get(one.caseId)?.customer_status === 'unnotified',
  )
  for (const one of new Set(
    attempt.outcome === 'sent' ? firsts.map((first) => first.caseId) : [],
  )) {
    const patch = { customerStatus: 'notified' } as const
    // At most as many as a digest has.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await changeCase(tx, ids, scope, { ...origin, caseId: one, expectedVersion: null, patch })
  }
  const { outcome: state, reason } = attempt
  const ended = {
    state,
    ...(reason === null ? {} : { reason }),
    ...(caseId === null ? { digest_id: id } : {}),
  }
  const entries = told
    .filter((one) => cases.has(one.caseId))
    .map((one) => ({
      ...origin,
      caseId: one.caseId,
      kind: 'notice' as const,
      changes: { notice_id: one.id, purpose: one.purpose, party: one.party, ...ended },
    }))
  await addHistory(tx, ids, scope, entries)
}

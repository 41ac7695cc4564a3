// The worker of webhooks: claims due deliveries, signs and sends them through the guarded client,
// and records each attempt. Any number of workers share the work through leases.

import type { Counter } from 'prom-client'
import { startClaimLoop } from '../../kernel/async/claim-loop.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { watchDue } from '../../kernel/db/due-poll.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import { asPoll } from '../../kernel/db/statement-limit.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import { mayUsePlainHttp } from '../../kernel/outbound/check-target.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { explainToTenant, type OutboundOutcome } from '../../kernel/outbound/outbound-outcome.ts'
import { readRetryAfterMs } from '../../kernel/outbound/retry-after.ts'
import { signMessage } from '../../kernel/outbound/sign-message.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import {
  type ClaimedDelivery,
  chooseState,
  claimDeliveries,
  HAS_DUE_DELIVERIES,
  recordAttempt,
} from './delivery-store.ts'
import { choosePauseMs } from './webhook.ts'
import { disableWebhook, findSigningSecrets } from './webhook-store.ts'

export interface DeliveryDeps {
  readonly db: Db
  readonly log: Log
  readonly clock: Clock
  readonly ids: IdSource
  readonly outbound: Outbound
  readonly allow: AllowList
  readonly secrets: SecretCipher
  readonly count: Pick<Counter<'outcome'>, 'inc'>
}

// Attempts at once in this process, and in all processes to one webhook.
const RUNNING_MAX = 64
const PER_WEBHOOK_MAX = 8
// The poll finds what is due (due-poll.ts). This is for what it may have missed.
const UNASKED_MS = 30_000
// Messages that end together make room together.
const GATHER_MS = 20
const TIMEOUT_MS = 20_000
// Answers are not read; receivers send a word or nothing.
const ANSWER_BYTES_MAX = 65_536
const GONE = 410

export interface WebhookSender {
  /** Claims what is due, as far as there is room, and begins to send it. Returns how many. */
  readonly begin: () => Promise<number>
  /** Resolves when nothing is being sent. */
  readonly whenIdle: () => Promise<void>
  /** Ends what is being sent: another process claims it when its lease has run out. */
  readonly stop: () => Promise<void>
}

/** Sends what is due, again and again, until it is stopped. */
export function startDelivering(deps: DeliveryDeps): () => Promise<void> {
  // A message that ends makes room for the next one of its webhook.
  const sender = createWebhookSender(deps, () => loop.wake())
  const loop = startClaimLoop({
    begin: sender.begin,
    onTrouble: (error) =>
      deps.log.warn('Webhooks could not be delivered', { error: String(error) }),
    pollMs: UNASKED_MS,
    gatherMs: GATHER_MS,
  })
  const stopAsking = watchDue(deps.db, {
    isDue: HAS_DUE_DELIVERIES,
    work: async () => loop.wake(),
    onTrouble: () => undefined,
  })
  return async () => {
    const asked = stopAsking()
    const stopped = loop.stop()
    await sender.stop()
    await stopped
    await asked
    // A claim that was under way may have begun some.
    await sender.whenIdle()
  }
}

/** `onEnd` is called after each attempt. */
export function createWebhookSender(
  deps: DeliveryDeps,
  onEnd: () => void = () => undefined,
): WebhookSender {
  const owner = deps.ids.nextUuid()
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const start = (delivery: ClaimedDelivery): void => {
    const sending = inTenant(delivery, () => deliver(deps, owner, delivery, stopping.signal))
      .catch((error: unknown) => {
        // The lease runs out, and the delivery is claimed again.
        const { id, webhookId } = delivery
        deps.log.warn('A webhook could not be delivered', {
          webhook_id: webhookId,
          delivery_id: id,
          error: String(error),
        })
      })
      .finally(() => {
        running.delete(sending)
        onEnd()
      })
    running.add(sending)
  }
  const whenIdle = async (): Promise<void> => void (await Promise.all(running))
  return {
    async begin() {
      const room = RUNNING_MAX - running.size
      if (room <= 0 || stopping.signal.aborted) return 0
      const claimed = await asPoll(() =>
        inInstance('deliver webhooks', () => claimDeliveries(deps, owner, room, PER_WEBHOOK_MAX)),
      )
      for (const delivery of claimed) start(delivery)
      return claimed.length
    },
    whenIdle,
    async stop() {
      stopping.abort(new Error('The service is stopping'))
      await whenIdle()
    },
  }
}

async function deliver(
  deps: DeliveryDeps,
  owner: string,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { tenantId, webhookId } = delivery
  if (!delivery.isEnabled) return await giveUp(deps, owner, delivery)
  const startedMs = performance.now()
  const outcome = await send(deps, delivery, signal)
  // A stop ends the request early: the lease runs out, and another process sends it.
  if (outcome.kind === 'failed' && outcome.reason === 'cancelled') return
  const durationMs = Math.round(performance.now() - startedMs)
  const status = outcome.kind === 'answer' ? outcome.status : null
  const failure = explainFailure(outcome)
  const askedMs =
    outcome.kind === 'answer'
      ? readRetryAfterMs(outcome.headers.get('retry-after'), deps.clock.nowMs())
      : 0
  const pauseMs =
    failure === null || status === GONE
      ? null
      : choosePauseMs(delivery.attempts, askedMs, Math.random())
  await inTransaction(deps.db, async (tx) => {
    const isOurs = await recordAttempt(tx, owner, delivery, {
      durationMs,
      status,
      failure,
      pauseMs,
    })
    if (isOurs && status === GONE) await switchOff(tx, tenantId, webhookId)
  })
  const state = chooseState(failure, pauseMs)
  deps.count.inc({ outcome: state === 'waiting' ? 'postponed' : state })
}

/** A replay sends it, once the webhook is on again. */
async function giveUp(
  { db, count }: DeliveryDeps,
  owner: string,
  delivery: ClaimedDelivery,
): Promise<void> {
  const failure = 'The webhook was switched off before this was sent.'
  await inTransaction(db, (tx) =>
    recordAttempt(tx, owner, delivery, { durationMs: 0, status: null, failure, pauseMs: null }),
  )
  count.inc({ outcome: 'dead' })
}

async function switchOff(tx: Tx, tenantId: string, webhookId: string): Promise<void> {
  const reason = 'Its receiver answered 410 Gone, which asks to send no more.'
  await disableWebhook(tx, { tenantId }, webhookId, reason)
}

async function send(
  deps: DeliveryDeps,
  { tenantId, webhookId, id, url, body }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<OutboundOutcome> {
  const nowMs = deps.clock.nowMs()
  const secrets = await findSigningSecrets(deps.db, deps.secrets, { tenantId }, webhookId, nowMs)
  return await deps.outbound.request({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Casework',
      ...signMessage({ id: `msg_${id}`, atMs: nowMs, body }, secrets),
    },
    body,
    purpose: 'webhook',
    timeoutMs: TIMEOUT_MS,
    maxBytes: ANSWER_BYTES_MAX,
    redirectsMax: 0,
    allowHttp: mayUsePlainHttp(url, deps.allow),
    signal,
  })
}

function explainFailure(outcome: OutboundOutcome): string | null {
  if (outcome.kind !== 'answer') return explainToTenant(outcome)
  const { status } = outcome
  return status >= 200 && status < 300 ? null : `The receiver answered with status ${status}.`
}

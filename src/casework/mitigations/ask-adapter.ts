// One request to an adapter: signed as Standard Webhooks has it, with the key of the mitigation, by
// which the adapter acts once however often it is asked.

import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import { mayUsePlainHttp } from '../../kernel/outbound/check-target.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import {
  explainToTenant,
  type OutboundAnswer,
  type OutboundOutcome,
} from '../../kernel/outbound/outbound-outcome.ts'
import { readRetryAfterMs } from '../../kernel/outbound/retry-after.ts'
import { isSigningSecret, signMessage } from '../../kernel/outbound/sign-message.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { isJsonObject, isStorableText } from '../../values/json-value.ts'
import { omitNulls } from '../../values/omit-nulls.ts'
import { findSecret, TENANT_SECRETS } from '../secrets/secret-store.ts'
import type { AttemptResult, ClaimedMitigation } from './mitigation-attempt-store.ts'

export interface AskDeps {
  readonly db: Db
  readonly clock: Clock
  readonly outbound: Outbound
  readonly allow: AllowList
  readonly secrets: SecretCipher
}

export interface AdapterAnswer {
  readonly outcome: AttemptResult
  readonly status: number | null
  /** One public sentence; null for a success. */
  readonly failure: string | null
  /** The adapter asked for this pause at least; 0 when it did not. */
  readonly askedMs: number
  /** In the words of the adapter. */
  readonly detail: string | null
  /** The adapter's own id for it. */
  readonly reference: string | null
}

const TIMEOUT_MS = 20_000
const ANSWER_BYTES_MAX = 65_536
const DETAIL_LENGTH_MAX = 500
const REFERENCE_LENGTH_MAX = 200
const ACCEPTED = 202
// Statuses of trouble that may be over at the next attempt, as all from 500 on: RFC 9110 sections
// 15.5.9 and 15.6, RFC 8470, RFC 6585.
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])
// At an undo: the adapter has nothing to undo any more.
const GONE: ReadonlySet<number> = new Set([404, 410])

/** Null when `signal` ended the request: nothing is known of it. */
export async function askAdapter(
  deps: AskDeps,
  one: ClaimedMitigation,
  signal: AbortSignal,
): Promise<AdapterAnswer | null> {
  const { tenantId, url, secretName: name } = one
  const place = { owner: TENANT_SECRETS, name }
  const secret = await findSecret(deps.db, deps.secrets, { tenantId }, place)
  if (secret === null || !isSigningSecret(secret)) {
    return postpone(null, `The secret ${name} is missing or cannot sign; nothing was sent.`, 0)
  }
  const key = one.action === 'execute' ? one.effectKey : `${one.effectKey}:undo`
  const atMs = deps.clock.nowMs()
  const body = JSON.stringify(describeRequest(one, key))
  const outcome = await deps.outbound.request({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Casework',
      'idempotency-key': key,
      ...signMessage({ id: key, atMs, body }, [secret]),
    },
    body,
    purpose: 'mitigation',
    timeoutMs: TIMEOUT_MS,
    maxBytes: ANSWER_BYTES_MAX,
    redirectsMax: 0,
    allowHttp: mayUsePlainHttp(url, deps.allow),
    signal,
  })
  return classify(outcome, one, atMs)
}

// The same at every attempt: only the time of the signature differs.
function describeRequest(one: ClaimedMitigation, key: string): object {
  return {
    type: `mitigation.${one.action}`,
    timestamp: one.createdAt.toISOString(),
    data: omitNulls({
      tenant_id: one.tenantId,
      mitigation_id: one.id,
      key,
      case_id: one.caseId,
      customer_id: one.customerId,
      kind: one.kind,
      target_type: one.targetType,
      target: one.target,
      port: one.port === 0 ? null : one.port,
      parameters: one.parameters,
      reference: one.action === 'undo' ? one.reference : null,
      ...(one.action === 'undo'
        ? { expires_at: null, duration_seconds: null }
        : {
            expires_at: one.expiresAt?.toISOString() ?? null,
            duration_seconds: one.durationSeconds,
          }),
    }),
  }
}

function postpone(status: number | null, failure: string, askedMs: number): AdapterAnswer {
  return { outcome: 'postponed', status, failure, askedMs, detail: null, reference: null }
}

function classify(
  outcome: OutboundOutcome,
  { action }: ClaimedMitigation,
  nowMs: number,
): AdapterAnswer | null {
  if (outcome.kind === 'failed' && outcome.reason === 'cancelled') return null
  // A name may resolve to another address later, and the operator may open a target.
  if (outcome.kind !== 'answer') return postpone(null, explainToTenant(outcome), 0)
  const { status, headers } = outcome
  const askedMs = readRetryAfterMs(headers.get('retry-after'), nowMs)
  const sentence = `The adapter answered with status ${status}.`
  if (PASSING.has(status) || status >= 500) return postpone(status, sentence, askedMs)
  const words = readWords(outcome)
  const isDone = (status >= 200 && status < 300) || (action === 'undo' && GONE.has(status))
  if (!isDone) return { outcome: 'refused', status, failure: sentence, askedMs, ...words }
  const result = status === ACCEPTED ? 'accepted' : 'done'
  return { outcome: result, status, failure: null, askedMs, ...words }
}

/** `detail` and `reference` of a JSON answer; anything else is passed over. */
function readWords({ body }: OutboundAnswer): Pick<AdapterAnswer, 'detail' | 'reference'> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (!isJsonObject(value)) return { detail: null, reference: null }
    const [detail, reference] = [readText(value['detail']), readText(value['reference'])]
    return {
      detail: detail?.slice(0, DETAIL_LENGTH_MAX).toWellFormed() ?? null,
      // A reference that was cut would name something else.
      reference: reference !== null && reference.length <= REFERENCE_LENGTH_MAX ? reference : null,
    }
  } catch {
    return { detail: null, reference: null }
  }
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && isStorableText(value) ? value : null
}

// A webhook: the types of messages, its secret, and the signature of a message as Standard Webhooks
// (github.com/standard-webhooks/standard-webhooks, spec 1.0.0) has it.

import { createHmac, randomBytes } from 'node:crypto'
import type { MessageType } from './webhook-wire.ts'

/** What a change must be to be told; null lets all through. */
export interface WebhookFilter {
  readonly types: readonly string[]
  readonly caseGroups: readonly string[] | null
  readonly customers: readonly string[] | null
  readonly eventTypes: readonly string[] | null
}

/** What a filter looks at. A report has neither group, customer nor event types of its own. */
export interface FilteredChange {
  readonly type: MessageType
  readonly caseGroup: string | null
  readonly customer: string | null
  readonly eventTypes: readonly string[]
}

export function passesFilter(filter: WebhookFilter, change: FilteredChange): boolean {
  const { caseGroups, customers, eventTypes } = filter
  if (!filter.types.includes(change.type)) return false
  if (caseGroups !== null && !caseGroups.includes(change.caseGroup ?? '')) return false
  if (customers !== null && !customers.includes(change.customer ?? '')) return false
  return eventTypes === null || change.eventTypes.some((type) => eventTypes.includes(type))
}

const SECRET_PREFIX = 'whsec_'
// The specification asks for 24 to 64 bytes.
const SECRET_BYTES = 32

/** The text of a new secret, as receivers configure it. */
export function createWebhookSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

export interface Message {
  readonly id: string
  readonly atMs: number
  readonly body: string
}

/** The three headers of a message, signed with each of the secrets, the newest first. */
export function signMessage(
  { id, atMs, body }: Message,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(atMs / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
// After each failed attempt; together 3 days and 5 hours. The specification asks for several days.
const PAUSES_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const

/**
 * How long to wait after so many failed attempts; null when it was the last. The receiver may ask
 * for longer, up to a day. `jitter` from 0 to 1 spreads deliveries that failed together.
 */
export function choosePauseMs(attempts: number, askedMs: number, jitter: number): number | null {
  const pauseMs = PAUSES_MS[attempts - 1]
  if (pauseMs === undefined) return null
  return Math.max(Math.min(askedMs, 24 * HOUR_MS), pauseMs * (1 + jitter / 5))
}

/** `Retry-After` in ms; 0 without one, and for a date that has passed. RFC 9110 section 10.2.3. */
export function readRetryAfterMs(value: string | undefined, nowMs: number): number {
  if (value === undefined) return 0
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs)
}

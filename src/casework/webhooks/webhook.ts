// A webhook: which changes it is told, and when a delivery that failed is tried again.

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

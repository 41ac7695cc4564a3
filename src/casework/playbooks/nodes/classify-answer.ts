// What the answer of another system means for the node that called it.

import type { OutboundAnswer, OutboundOutcome } from '../../../kernel/outbound/outbound-outcome.ts'
import { readRetryAfterMs } from '../../../kernel/outbound/retry-after.ts'
import type { CallOutcome } from '../node-kind.ts'

// Statuses that may pass: RFC 9110 sections 15.5.9 and 15.6, RFC 8470, RFC 6585.
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

/** `succeed` gives the outcome of a status of 2xx. */
export function classifyAnswer(
  outcome: OutboundOutcome,
  nowMs: number,
  succeed: (answer: OutboundAnswer) => CallOutcome,
): CallOutcome {
  if (outcome.kind === 'refused') {
    return { kind: 'refused', reason: 'request_refused', output: { cause: outcome.reason } }
  }
  if (outcome.kind === 'failed') {
    return { kind: 'retry', reason: 'not_reached', output: { cause: outcome.reason } }
  }
  const { status, headers } = outcome
  if (status >= 200 && status < 300) return succeed(outcome)
  if (!PASSING.has(status) && status < 500) {
    return { kind: 'refused', reason: 'status_refused', output: { status } }
  }
  const afterMs = readRetryAfterMs(headers.get('retry-after'), nowMs)
  return { kind: 'retry', reason: 'status_trouble', output: { status }, afterMs }
}

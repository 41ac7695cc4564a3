// Reads what a caller asks for: how long, and until when a mitigation is in force.

import { parseDuration } from '../../values/duration.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { parseInstant } from '../../values/timestamp.ts'

export interface Validity {
  readonly durationSeconds: number | null
  readonly expiresAt: Date | null
}

// Three years, as for every wait of a playbook.
const SECONDS_MAX = 94_608_000

/** Without both members it is in force until somebody undoes it. */
export function readValidity(
  {
    expires_in: duration,
    expires_at: until,
  }: { readonly expires_in?: number | string; readonly expires_at?: string },
  nowMs: number,
): Validity | FieldProblem {
  if (duration !== undefined && until !== undefined) {
    return { path: '/expires_at', reason: 'cannot stand beside expires_in' }
  }
  if (duration !== undefined) {
    const seconds = typeof duration === 'string' ? parseDuration(duration) : duration
    if (seconds === null || seconds < 1 || seconds > SECONDS_MAX) {
      const reason = 'must be seconds or an ISO 8601 duration, between 1 second and 3 years'
      return { path: '/expires_in', reason }
    }
    return { durationSeconds: seconds, expiresAt: null }
  }
  if (until === undefined) return { durationSeconds: null, expiresAt: null }
  const atMs = parseInstant(until)
  if (atMs === null || atMs <= nowMs || atMs > nowMs + SECONDS_MAX * 1_000) {
    return { path: '/expires_at', reason: 'must be a time from now on, within 3 years' }
  }
  return { durationSeconds: null, expiresAt: new Date(atMs) }
}

// The job of the audit log: signs the ends of chains, and tells whether that works.

import type { Registry } from 'prom-client'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import type { Readiness, ReadinessFinding } from '../../kernel/readiness.ts'
import { createSigningGauge } from './audit-metrics.ts'
import { SIGN_AFTER_MS, type SignChainsDeps, signChains } from './sign-chains.ts'

export interface KeepAuditLogDeps extends SignChainsDeps {
  readonly metrics: Registry
  readonly readiness: Readiness
}

// The job runs each minute; a database that was away for a while is no fault of the log.
const LATE_MS = 2 * SIGN_AFTER_MS

/** Call the result each minute. */
export function createAuditKeeper(deps: KeepAuditLogDeps): (signal: AbortSignal) => Promise<void> {
  const { clock, secrets, metrics, readiness } = deps
  const setUnsigned = createSigningGauge(metrics)
  // Of the oldest entry that is not signed.
  let sinceMs: number | null = null
  readiness.add({
    name: 'audit log',
    check: async () =>
      explainAuditLog({
        hasKey: secrets.keyIds.length > 0,
        isLate: sinceMs !== null && clock.nowMs() - sinceMs > LATE_MS,
      }),
  })
  return async (signal) => {
    const unsignedMs = await inInstance('keep the audit log', () => signChains(deps, signal))
    sinceMs = unsignedMs === 0 ? null : clock.nowMs() - unsignedMs
    setUnsigned(unsignedMs)
  }
}

function explainAuditLog({
  hasKey,
  isLate,
}: {
  readonly hasKey: boolean
  readonly isLate: boolean
}): ReadinessFinding {
  if (!hasKey) {
    const detail =
      'Without CASEWORK_SECRET_KEY the audit log keeps no values and is not signed; who did what is in it.'
    return { state: 'off', detail }
  }
  if (isLate) {
    const detail =
      'Entries of the audit log have waited for a signature for hours: run npx casework audit verify.'
    return { state: 'degraded', detail }
  }
  return { state: 'ok', detail: 'The audit log is signed.' }
}

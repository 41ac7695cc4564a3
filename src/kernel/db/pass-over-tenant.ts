// What becomes of a failure while a pass works for one tenant after the other: it is logged, and
// the pass goes on with the next one. A tenant that fails in each pass keeps no other waiting.

import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Log } from '../log.ts'
import { inTenant } from './row-scope.ts'
import { classifyTrouble, type TroubleKind } from './trouble-codes.ts'

// Of the whole database: no tenant can be worked for. The pool that a stop has closed is among
// them, as unreachable.
const TROUBLES_OF_ALL: ReadonlySet<TroubleKind | null> = new Set([
  'unreachable',
  'read_only',
  'disk_full',
])

/**
 * What `work` gives, in the row scope of the tenant; null when it fails, which is logged with
 * `message`. Otherwise as passOverTenant.
 */
export async function workOrPassOver<Value>(
  log: Log,
  { tenantId }: TenantScope,
  message: string,
  work: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await inTenant({ tenantId }, work)
  } catch (error) {
    passOverTenant(log, { tenantId }, message, error)
    return null
  }
}

/**
 * Logs `message` with the error of a tenant. Throws the error when the whole database is in
 * trouble, which ends the pass. Only for work in transactions of the tenant's own: PostgreSQL takes
 * no further statement in a transaction that has failed.
 */
export function passOverTenant(
  log: Log,
  { tenantId }: TenantScope,
  message: string,
  error: unknown,
): void {
  if (TROUBLES_OF_ALL.has(classifyTrouble(error))) throw error
  log.warn(message, { tenant_id: tenantId, error: String(error) })
}

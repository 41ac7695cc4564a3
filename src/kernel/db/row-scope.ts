// Whose rows the running code may see: one tenant's, or those of all tenants for a named act
// (instance-acts.ts). watched-client.ts gives it to PostgreSQL with each statement, and row level
// security holds it (docs/decisions/0016-row-level-security.md). Without a scope there are no rows.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { TenantScope } from '../../vocabulary/caller.ts'

/** The setting that the policies read. */
export const ROW_SCOPE_SETTING = 'casework.tenant_id'
/** Its value for an act of the instance; no tenant can be called so (access/tenant-store.ts). */
const ALL_TENANTS = '*'

const scopes = new AsyncLocalStorage<string>()

/**
 * Statements of `work` see the rows of this tenant only, whatever scope the caller has. What `work`
 * starts and leaves running keeps the scope.
 */
export function inTenant<Result>({ tenantId }: TenantScope, work: () => Result): Result {
  // Else a statement of one tenant would see all of them.
  if (tenantId === ALL_TENANTS) throw new TypeError('no tenant is called so')
  return scopes.run(tenantId, work)
}

/** For `inInstance` alone, which says why. */
export function inAllTenants<Result>(work: () => Result): Result {
  return scopes.run(ALL_TENANTS, work)
}

/** The same from here to the end of the process: for tests, which look at what was stored. */
export function enterAllTenants(): void {
  scopes.enterWith(ALL_TENANTS)
}

/** For what outlives its caller, such as a loop that the first request of a tenant starts. */
export function outsideScopes<Result>(work: () => Result): Result {
  return scopes.exit(work)
}

/** The value of the setting for a statement that is sent now; null for none. */
export function readRowScope(): string | null {
  return scopes.getStore() ?? null
}

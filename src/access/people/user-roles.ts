// The roles of a user in a tenant: which scopes they give, and who may grant them.

import type { Caller } from '../../vocabulary/caller.ts'
import { ROLE_NAMES, ROLE_SCOPES } from '../../vocabulary/scopes.ts'
import { grantBeyondOwn } from '../errors.ts'
import type { RoleDirectory } from '../roles/role-directory.ts'

/** The scopes of shipped roles and of those of the tenant. */
export type ScopesOfRoles = RoleDirectory['scopesOf']

/** The shipped roles whose holder administers the instance. */
export const ADMINISTRATOR_ROLES: readonly string[] = ROLE_NAMES.filter((role) => {
  const scopes: readonly string[] = ROLE_SCOPES[role]
  return scopes.includes('instance:admin')
})

/**
 * Throws 403 when the roles hold a scope that the caller lacks. It is asked before a user who has
 * them is changed.
 */
export function assertHoldsRoles(
  caller: Caller,
  scopesOfRoles: ScopesOfRoles,
  { tenantId, roles }: { readonly tenantId: string; readonly roles: readonly string[] },
): void {
  const missing = scopesOfRoles(tenantId, roles).filter((scope) => !caller.scopes.has(scope))
  if (missing.length > 0) {
    throw grantBeyondOwn(`the roles ${roles.join(', ')} have the scopes ${missing.join(', ')}`)
  }
}

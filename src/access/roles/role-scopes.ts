// The scopes that roles of a tenant grant, as the database has them now.

import type { Db } from '../../kernel/db/database.ts'
import { isRoleName, ROLE_SCOPES, type Scope } from '../../vocabulary/scopes.ts'
import { listRoles } from './role-store.ts'

/** A page of roles holds them all. */
export const TENANT_ROLES_MAX = 100

/**
 * The scopes of these roles together; the names of no role in `unknown`. With `keep` no role of the
 * tenant is changed or deleted before the transaction ends: for who hands one out.
 */
export async function loadRoleScopes(
  db: Db,
  tenantId: string,
  names: readonly string[],
  use: 'read' | 'keep' = 'read',
): Promise<{ readonly scopes: readonly Scope[]; readonly unknown: readonly string[] }> {
  const own = names.every(isRoleName) ? [] : await listRoles(db, tenantId, TENANT_ROLES_MAX, use)
  const found = names.map((name) =>
    isRoleName(name) ? ROLE_SCOPES[name] : own.find((role) => role.name === name)?.scopes,
  )
  return {
    scopes: [...new Set(found.flatMap((scopes) => scopes ?? []))],
    unknown: names.filter((_, index) => found[index] === undefined),
  }
}

// The roles that a person is to get in a tenant, as the database has them now. The roles in memory
// may be a second old, and know deleted ones for longer.

import type { Tx } from '../../kernel/db/database.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { Scope } from '../../vocabulary/scopes.ts'
import { loadRoleScopes } from '../roles/role-scopes.ts'

/**
 * None of these roles is changed or deleted before the transaction ends. The scopes that they give
 * together, and a problem for each name of no role.
 */
export async function keepRoles(
  tx: Tx,
  { tenantId, roles }: { readonly tenantId: string; readonly roles: readonly string[] },
): Promise<{ readonly scopes: readonly Scope[]; readonly problems: readonly FieldProblem[] }> {
  const { scopes, unknown } = await loadRoleScopes(tx, tenantId, roles, 'keep')
  const problems = roles.flatMap((role, index) =>
    unknown.includes(role) ? [{ path: `/roles/${index}`, reason: 'is no role' }] : [],
  )
  return { scopes, problems }
}

// DELETE /beta/admin/tokens/{tokenId}: the token is refused from now on here, and within a second
// on every other node.

import { Type } from 'typebox'
import { type Db, inTransaction } from '../kernel/db/database.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import { administeredTenant } from './admin-scope.ts'
import { requireCaller } from './admit-request.ts'
import { findLiveToken, revokeToken } from './api-token-store.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { grantBeyondOwn, lastAdministratorToken, tokenNotFound } from './errors.ts'
import { listGranted, type RoleDirectory } from './roles/role-directory.ts'

export interface RevokeTokenDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly scopesOfRoles: RoleDirectory['scopesOf']
  /** Makes the change known to this process at once. */
  readonly refreshTokens: () => Promise<void>
}

export function revokeTokenRoute({
  db,
  audit,
  scopesOfRoles,
  refreshTokens,
}: RevokeTokenDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/admin/tokens/{tokenId}',
    group: 'admin',
    access: { kind: 'scope', scope: 'tokens:manage' },
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description: 'Requests with this token are refused within a second, on every node.',
    params: Type.Object({ tokenId: Type.String() }),
    query: Type.Object(
      {
        force: Type.Optional(
          Type.Boolean({
            description: 'Revokes the last token that administers the instance too.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    unknownQuery: 'refused',
    responses: {
      204: { description: 'It is revoked.' },
      404: { description: 'There is no live token of this id.' },
      409: { description: 'It is the last one that administers the instance.' },
    },
    async handle({ caller: presented, params, query }) {
      const caller = requireCaller(presented)
      const tenantId = administeredTenant(caller)
      const token = await findLiveToken(db, params.tokenId, tenantId)
      if (token === null) throw tokenNotFound()
      // Else an administrator of a tenant could lock out the operator of the instance, whose token
      // belongs to a tenant as well.
      const missing = listGranted(token, scopesOfRoles).filter((scope) => !caller.scopes.has(scope))
      if (missing.length > 0) throw grantBeyondOwn(`the scopes ${missing.join(', ')} of this token`)
      await inTransaction(db, async (tx) => {
        const isForced = query.force === true
        const outcome = await revokeToken(tx, { id: token.id, tenantId, isForced })
        if (outcome === 'absent') throw tokenNotFound()
        if (outcome === 'last') throw lastAdministratorToken()
        await audit.record(tx, 'token.revoke', { tenantId: token.tenantId, id: token.id })
      })
      await refreshTokens()
      return { status: 204 }
    },
  })
}

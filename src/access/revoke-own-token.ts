// DELETE /beta/whoami: a login of the command line ends. Its person needs no right to manage
// tokens for that.

import { type Db, inTransaction } from '../kernel/db/database.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import { requireCaller } from './admit-request.ts'
import { findLiveToken, revokeToken } from './api-token-store.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { tokenNotFound } from './errors.ts'

export interface RevokeOwnTokenDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly refreshTokens: () => Promise<void>
}

export function revokeOwnTokenRoute({ db, audit, refreshTokens }: RevokeOwnTokenDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/whoami',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'revokeOwnToken',
    summary: 'Revoke the token of a login',
    description:
      'Revokes the presented token when a login made it. Other tokens are revoked by who manages tokens, and a session ends by DELETE /beta/session.',
    responses: {
      204: { description: 'It is revoked.' },
      404: { description: 'The request came with a session, or with a token that no login made.' },
    },
    async handle({ caller: presented }) {
      const { tokenId: id, tenantId } = requireCaller(presented)
      await inTransaction(db, async (tx) => {
        const token = await findLiveToken(tx, id, tenantId)
        if (token?.isPersonal !== true) throw tokenNotFound()
        // The person signs in anew, so it is never the last way in.
        const outcome = await revokeToken(tx, { id, tenantId, isForced: true })
        if (outcome !== 'revoked') throw tokenNotFound()
        await audit.record(tx, 'token.revoke', { tenantId, id })
      })
      await refreshTokens()
      return { status: 204 }
    },
  })
}

// POST /beta/admin/tokens/{tokenId}/rotate: a new secret for the same token. The former one stays
// good for an overlap, so that a program can be given the new one without a gap.

import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Clock } from '../kernel/clock.ts'
import { type Db, inTransaction } from '../kernel/db/database.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import type { Caller } from '../vocabulary/caller.ts'
import { administeredTenant } from './admin-scope.ts'
import { requireCaller } from './admit-request.ts'
import { findLiveToken, rotateToken, type TokenRecord } from './api-token-store.ts'
import { CreatedApiToken, presentToken, TokenRotation } from './api-token-wire.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { tokenNotFound, tokenNotValid, tokenOfSetting } from './errors.ts'
import { loadRoleScopes } from './roles/role-scopes.ts'
import { assertEndsWith, assertHolds, END_WRONG, readTokenEnd } from './token-grant.ts'
import { createTokenText, hashToken } from './token-text.ts'

const OVERLAP_DEFAULT_SECONDS = 86_400

export interface RotateTokenDeps {
  readonly db: Db
  readonly clock: Clock
  readonly audit: AuditLog
  /** Makes the change known to this process at once. */
  readonly refreshTokens: () => Promise<void>
}

export function rotateTokenRoute({ db, clock, audit, refreshTokens }: RotateTokenDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/tokens/{tokenId}/rotate',
    group: 'admin',
    access: { kind: 'scope', scope: 'tokens:manage' },
    operationId: 'rotateToken',
    idempotency: 'sealed',
    summary: 'Give a token a new secret',
    description:
      'The new secret is good at once, and the former one for `overlap_seconds` more. Id, scopes and use stay. A secret from before the former one ends now.',
    params: Type.Object({ tokenId: Type.String() }),
    body: TokenRotation,
    responses: {
      200: { description: 'The token with its new secret.', schema: CreatedApiToken },
      404: { description: 'There is no live token of this id.' },
      409: { description: 'Its value is a setting of the server.' },
    },
    async handle({ caller: presented, params, body }) {
      const caller = requireCaller(presented)
      const tenantId = administeredTenant(caller)
      const nowMs = clock.nowMs()
      const { text, shown } = await inTransaction(db, async (tx) => {
        const token = await findLiveToken(tx, params.tokenId, tenantId)
        if (token === null || isExpired(token, nowMs)) throw tokenNotFound()
        if (token.isBootstrap) throw tokenOfSetting()
        const { scopes } = await loadRoleScopes(tx, token.tenantId, token.roles)
        const granted = [...new Set([...scopes, ...token.scopes])]
        assertHolds(caller, granted)
        const expiresAt = readEnd(caller, token, body.expires_at, nowMs)
        const secret = createTokenText(granted.includes('instance:admin') ? 'admin' : 'api')
        const rotated = await rotateToken(tx, {
          id: token.id,
          tokenHash: hashToken(secret),
          overlapSeconds: body.overlap_seconds ?? OVERLAP_DEFAULT_SECONDS,
          expiresAt,
        })
        if (rotated === null) throw tokenNotFound()
        const after = presentToken(rotated, granted, nowMs)
        await audit.record(tx, 'token.rotate', {
          tenantId: token.tenantId,
          id: token.id,
          before: presentToken(token, granted, nowMs),
          after,
        })
        return { text: secret, shown: after }
      })
      await refreshTokens()
      return { status: 200, json: { ...shown, token: text } }
    },
  })
}

function isExpired({ expiresAt }: TokenRecord, nowMs: number): boolean {
  return expiresAt !== null && expiresAt.getTime() <= nowMs
}

/** As long a life as it had, when it is left out; never beyond that of the caller. */
function readEnd(
  caller: Caller,
  token: TokenRecord,
  text: Static<typeof TokenRotation>['expires_at'],
  nowMs: number,
): Date | null {
  const bornMs = (token.rotatedAt ?? token.createdAt).getTime()
  const lifetimeMs = token.expiresAt === null ? null : token.expiresAt.getTime() - bornMs
  const end = readTokenEnd(text, { nowMs, callerEnd: caller.expiresAt, lifetimeMs })
  if (end === 'wrong') throw tokenNotValid([END_WRONG])
  assertEndsWith(caller, end)
  return end
}

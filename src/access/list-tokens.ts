// GET /beta/admin/tokens: the tokens of the caller's tenant, of every tenant for the operator of
// the instance. No secret is in it.

import { Type } from 'typebox'
import type { Clock } from '../kernel/clock.ts'
import type { Db } from '../kernel/db/database.ts'
import type { CursorSealer } from '../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../vocabulary/page-wire.ts'
import { administeredTenant, readAdminPage } from './admin-scope.ts'
import { requireCaller } from './admit-request.ts'
import { listTokens } from './api-token-store.ts'
import { ApiTokenPage, presentToken } from './api-token-wire.ts'
import { listGranted, type RoleDirectory } from './roles/role-directory.ts'

export interface ListTokensDeps {
  readonly db: Db
  readonly clock: Clock
  readonly cursors: CursorSealer
  readonly scopesOfRoles: RoleDirectory['scopesOf']
}

export function listTokensRoute({ db, clock, cursors, scopesOfRoles }: ListTokensDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/tokens',
    group: 'admin',
    access: { kind: 'scope', scope: 'tokens:manage' },
    operationId: 'listTokens',
    summary: 'List tokens',
    description: 'The tokens of a tenant. The secret part is never shown.',
    query: Type.Object({
      limit: PAGE_PARAMETERS.limit,
      cursor: PAGE_PARAMETERS.cursor,
    }),
    responses: { 200: { description: 'One page of tokens.', schema: ApiTokenPage } },
    async handle({ caller, query }) {
      const tenantId = administeredTenant(requireCaller(caller))
      const page = await readAdminPage(
        cursors,
        ['tokens', tenantId === null ? 'all' : `tenant ${tenantId}`],
        query,
        {
          load: (after, limit) => listTokens(db, { tenantId, after, limit }),
          positionOf: (token) => [token.createdAt.toISOString(), token.id],
        },
      )
      const nowMs = clock.nowMs()
      return {
        status: 200,
        json: {
          items: page.rows.map((token) => {
            const scopes = listGranted(token, scopesOfRoles)
            return presentToken(token, scopes, nowMs)
          }),
          next_cursor: page.nextCursor,
        },
      }
    },
  })
}

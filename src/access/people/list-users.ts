// GET /beta/admin/users and /beta/admin/users/{userId}: the users of the caller's tenant, of every
// tenant for the operator of the instance.

import { Type } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { administeredTenant, readAdminPage } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import { loadVisible } from './load-user.ts'
import { listUsers } from './user-store.ts'
import { presentUser, User, UserPage } from './user-wire.ts'

export interface ListUsersDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

export function listUsersRoute({ db, cursors }: ListUsersDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/users',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'listUsers',
    summary: 'List users',
    description: 'The people who work for a tenant, the newest first.',
    query: Type.Object({
      limit: PAGE_PARAMETERS.limit,
      cursor: PAGE_PARAMETERS.cursor,
    }),
    responses: { 200: { description: 'One page of users.', schema: UserPage } },
    async handle({ caller, query }) {
      const tenantId = administeredTenant(requireCaller(caller))
      const page = await readAdminPage(
        cursors,
        ['users', tenantId === null ? 'all' : `tenant ${tenantId}`],
        query,
        {
          load: (after, limit) => listUsers(db, { tenantId, after, limit }),
          positionOf: (user) => [user.createdAt.toISOString(), user.id],
        },
      )
      const items = page.rows.map((user) => presentUser(user, tenantId))
      return { status: 200, json: { items, next_cursor: page.nextCursor } }
    },
  })
}

export function getUserRoute({ db }: Pick<ListUsersDeps, 'db'>): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/users/{userId}',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'getUser',
    summary: 'Get a user',
    params: Type.Object({ userId: Type.String() }),
    responses: {
      200: { description: 'The user.', schema: User },
      404: { description: 'There is no such user, or they work for another tenant.' },
    },
    async handle({ caller: presented, params }) {
      const caller = requireCaller(presented)
      const user = await loadVisible(db, caller, params.userId)
      return { status: 200, json: presentUser(user, administeredTenant(caller)) }
    },
  })
}

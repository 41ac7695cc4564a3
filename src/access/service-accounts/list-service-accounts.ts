// GET /beta/admin/service-accounts and /{serviceAccountId}.

import { Type } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { chooseTenant, readAdminPage, TENANT_PARAMETER } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import { serviceAccountNotFound } from '../errors.ts'
import { findServiceAccount, listServiceAccounts } from './service-account-store.ts'
import {
  presentServiceAccount,
  ServiceAccount,
  ServiceAccountPage,
} from './service-account-wire.ts'

const READ = { kind: 'scope', scope: 'tokens:manage' } as const

export interface ListServiceAccountsDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

export function listServiceAccountsRoute({ db, cursors }: ListServiceAccountsDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/service-accounts',
    group: 'admin',
    access: READ,
    operationId: 'listServiceAccounts',
    summary: 'List service accounts',
    description: 'The programs of the tenant that own tokens, by id.',
    query: Type.Object({
      tenant_id: TENANT_PARAMETER,
      limit: PAGE_PARAMETERS.limit,
      cursor: PAGE_PARAMETERS.cursor,
    }),
    responses: { 200: { description: 'One page.', schema: ServiceAccountPage } },
    async handle({ caller, query }) {
      const tenantId = chooseTenant(requireCaller(caller), query.tenant_id)
      const page = await readAdminPage(cursors, ['service accounts', tenantId], query, {
        load: (after, limit) => listServiceAccounts(db, tenantId, after?.[0] ?? null, limit),
        positionOf: ({ id }) => [id],
      })
      const items = page.rows.map(presentServiceAccount)
      return { status: 200, json: { items, next_cursor: page.nextCursor } }
    },
  })
}

export function getServiceAccountRoute({ db }: Pick<ListServiceAccountsDeps, 'db'>): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/service-accounts/{serviceAccountId}',
    group: 'admin',
    access: READ,
    operationId: 'getServiceAccount',
    summary: 'Get a service account',
    description: 'A program of the tenant that owns tokens.',
    params: Type.Object({ serviceAccountId: Type.String() }),
    query: Type.Object({ tenant_id: TENANT_PARAMETER }),
    responses: {
      200: { description: 'The service account.', schema: ServiceAccount },
      404: { description: 'There is no such service account.' },
    },
    async handle({ caller, params, query }) {
      const tenantId = chooseTenant(requireCaller(caller), query.tenant_id)
      const account = await findServiceAccount(db, tenantId, params.serviceAccountId)
      if (account === null) throw serviceAccountNotFound()
      return { status: 200, json: presentServiceAccount(account) }
    },
  })
}

// GET /beta/admin/tenants: the tenants of this instance, by id.

import { Type } from 'typebox'
import type { Db } from '../kernel/db/database.ts'
import type { CursorSealer } from '../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../vocabulary/page-wire.ts'
import { readAdminPage } from './admin-scope.ts'
import { listTenants } from './tenant-store.ts'
import { presentTenant, TenantPage } from './tenant-wire.ts'

export function listTenantsRoute({
  db,
  cursors,
}: {
  readonly db: Db
  readonly cursors: CursorSealer
}): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/tenants',
    group: 'admin',
    access: { kind: 'scope', scope: 'instance:admin' },
    operationId: 'listTenants',
    summary: 'List tenants',
    description: 'The tenants of this instance.',
    query: Type.Object({ limit: PAGE_PARAMETERS.limit, cursor: PAGE_PARAMETERS.cursor }),
    responses: { 200: { description: 'One page of tenants.', schema: TenantPage } },
    async handle({ query }) {
      const page = await readAdminPage(cursors, ['tenants'], query, {
        load: (after, limit) => listTenants(db, after?.[0] ?? null, limit),
        positionOf: (tenant) => [tenant.id],
      })
      return {
        status: 200,
        json: { items: page.rows.map(presentTenant), next_cursor: page.nextCursor },
      }
    },
  })
}

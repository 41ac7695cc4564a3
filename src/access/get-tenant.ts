// GET /beta/admin/tenants/{tenantId}: a tenant with its settings.

import { Type } from 'typebox'
import { defineRoute, type Route, requireCaller } from '../kernel/http/route.ts'
import { type Admin, administeredTenant } from './admin-scope.ts'
import { tenantNotFound } from './errors.ts'
import { presentTenant } from './present-tenant.ts'
import { findTenant } from './tenant-store.ts'
import { Tenant } from './tenant-wire.ts'

export function getTenantRoute({ foundation }: Admin): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/tenants/{tenantId}',
    group: 'admin',
    access: { kind: 'scope', scope: 'tenant:admin' },
    operationId: 'getTenant',
    summary: 'Get one tenant',
    params: Type.Object({ tenantId: Type.String() }),
    responses: {
      200: { description: 'The tenant.', schema: Tenant },
      404: { description: 'There is no such tenant, or it is not yours.' },
    },
    async handle({ caller, params }) {
      const own = administeredTenant(requireCaller(caller))
      const isVisible = own === null || own === params.tenantId
      const tenant = isVisible
        ? await findTenant(foundation.database.kysely, params.tenantId)
        : null
      if (tenant === null) throw tenantNotFound()
      return { status: 200, json: presentTenant(tenant) }
    },
  })
}

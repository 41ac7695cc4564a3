// GET /beta/admin/tenants/{tenantId}: a tenant with its settings.

import { Type } from 'typebox'
import type { Db } from '../kernel/db/database.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import { administeredTenant } from './admin-scope.ts'
import { requireCaller } from './admit-request.ts'
import { tenantNotFound } from './errors.ts'
import { findTenant } from './tenant-store.ts'
import { presentTenant, Tenant } from './tenant-wire.ts'

export function getTenantRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/tenants/{tenantId}',
    group: 'admin',
    access: { kind: 'scope', scope: 'tenant:admin' },
    operationId: 'getTenant',
    summary: 'Get a tenant',
    description: 'The tenant with its settings.',
    params: Type.Object({ tenantId: Type.String() }),
    responses: {
      200: { description: 'The tenant.', schema: Tenant },
      404: { description: 'There is no such tenant, or it is not yours.' },
    },
    async handle({ caller, params }) {
      const own = administeredTenant(requireCaller(caller))
      const isVisible = own === null || own === params.tenantId
      const tenant = isVisible ? await findTenant(db, params.tenantId) : null
      if (tenant === null) throw tenantNotFound()
      return { status: 200, json: presentTenant(tenant) }
    },
  })
}

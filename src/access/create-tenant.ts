// POST /beta/admin/tenants: a new tenant. Its first token is made with POST /beta/admin/tokens and
// its id.

import type { Db } from '../kernel/db/database.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import { tenantTaken } from './errors.ts'
import { insertTenant } from './tenant-store.ts'
import { NewTenant, presentTenant, Tenant } from './tenant-wire.ts'

export function createTenantRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/tenants',
    group: 'admin',
    access: { kind: 'scope', scope: 'instance:admin' },
    operationId: 'createTenant',
    summary: 'Create a tenant',
    description: 'Creates a tenant. Its cases, events and settings are its own.',
    body: NewTenant,
    responses: {
      201: { description: 'The tenant.', schema: Tenant },
      409: { description: 'There is a tenant of this id already.' },
    },
    async handle({ body }) {
      const tenant = await insertTenant(db, body.id, body.name)
      if (tenant === null) throw tenantTaken()
      return { status: 201, json: presentTenant(tenant) }
    },
  })
}

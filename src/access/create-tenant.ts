// POST /beta/admin/tenants: a new tenant. Its first token is made with POST /beta/admin/tokens and
// its id.

import { type Db, inTransaction } from '../kernel/db/database.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { tenantTaken } from './errors.ts'
import { insertTenant } from './tenant-store.ts'
import { NewTenant, presentTenant, Tenant } from './tenant-wire.ts'

export interface CreateTenantDeps {
  readonly db: Db
  readonly audit: AuditLog
}

export function createTenantRoute({ db, audit }: CreateTenantDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/tenants',
    group: 'admin',
    access: { kind: 'scope', scope: 'instance:admin' },
    operationId: 'createTenant',
    idempotency: 'kept',
    summary: 'Create a tenant',
    description: 'Creates a tenant. Its cases, events and settings are its own.',
    body: NewTenant,
    responses: {
      201: { description: 'The tenant.', schema: Tenant },
      409: { description: 'There is a tenant of this id already.' },
    },
    async handle({ body }) {
      const tenant = await inTransaction(db, async (tx) => {
        const made = await insertTenant(tx, body.id, body.name)
        if (made === null) throw tenantTaken()
        await audit.record(tx, 'tenant.create', {
          tenantId: null,
          id: made.id,
          after: presentTenant(made),
        })
        return made
      })
      return { status: 201, json: presentTenant(tenant) }
    },
  })
}

// The only place where a tenant becomes wire JSON.

import type { TenantRecord } from './tenant-store.ts'

export function presentTenant(tenant: TenantRecord) {
  return {
    id: tenant.id,
    name: tenant.name,
    settings: tenant.settings,
    created_at: tenant.createdAt.toISOString(),
  }
}

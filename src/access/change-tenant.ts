// PATCH /beta/admin/tenants/{tenantId}: its name and settings; a setting that is null goes back to
// its default.

import { Type } from 'typebox'
import { type Db, inTransaction } from '../kernel/db/database.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import { administeredTenant } from './admin-scope.ts'
import { requireCaller } from './admit-request.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { tenantNotFound } from './errors.ts'
import type { FactorRule } from './factors/required-factor.ts'
import { holdSessionsOfTenant } from './sessions/session-store.ts'
import {
  lockTenant,
  type TenantPatch as Patch,
  type SharingDefault,
  type TenantRecord,
  updateTenant,
} from './tenant-store.ts'
import { presentTenant, Tenant, TenantPatch } from './tenant-wire.ts'

export interface ChangeTenantDeps extends FactorRule {
  readonly refreshTokens: () => Promise<void>
  readonly db: Db
  readonly audit: AuditLog
  readonly sharing: SharingDefault
}

export function changeTenantRoute(deps: ChangeTenantDeps): Route {
  return defineRoute({
    method: 'PATCH',
    path: '/beta/admin/tenants/{tenantId}',
    group: 'admin',
    access: { kind: 'scope', scope: 'tenant:admin' },
    operationId: 'changeTenant',
    summary: 'Change a tenant',
    description:
      'Changes the name or the settings. A setting that is null goes back to its default.',
    params: Type.Object({ tenantId: Type.String() }),
    body: TenantPatch,
    responses: {
      200: { description: 'The tenant as it is now.', schema: Tenant },
      404: { description: 'There is no such tenant, or it is not yours.' },
    },
    async handle({ caller, params, body }) {
      const own = administeredTenant(requireCaller(caller))
      if (own !== null && own !== params.tenantId) throw tenantNotFound()
      const { name, settings = {} } = body
      const { share_sightings: shareSightings, ...others } = settings
      const patch = { name: name ?? null, settings: { ...others }, shareSightings }
      const tenant = await changeTenant(deps, params.tenantId, patch)
      return { status: 200, json: presentTenant(tenant) }
    },
  })
}

async function changeTenant(
  { db, audit, sharing, secondFactor, refreshTokens }: ChangeTenantDeps,
  id: string,
  patch: Patch,
): Promise<TenantRecord> {
  const changed = await inTransaction(db, async (tx) => {
    const before = await lockTenant(tx, id)
    const after = await updateTenant(tx, id, patch, sharing)
    if (before === null || after === null) throw tenantNotFound()
    await audit.record(tx, 'tenant.change', {
      tenantId: id,
      id,
      before: presentTenant(before),
      after: presentTenant(after),
    })
    // Where the instance requires a factor the setting of a tenant changes nothing.
    const isRequired = isFactorRequired(after)
    if (secondFactor === 'optional' && isRequired !== isFactorRequired(before)) {
      await holdSessionsOfTenant(tx, { tenantId: id, mustEnrol: isRequired })
    }
    return after
  })
  await refreshTokens()
  return changed
}

const isFactorRequired = ({ settings }: TenantRecord): boolean =>
  settings.second_factor_required === true

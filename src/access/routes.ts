// The routes of the administration: the caller itself, tenants and API tokens.

import type { Clock } from '../kernel/clock.ts'
import type { Db } from '../kernel/db/database.ts'
import type { CursorSealer } from '../kernel/http/cursor.ts'
import type { Route } from '../kernel/http/route.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { changeTenantRoute } from './change-tenant.ts'
import { createTenantRoute } from './create-tenant.ts'
import { createTokenRoute } from './create-token.ts'
import { getTenantRoute } from './get-tenant.ts'
import { getWhoamiRoute } from './get-whoami.ts'
import { listTenantsRoute } from './list-tenants.ts'
import { listTokensRoute } from './list-tokens.ts'
import { revokeTokenRoute } from './revoke-token.ts'
import { changeRoleRoute, createRoleRoute, deleteRoleRoute } from './roles/change-roles.ts'
import { getRoleRoute, listRolesRoute } from './roles/list-roles.ts'
import type { RoleDirectory } from './roles/role-directory.ts'
import { rotateTokenRoute } from './rotate-token.ts'
import {
  changeServiceAccountRoute,
  createServiceAccountRoute,
  deleteServiceAccountRoute,
} from './service-accounts/change-service-accounts.ts'
import {
  getServiceAccountRoute,
  listServiceAccountsRoute,
} from './service-accounts/list-service-accounts.ts'
import type { SharingDefault } from './tenant-store.ts'

export interface AccessRoutesDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly clock: Clock
  readonly ids: IdSource
  readonly cursors: CursorSealer
  /** Reads the tokens that changed into the directory of this process. */
  readonly refreshTokens: () => Promise<void>
  readonly scopesOfRoles: RoleDirectory['scopesOf']
  readonly sharing: SharingDefault
}

export function accessRoutes(deps: AccessRoutesDeps): readonly Route[] {
  return [
    getWhoamiRoute(),
    listTenantsRoute(deps),
    createTenantRoute(deps),
    getTenantRoute(deps),
    changeTenantRoute(deps),
    listTokensRoute(deps),
    createTokenRoute(deps),
    revokeTokenRoute(deps),
    rotateTokenRoute(deps),
    listRolesRoute(deps),
    createRoleRoute(deps),
    getRoleRoute(deps),
    changeRoleRoute(deps),
    deleteRoleRoute(deps),
    listServiceAccountsRoute(deps),
    createServiceAccountRoute(deps),
    getServiceAccountRoute(deps),
    changeServiceAccountRoute(deps),
    deleteServiceAccountRoute(deps),
  ]
}

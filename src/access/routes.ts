// The routes of the administration: the caller itself, sign-in, tenants, people and API tokens.

import type { Clock } from '../kernel/clock.ts'
import type { Db } from '../kernel/db/database.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import type { CursorSealer } from '../kernel/http/cursor.ts'
import type { Route } from '../kernel/http/route.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { SecretCipher } from '../kernel/secrets/secret-cipher.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { listAuditRoute } from './audit/list-audit.ts'
import { verifyAuditRoute } from './audit/verify-audit.ts'
import { changeTenantRoute } from './change-tenant.ts'
import { createTenantRoute } from './create-tenant.ts'
import { createTokenRoute } from './create-token.ts'
import { deviceRoutes } from './device/routes.ts'
import { factorRoutes } from './factors/routes.ts'
import { getTenantRoute } from './get-tenant.ts'
import { getWhoamiRoute } from './get-whoami.ts'
import { groupRoutes } from './groups/routes.ts'
import { listTenantsRoute } from './list-tenants.ts'
import { listTokensRoute } from './list-tokens.ts'
import type { ProviderClient } from './oidc/provider-client.ts'
import { providerRoutes } from './oidc/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import type { ScopesOfRoles } from './people/user-roles.ts'
import { revokeOwnTokenRoute } from './revoke-own-token.ts'
import { revokeTokenRoute } from './revoke-token.ts'
import { changeRoleRoute, createRoleRoute, deleteRoleRoute } from './roles/change-roles.ts'
import { getRoleRoute, listRolesRoute } from './roles/list-roles.ts'
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
import { sessionRoutes } from './sessions/routes.ts'
import { chooseCookieNames } from './sessions/session-cookie.ts'
import type { PasswordHasher } from './sign-in/password-hash.ts'
import { signInRoutes } from './sign-in/routes.ts'
import type { SignInMetrics } from './sign-in/sign-in-metrics.ts'
import type { SharingDefault } from './tenant-store.ts'

export interface AccessRoutesDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly secrets: SecretCipher
  readonly clock: Clock
  readonly ids: IdSource
  readonly cursors: CursorSealer
  /** Reads the tokens that changed into the directory of this process. */
  readonly refreshTokens: () => Promise<void>
  readonly scopesOfRoles: ScopesOfRoles
  readonly sharing: SharingDefault
  readonly signIn: SignInSettings
  /** By their ids. */
  readonly providers: ReadonlyMap<string, ProviderClient>
}

export interface SignInSettings {
  /** CASEWORK_PUBLIC_URL. */
  readonly publicUrl: string | null
  readonly readPublicUrl: () => string
  readonly sessionIdleMs: number
  readonly sessionMaxMs: number
  /** Whether there is a relay (CASEWORK_RELAY_URL). */
  readonly sendsMail: boolean
  /** CASEWORK_SECOND_FACTOR. */
  readonly secondFactor: 'optional' | 'required'
  readonly hasher: PasswordHasher
  readonly metrics: SignInMetrics
}

export function accessRoutes({ signIn, ...deps }: AccessRoutesDeps): readonly Route[] {
  const peopleDeps = { ...deps, ...signIn, cookies: chooseCookieNames(signIn.publicUrl) }
  return [
    getWhoamiRoute(deps),
    revokeOwnTokenRoute(deps),
    listTenantsRoute(deps),
    createTenantRoute(deps),
    getTenantRoute(deps),
    changeTenantRoute({ ...deps, ...signIn }),
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
    ...[
      ...signInRoutes(peopleDeps),
      ...deviceRoutes(peopleDeps),
      ...providerRoutes(peopleDeps),
      ...sessionRoutes(peopleDeps),
      ...factorRoutes(peopleDeps),
      ...passkeyRoutes(peopleDeps),
      ...peopleRoutes(peopleDeps),
    ].map(acrossTenants),
    ...groupRoutes(deps),
    listAuditRoute(deps),
    verifyAuditRoute(deps),
  ]
}

/**
 * Accounts of people belong to no tenant, so these handlers see the rows of all of them. Each of
 * their statements about what a tenant owns names that tenant.
 */
function acrossTenants(route: Route): Route {
  return {
    ...route,
    handle: (context) => inInstance('know people', () => route.handle(context)),
  }
}

// POST /beta/admin/tokens: creates a token and shows its secret once. A caller can grant only
// scopes, roles, networks, tenants and a lifetime that it has itself.

import type { Clock } from '../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../kernel/db/database.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { Caller, CallerOwner } from '../vocabulary/caller.ts'
import { requireCaller } from './admit-request.ts'
import { insertToken } from './api-token-store.ts'
import { CreatedApiToken, NewApiToken, presentToken } from './api-token-wire.ts'
import type { AuditLog } from './audit/audit-log.ts'
import { tokenNotValid, tokensTooMany } from './errors.ts'
import { loadRoleScopes } from './roles/role-scopes.ts'
import { lockServiceAccount } from './service-accounts/service-account-store.ts'
import { findTenant } from './tenant-store.ts'
import { assertHolds, readGrant, type TokenGrant } from './token-grant.ts'
import { createTokenText, hashToken } from './token-text.ts'

// A person and a script each need one; a node holds all of them in memory. The operator of the
// instance is not bound by it.
export const TENANT_TOKENS_MAX = 1_000

export interface CreateTokenDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly audit: AuditLog
  /** Makes the change known to this process at once. */
  readonly refreshTokens: () => Promise<void>
}

export function createTokenRoute({ db, clock, ids, audit, refreshTokens }: CreateTokenDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/tokens',
    group: 'admin',
    access: { kind: 'scope', scope: 'tokens:manage' },
    operationId: 'createToken',
    idempotency: 'sealed',
    summary: 'Create a token',
    description: 'Creates a token. The answer is the only place that shows its secret part.',
    body: NewApiToken,
    responses: {
      201: { description: 'The token with its secret.', schema: CreatedApiToken },
      409: { description: 'The tenant has too many live tokens.' },
    },
    async handle({ caller, body }) {
      const maker = requireCaller(caller)
      const grant = readGrant(maker, body, clock.nowMs())
      await assertTenantExists(db, grant.tenantId)
      const id = `tok_${ids.nextUuid().replaceAll('-', '')}`
      const liveMax = maker.scopes.has('instance:admin') ? undefined : TENANT_TOKENS_MAX
      const { text, shown } = await inTransaction(db, async (tx) => {
        const granted = await loadGranted(tx, maker, grant, body.role)
        const owner = await chooseOwner(tx, maker, grant)
        const secret = createTokenText(granted.includes('instance:admin') ? 'admin' : 'api')
        const row = { ...grant, owner, id, tokenHash: hashToken(secret), isBootstrap: false }
        const made = await insertToken(tx, row, liveMax)
        if (made === null) throw tokensTooMany(TENANT_TOKENS_MAX)
        const after = presentToken(made, granted, clock.nowMs())
        await audit.record(tx, 'token.create', { tenantId: made.tenantId, id, after })
        return { text: secret, shown: after }
      })
      await refreshTokens()
      return { status: 201, json: { ...shown, token: text } }
    },
  })
}

/** All scopes of the grant. Throws 400 for a role that is none and 403 for one that is too much. */
async function loadGranted(tx: Tx, maker: Caller, grant: TokenGrant, role: string | undefined) {
  const { scopes, unknown } = await loadRoleScopes(tx, grant.tenantId, grant.roles, 'keep')
  const [wrong] = unknown
  if (wrong !== undefined) {
    const path = wrong === role ? '/role' : '/roles'
    throw tokenNotValid([{ path, reason: `names "${wrong}", which is no role` }])
  }
  assertHolds(maker, scopes)
  return [...new Set([...scopes, ...grant.scopes])]
}

/** The service account that is named, else the owner of the caller. */
async function chooseOwner(
  tx: Tx,
  maker: Caller,
  { tenantId, serviceAccountId: id }: TokenGrant,
): Promise<CallerOwner | null> {
  if (id === null) return maker.owner
  if ((await lockServiceAccount(tx, tenantId, id, 'keep')) === null) {
    throw tokenNotValid([{ path: '/service_account_id', reason: 'is no service account' }])
  }
  return { kind: 'service_account', id }
}

async function assertTenantExists(db: Db, tenantId: string): Promise<void> {
  if ((await findTenant(db, tenantId)) === null) {
    throw tokenNotValid([{ path: '/tenant_id', reason: 'is no tenant of this instance' }])
  }
}

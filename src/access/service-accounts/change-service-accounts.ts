// POST /beta/admin/service-accounts, PATCH and DELETE of one. Its tokens stay whoever comes and
// goes, and end with it.

import { Type } from 'typebox'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { chooseTenant, TENANT_PARAMETER } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import { listGrantsOfServiceAccount } from '../api-token-store.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { cutTokensOfServiceAccount } from '../cut-tokens.ts'
import {
  grantBeyondOwn,
  serviceAccountNotFound,
  serviceAccountsTooMany,
  serviceAccountTaken,
  tenantNotFound,
} from '../errors.ts'
import { loadRoleScopes } from '../roles/role-scopes.ts'
import { lockTenant } from '../tenant-store.ts'
import {
  countServiceAccounts,
  deleteServiceAccount,
  insertServiceAccount,
  lockServiceAccount,
  renameServiceAccount,
} from './service-account-store.ts'
import {
  NewServiceAccount,
  presentServiceAccount,
  ServiceAccount,
  ServiceAccountPatch,
} from './service-account-wire.ts'

// As many as a tenant may have tokens.
const TENANT_ACCOUNTS_MAX = 1_000

export interface ChangeServiceAccountsDeps {
  readonly db: Db
  readonly audit: AuditLog
  /** Makes the change known to this process at once. */
  readonly refreshTokens: () => Promise<void>
}

const WRITE = { kind: 'scope', scope: 'tokens:manage' } as const
const PATH = '/beta/admin/service-accounts/{serviceAccountId}'
const Params = Type.Object({ serviceAccountId: Type.String() })
const Query = Type.Object({ tenant_id: TENANT_PARAMETER })

export function createServiceAccountRoute({ db, audit }: ChangeServiceAccountsDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/service-accounts',
    group: 'admin',
    access: WRITE,
    operationId: 'createServiceAccount',
    idempotency: 'kept',
    summary: 'Create a service account',
    description: 'A program that owns tokens. They stay when the person who made them goes.',
    query: Query,
    body: NewServiceAccount,
    responses: {
      201: { description: 'The service account.', schema: ServiceAccount },
      404: { description: 'There is no such tenant.' },
      409: { description: 'The id is taken, or the tenant has too many.' },
    },
    async handle({ caller, query, body }) {
      const tenantId = chooseTenant(requireCaller(caller), query.tenant_id)
      const account = await inTransaction(db, async (tx) => {
        if ((await lockTenant(tx, tenantId)) === null) throw tenantNotFound()
        if ((await countServiceAccounts(tx, tenantId)) >= TENANT_ACCOUNTS_MAX) {
          throw serviceAccountsTooMany(TENANT_ACCOUNTS_MAX)
        }
        const made = await insertServiceAccount(tx, { tenantId, id: body.id, name: body.name })
        if (made === null) throw serviceAccountTaken()
        const after = presentServiceAccount(made)
        await audit.record(tx, 'service_account.create', { tenantId, id: made.id, after })
        return made
      })
      return { status: 201, json: presentServiceAccount(account) }
    },
  })
}

export function changeServiceAccountRoute({ db, audit }: ChangeServiceAccountsDeps): Route {
  return defineRoute({
    method: 'PATCH',
    path: PATH,
    group: 'admin',
    access: WRITE,
    operationId: 'changeServiceAccount',
    summary: 'Change a service account',
    description: 'Changes its name. Its id stays.',
    params: Params,
    query: Query,
    body: ServiceAccountPatch,
    responses: {
      200: { description: 'The service account as it is now.', schema: ServiceAccount },
      404: { description: 'There is no such service account.' },
    },
    async handle({ caller, params, query, body }) {
      const tenantId = chooseTenant(requireCaller(caller), query.tenant_id)
      const account = await inTransaction(db, async (tx) => {
        const before = await lockServiceAccount(tx, tenantId, params.serviceAccountId, 'change')
        if (before === null) throw serviceAccountNotFound()
        const after = await renameServiceAccount(tx, before, body.name)
        await audit.record(tx, 'service_account.change', {
          tenantId,
          id: before.id,
          before: presentServiceAccount(before),
          after: presentServiceAccount(after),
        })
        return after
      })
      return { status: 200, json: presentServiceAccount(account) }
    },
  })
}

export function deleteServiceAccountRoute(deps: ChangeServiceAccountsDeps): Route {
  const { db, audit, refreshTokens } = deps
  return defineRoute({
    method: 'DELETE',
    path: PATH,
    group: 'admin',
    access: WRITE,
    operationId: 'deleteServiceAccount',
    summary: 'Delete a service account',
    description: 'Revokes its tokens with it; they are refused within a second, on every node.',
    params: Params,
    query: Query,
    responses: {
      204: { description: 'It is deleted, and its tokens are revoked.' },
      404: { description: 'There is no such service account.' },
    },
    async handle({ caller, params, query }) {
      const maker = requireCaller(caller)
      const tenantId = chooseTenant(maker, query.tenant_id)
      await inTransaction(db, async (tx) => {
        const account = await lockServiceAccount(tx, tenantId, params.serviceAccountId, 'change')
        if (account === null) throw serviceAccountNotFound()
        await assertMayRevoke(tx, maker, tenantId, account.id)
        await cutTokensOfServiceAccount(tx, audit, tenantId, account.id)
        await deleteServiceAccount(tx, tenantId, account.id)
        const about = { tenantId, id: account.id, before: presentServiceAccount(account) }
        await audit.record(tx, 'service_account.delete', about)
      })
      await refreshTokens()
      return { status: 204 }
    },
  })
}

/** As for the revocation of each of its tokens: none may do more than the caller. */
async function assertMayRevoke(db: Db, caller: Caller, tenantId: string, id: string) {
  const granted = await listGrantsOfServiceAccount(db, tenantId, id)
  const { scopes } = await loadRoleScopes(db, tenantId, granted.roles)
  const missing = [...granted.scopes, ...scopes].filter((scope) => !caller.scopes.has(scope))
  if (missing.length === 0) return
  throw grantBeyondOwn(`the scopes ${[...new Set(missing)].join(', ')} of its tokens`)
}

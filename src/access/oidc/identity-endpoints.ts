// The accounts at providers that a person is linked to: one's own, and those of a user whom the
// caller administers.

import { Type } from 'typebox'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { administeredTenant } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { assertOwnsAccount, loadVisible } from '../people/load-user.ts'
import type { ScopesOfRoles } from '../people/user-roles.ts'
import { sessionNotFound } from '../sign-in/errors.ts'
import { identityNotFound } from './errors.ts'
import { deleteIdentity, listIdentities } from './identity-store.ts'
import { IdentityList, presentIdentity } from './provider-wire.ts'

export interface IdentityDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly scopesOfRoles: ScopesOfRoles
}

/** Throws 404 for a caller with a token, who is not the person. */
function requireUser(caller: Caller | null) {
  const { session, tenantId } = requireCaller(caller)
  if (session === undefined) throw sessionNotFound()
  return { userId: session.userId, tenantId }
}

async function presentAll(db: Db, userId: string) {
  return { items: (await listIdentities(db, userId)).map(presentIdentity) }
}

async function unlink(
  { db, audit }: IdentityDeps,
  { userId, id, tenantId }: { userId: string; id: string; tenantId: string | null },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const gone = await deleteIdentity(tx, userId, id)
    if (gone === null) throw identityNotFound()
    const { provider, issuer, subject } = gone
    const before = { user_id: userId, provider, issuer, subject }
    await audit.record(tx, 'identity.unlink', { tenantId, id, before })
  })
}

export function listOwnIdentitiesRoute({ db }: IdentityDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/session/identities',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'listIdentities',
    summary: 'List your accounts at providers',
    description: 'The accounts by which you can sign in with a provider.',
    responses: {
      200: { description: 'At most 50 accounts.', schema: IdentityList },
      404: { description: 'The request came with a token.' },
    },
    async handle({ caller }) {
      return { status: 200, json: await presentAll(db, requireUser(caller).userId) }
    },
  })
}

export function unlinkOwnIdentityRoute(deps: IdentityDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/session/identities/{identityId}',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'unlinkIdentity',
    summary: 'Unlink an account of a provider',
    description: 'You can no longer sign in by it. Sessions stay.',
    params: Type.Object({ identityId: Type.String() }),
    responses: {
      204: { description: 'It is unlinked.' },
      404: { description: 'You have no such link, or the request came with a token.' },
    },
    async handle({ caller, params }) {
      await unlink(deps, { ...requireUser(caller), id: params.identityId })
      return { status: 204 }
    },
  })
}

export function listUserIdentitiesRoute({ db }: IdentityDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/users/{userId}/identities',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'listUserIdentities',
    summary: 'List the accounts of a user at providers',
    description: 'The accounts by which a person can sign in with a provider.',
    params: Type.Object({ userId: Type.String() }),
    responses: {
      200: { description: 'At most 50 accounts.', schema: IdentityList },
      404: { description: 'There is no such user, or they work for another tenant.' },
    },
    async handle({ caller, params }) {
      const user = await loadVisible(db, requireCaller(caller), params.userId)
      return { status: 200, json: await presentAll(db, user.id) }
    },
  })
}

export function unlinkUserIdentityRoute(deps: IdentityDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/admin/users/{userId}/identities/{identityId}',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'unlinkUserIdentity',
    summary: 'Unlink an account of a user',
    description: 'The person can no longer sign in by it. Their sessions stay; end these besides.',
    params: Type.Object({ userId: Type.String(), identityId: Type.String() }),
    responses: {
      204: { description: 'It is unlinked.' },
      404: { description: 'There is no such user or no such link.' },
    },
    async handle({ caller: presented, params }) {
      const caller = requireCaller(presented)
      const user = await loadVisible(deps.db, caller, params.userId)
      assertOwnsAccount(caller, deps.scopesOfRoles, user)
      const tenantId = administeredTenant(caller)
      await unlink(deps, { userId: user.id, id: params.identityId, tenantId })
      return { status: 204 }
    },
  })
}

// PATCH and DELETE /beta/admin/users/{userId}: name, roles, disabled; out of a tenant. A change
// takes effect within a second on every node, and the sessions of a disabled person end.

import { type Static, Type } from 'typebox'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { administeredTenant, chooseTenant } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { cutTokensOf } from '../cut-tokens.ts'
import { deleteFactors } from '../factors/factor-store.ts'
import { endSessions, forgetSessions, touchSessionsOfUser } from '../sessions/session-store.ts'
import { deleteInvitation, deleteLinksOfUser } from '../sign-in/link-store.ts'
import { deleteStepsOfUser } from '../sign-in/step-store.ts'
import { assertHolds } from '../token-grant.ts'
import { lastAdministrator, userNotFound, userNotValid } from './errors.ts'
import { keepRoles } from './keep-roles.ts'
import { assertOwnsAccount, lockVisible, requireMembership } from './load-user.ts'
import { assertHoldsRoles, type ScopesOfRoles } from './user-roles.ts'
import {
  deleteMembership,
  findUser,
  forgetPerson,
  hasAdministrator,
  type UserRecord,
  updateRoles,
  updateUser,
} from './user-store.ts'
import { presentUser, User, UserPatch } from './user-wire.ts'

export interface ChangeUserDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly refreshTokens: () => Promise<void>
  readonly scopesOfRoles: ScopesOfRoles
}

export function changeUserRoute(deps: ChangeUserDeps): Route {
  const { db, audit, refreshTokens } = deps
  return defineRoute({
    method: 'PATCH',
    path: '/beta/admin/users/{userId}',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'changeUser',
    summary: 'Change a user',
    description:
      'Changes the name, the roles in a tenant, or whether the person may sign in. It takes effect within a second, on every node.',
    params: Type.Object({ userId: Type.String() }),
    body: UserPatch,
    responses: {
      200: { description: 'The user as it is now.', schema: User },
      404: { description: 'There is no such user, or they work for another tenant.' },
      409: { description: 'No other user administers the instance.' },
    },
    async handle({ caller: presented, params, body }) {
      const caller = requireCaller(presented)
      const seenBy = administeredTenant(caller)
      const user = await inTransaction(db, async (tx) => {
        const before = await lockVisible(tx, caller, params.userId)
        await change(tx, deps, caller, { before, patch: body })
        const after = await findUser(tx, before.id)
        if (after === null) throw userNotFound()
        await audit.record(tx, 'user.change', {
          tenantId: seenBy,
          id: before.id,
          before: presentUser(before, seenBy),
          after: presentUser(after, seenBy),
        })
        return after
      })
      await refreshTokens()
      return { status: 200, json: presentUser(user, seenBy) }
    },
  })
}

async function change(
  tx: Tx,
  deps: ChangeUserDeps,
  caller: Caller,
  { before, patch }: { readonly before: UserRecord; readonly patch: Static<typeof UserPatch> },
): Promise<void> {
  const { name, roles, disabled } = patch
  if (name !== undefined || disabled !== undefined) {
    assertOwnsAccount(caller, deps.scopesOfRoles, before)
    await updateUser(tx, before.id, { name, isDisabled: disabled })
  }
  if (roles !== undefined) {
    const tenantId = chooseTenant(caller, patch.tenant_id)
    await changeRoles(tx, deps, caller, { before, tenantId, roles })
  }
  if (disabled === true) await shutOut(tx, deps, before.id)
  else await touchSessionsOfUser(tx, before.id)
  await assertAdministered(tx, deps.scopesOfRoles, before)
}

async function changeRoles(
  tx: Tx,
  { audit, scopesOfRoles }: ChangeUserDeps,
  caller: Caller,
  asked: {
    readonly before: UserRecord
    readonly tenantId: string
    readonly roles: readonly string[]
  },
): Promise<void> {
  const { before, tenantId, roles } = asked
  const membership = requireMembership(before, tenantId)
  const { scopes, problems } = await keepRoles(tx, { tenantId, roles })
  if (problems.length > 0) throw userNotValid(problems)
  assertHoldsRoles(caller, scopesOfRoles, membership)
  assertHolds(caller, scopes)
  await updateRoles(tx, before.id, tenantId, roles)
  const kept = new Set(scopes)
  const isDemoted = scopesOfRoles(tenantId, membership.roles).some((scope) => !kept.has(scope))
  if (isDemoted) await cutTokensOf(tx, audit, before.id, tenantId)
}

/** Ends all by which a disabled person is in, or could come in. */
async function shutOut(tx: Tx, { audit }: ChangeUserDeps, userId: string): Promise<void> {
  await endSessions(tx, { userId })
  await deleteLinksOfUser(tx, userId)
  await deleteStepsOfUser(tx, userId)
  await cutTokensOf(tx, audit, userId)
}

/** Throws 409 when this change has taken the last administrator of the instance away. */
async function assertAdministered(
  tx: Tx,
  scopesOfRoles: ScopesOfRoles,
  before: UserRecord,
): Promise<void> {
  const wasAdministrator =
    !before.isDisabled &&
    before.memberships.some(
      ({ isAccepted, roles, tenantId }) =>
        isAccepted && scopesOfRoles(tenantId, roles).includes('instance:admin'),
    )
  if (wasAdministrator && !(await hasAdministrator(tx))) throw lastAdministrator()
}

export function removeUserRoute(deps: ChangeUserDeps): Route {
  const { db, audit, refreshTokens, scopesOfRoles } = deps
  return defineRoute({
    method: 'DELETE',
    path: '/beta/admin/users/{userId}',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'removeUser',
    summary: 'Take a user out of a tenant',
    description:
      'The person no longer works for the tenant. Name, address, password and second factors of a person who works for no tenant any more are forgotten; the history of cases keeps the id.',
    params: Type.Object({ userId: Type.String() }),
    query: Type.Object({
      tenant_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'The tenant of the caller when left out; another one needs instance:admin.',
        }),
      ),
    }),
    responses: {
      204: { description: 'The user is out of the tenant.' },
      404: { description: 'There is no such user in the tenant.' },
      409: { description: 'No other user administers the instance.' },
    },
    async handle({ caller: presented, params, query }) {
      const caller = requireCaller(presented)
      const tenantId = chooseTenant(caller, query.tenant_id)
      await inTransaction(db, async (tx) => {
        const user = await lockVisible(tx, caller, params.userId)
        const membership = requireMembership(user, tenantId)
        assertHoldsRoles(caller, scopesOfRoles, membership)
        await deleteInvitation(tx, user.id, tenantId)
        await deleteMembership(tx, user.id, tenantId)
        if (await forgetPerson(tx, user.id)) {
          await deleteFactors(tx, user.id)
          await deleteStepsOfUser(tx, user.id)
          await forgetSessions(tx, user.id)
        } else await touchSessionsOfUser(tx, user.id)
        await cutTokensOf(tx, audit, user.id, tenantId)
        await assertAdministered(tx, scopesOfRoles, user)
        const { roles } = membership
        await audit.record(tx, 'user.remove', { tenantId, id: user.id, before: { roles } })
      })
      await refreshTokens()
      return { status: 204 }
    },
  })
}

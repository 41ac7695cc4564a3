// POST /beta/admin/roles, PATCH and DELETE of one: roles of a tenant. Its scopes, before and after
// a change, lie within those of the caller. What names the role follows within a second on every
// node.

import type { Static } from 'typebox'
import { Type } from 'typebox'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { isRoleName, isScope, type Scope } from '../../vocabulary/scopes.ts'
import { chooseTenant, TENANT_PARAMETER } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import { countTokensOfRole } from '../api-token-store.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import {
  roleInUse,
  roleIsShipped,
  roleNotFound,
  roleNotValid,
  rolesTooMany,
  roleTaken,
  tenantNotFound,
} from '../errors.ts'
import { countUsersOfRole } from '../people/user-store.ts'
import { findTenant } from '../tenant-store.ts'
import { assertHolds } from '../token-grant.ts'
import { TENANT_ROLES_MAX } from './role-scopes.ts'
import { deleteRole, insertRole, lockRole, type RoleRecord, updateRole } from './role-store.ts'
import { NewRoleBody, presentRole, Role, RolePatch } from './role-wire.ts'

export interface ChangeRolesDeps {
  readonly db: Db
  readonly audit: AuditLog
  /** Makes the change known to this process at once. */
  readonly refreshTokens: () => Promise<void>
}

const WRITE = { kind: 'scope', scope: 'users:manage' } as const
const PATH = '/beta/admin/roles/{role}'
const Params = Type.Object({ role: Type.String() })
const Query = Type.Object({ tenant_id: TENANT_PARAMETER })

export function createRoleRoute({ db, audit, refreshTokens }: ChangeRolesDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/roles',
    group: 'admin',
    access: WRITE,
    operationId: 'createRole',
    idempotency: 'kept',
    summary: 'Create a role',
    description: 'A role of the tenant, made of scopes that you hold.',
    query: Query,
    body: NewRoleBody,
    responses: {
      201: { description: 'The role.', schema: Role },
      404: { description: 'There is no such tenant.' },
      409: { description: 'The name is taken, or the tenant has too many roles.' },
    },
    async handle({ caller: presented, query, body }) {
      const caller = requireCaller(presented)
      const tenantId = chooseTenant(caller, query.tenant_id)
      if (isRoleName(body.name)) throw roleIsShipped()
      const scopes = readScopes(caller, body.scopes)
      const { name, description = '' } = body
      const role = await inTransaction(db, async (tx) => {
        if ((await findTenant(tx, tenantId)) === null) throw tenantNotFound()
        const made = await insertRole(tx, { tenantId, name, description, scopes }, TENANT_ROLES_MAX)
        if (made === 'taken') throw roleTaken()
        if (made === 'full') throw rolesTooMany(TENANT_ROLES_MAX)
        await audit.record(tx, 'role.create', { tenantId, id: name, after: presentRole(made) })
        return made
      })
      await refreshTokens()
      return { status: 201, json: presentRole(role) }
    },
  })
}

export function changeRoleRoute({ db, audit, refreshTokens }: ChangeRolesDeps): Route {
  return defineRoute({
    method: 'PATCH',
    path: PATH,
    group: 'admin',
    access: WRITE,
    operationId: 'changeRole',
    summary: 'Change a role',
    description:
      'Tokens and people with the role may do what it then allows, within a second on every node.',
    params: Params,
    query: Query,
    body: RolePatch,
    responses: {
      200: { description: 'The role as it is now.', schema: Role },
      404: { description: 'There is no such role.' },
      409: { description: 'It is shipped and cannot be changed.' },
    },
    async handle({ caller: presented, params, query, body }) {
      const caller = requireCaller(presented)
      const tenantId = chooseTenant(caller, query.tenant_id)
      const role = await inTransaction(db, async (tx) => {
        const before = await lockChangeable(tx, caller, { tenantId, name: params.role })
        const after = await updateRole(tx, before, readChange(caller, before, body))
        await audit.record(tx, 'role.change', {
          tenantId,
          id: before.name,
          before: presentRole(before),
          after: presentRole(after),
        })
        return after
      })
      await refreshTokens()
      return { status: 200, json: presentRole(role) }
    },
  })
}

export function deleteRoleRoute({ db, audit, refreshTokens }: ChangeRolesDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: PATH,
    group: 'admin',
    access: WRITE,
    operationId: 'deleteRole',
    summary: 'Delete a role',
    description: 'Only a role that no live token and no user names can be deleted.',
    params: Params,
    query: Query,
    responses: {
      204: { description: 'It is deleted.' },
      404: { description: 'There is no such role.' },
      409: { description: 'It is shipped, or a live token or a user names it.' },
    },
    async handle({ caller: presented, params, query }) {
      const caller = requireCaller(presented)
      const tenantId = chooseTenant(caller, query.tenant_id)
      await inTransaction(db, async (tx) => {
        const before = await lockChangeable(tx, caller, { tenantId, name: params.role })
        const tokens = await countTokensOfRole(tx, tenantId, before.name)
        const users = await countUsersOfRole(tx, tenantId, before.name)
        if (tokens + users > 0) throw roleInUse(tokens, users)
        await deleteRole(tx, tenantId, before.name)
        const about = { tenantId, id: before.name, before: presentRole(before) }
        await audit.record(tx, 'role.delete', about)
      })
      await refreshTokens()
      return { status: 204 }
    },
  })
}

/**
 * The role, which no other transaction changes before this one ends. Throws 409 for a shipped one,
 * 404 for none, and 403 for one that allows more than the caller may: only who may grant a scope
 * takes it from others.
 */
async function lockChangeable(
  tx: Tx,
  caller: Caller,
  { tenantId, name }: Pick<RoleRecord, 'tenantId' | 'name'>,
): Promise<RoleRecord> {
  if (isRoleName(name)) throw roleIsShipped()
  const role = await lockRole(tx, tenantId, name)
  if (role === null) throw roleNotFound()
  assertHolds(caller, role.scopes)
  return role
}

function readChange(
  caller: Caller,
  before: RoleRecord,
  body: Static<typeof RolePatch>,
): Pick<RoleRecord, 'description' | 'scopes'> {
  return {
    description: body.description ?? before.description,
    scopes: body.scopes === undefined ? before.scopes : readScopes(caller, body.scopes),
  }
}

function readScopes(caller: Caller, named: readonly string[]): readonly Scope[] {
  const problems = named.flatMap((scope, index) =>
    isScope(scope) ? [] : [{ path: `/scopes/${index}`, reason: 'is no scope' }],
  )
  if (problems.length > 0) throw roleNotValid(problems)
  const scopes = [...new Set(named.filter(isScope))]
  assertHolds(caller, scopes)
  return scopes
}

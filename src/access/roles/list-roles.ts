// GET /beta/admin/roles and /{role}: the roles that ship with the program and those of the tenant.

import { Type } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { isRoleName } from '../../vocabulary/scopes.ts'
import { chooseTenant, TENANT_PARAMETER } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import { roleNotFound } from '../errors.ts'
import { TENANT_ROLES_MAX } from './role-scopes.ts'
import { findRole, listRoles } from './role-store.ts'
import { presentRole, presentShippedRole, Role, RolePage, SHIPPED_ROLES } from './role-wire.ts'

/** Who hands out roles may see them. */
const READ = { kind: 'one-of', ways: [['tokens:manage'], ['users:manage']] } as const

export function listRolesRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/roles',
    group: 'admin',
    access: READ,
    operationId: 'listRoles',
    summary: 'List roles',
    description: 'The shipped roles, then those of the tenant by name, on one page.',
    query: Type.Object({ tenant_id: TENANT_PARAMETER }),
    responses: { 200: { description: 'All roles.', schema: RolePage } },
    async handle({ caller, query }) {
      const tenantId = chooseTenant(requireCaller(caller), query.tenant_id)
      const own = await listRoles(db, tenantId, TENANT_ROLES_MAX)
      const items = [...SHIPPED_ROLES, ...own.map(presentRole)]
      return { status: 200, json: { items, next_cursor: '' } }
    },
  })
}

export function getRoleRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/roles/{role}',
    group: 'admin',
    access: READ,
    operationId: 'getRole',
    summary: 'Get a role',
    description: 'A shipped role or one of the tenant.',
    params: Type.Object({ role: Type.String() }),
    query: Type.Object({ tenant_id: TENANT_PARAMETER }),
    responses: {
      200: { description: 'The role.', schema: Role },
      404: { description: 'There is no such role.' },
    },
    async handle({ caller, params, query }) {
      const tenantId = chooseTenant(requireCaller(caller), query.tenant_id)
      if (isRoleName(params.role)) return { status: 200, json: presentShippedRole(params.role) }
      const role = await findRole(db, tenantId, params.role)
      if (role === null) throw roleNotFound()
      return { status: 200, json: presentRole(role) }
    },
  })
}

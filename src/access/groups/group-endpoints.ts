// GET, POST, PATCH and DELETE below /beta/admin/groups: the groups of users of the caller's tenant.

import { Type } from 'typebox'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { readAdminPage } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { groupNotFound, groupNotValid, groupTaken } from './errors.ts'
import {
  deleteGroup,
  findGroup,
  type GroupRecord,
  insertGroup,
  listGroups,
  lockGroup,
  renameGroup,
  replaceMembers,
} from './group-store.ts'
import {
  NewUserGroup,
  presentGroup,
  UserGroup,
  UserGroupPage,
  UserGroupPatch,
} from './group-wire.ts'

export interface GroupDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly audit: AuditLog
  readonly cursors: CursorSealer
}

const GroupParams = Type.Object({ userGroupId: Type.String() })
const ACCESS = { kind: 'scope', scope: 'users:manage' } as const

export function listGroupsRoute({ db, cursors }: GroupDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/groups',
    group: 'admin',
    access: ACCESS,
    operationId: 'listUserGroups',
    summary: 'List groups',
    description: 'The groups of users of your tenant, by name.',
    query: Type.Object({ limit: PAGE_PARAMETERS.limit, cursor: PAGE_PARAMETERS.cursor }),
    responses: { 200: { description: 'One page of groups.', schema: UserGroupPage } },
    async handle({ caller, query }) {
      const { tenantId } = requireCaller(caller)
      const page = await readAdminPage(cursors, ['groups', `tenant ${tenantId}`], query, {
        load: (after, limit) => listGroups(db, tenantId, { after: after?.[0] ?? null, limit }),
        positionOf: ({ name }) => [name],
      })
      const json = { items: page.rows.map(presentGroup), next_cursor: page.nextCursor }
      return { status: 200, json }
    },
  })
}

export function getGroupRoute({ db }: GroupDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/groups/{userGroupId}',
    group: 'admin',
    access: ACCESS,
    operationId: 'getUserGroup',
    summary: 'Get a group',
    description: 'A group of users of your tenant.',
    params: GroupParams,
    responses: {
      200: { description: 'The group.', schema: UserGroup },
      404: { description: 'There is no such group.' },
    },
    async handle({ caller, params }) {
      const { tenantId } = requireCaller(caller)
      const group = await findGroup(db, tenantId, params.userGroupId)
      if (group === null) throw groupNotFound()
      return { status: 200, json: presentGroup(group) }
    },
  })
}

export function createGroupRoute({ db, ids, audit }: GroupDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/groups',
    group: 'admin',
    access: ACCESS,
    operationId: 'createUserGroup',
    summary: 'Create a group',
    description: 'Creates a group of users, to which cases can be assigned.',
    body: NewUserGroup,
    idempotency: 'kept',
    responses: {
      201: { description: 'The group.', schema: UserGroup },
      409: { description: 'The tenant has a group of this name.' },
    },
    async handle({ caller, body }) {
      const { tenantId } = requireCaller(caller)
      const id = `grp_${ids.nextUuid().replaceAll('-', '')}`
      const group = await inTransaction(db, async (tx) => {
        if (!(await insertGroup(tx, { tenantId, id, name: body.name }))) throw groupTaken()
        await setMembers(tx, tenantId, id, body.user_ids ?? [])
        const made = await requireGroup(tx, tenantId, id)
        await audit.record(tx, 'group.create', { tenantId, id, after: presentGroup(made) })
        return made
      })
      return { status: 201, json: presentGroup(group) }
    },
  })
}

export function changeGroupRoute({ db, audit }: GroupDeps): Route {
  return defineRoute({
    method: 'PATCH',
    path: '/beta/admin/groups/{userGroupId}',
    group: 'admin',
    access: ACCESS,
    operationId: 'changeUserGroup',
    summary: 'Change a group',
    description: 'Changes the name, or which users are in the group.',
    params: GroupParams,
    body: UserGroupPatch,
    responses: {
      200: { description: 'The group as it is now.', schema: UserGroup },
      404: { description: 'There is no such group.' },
      409: { description: 'The tenant has another group of this name.' },
    },
    async handle({ caller, params, body }) {
      const { tenantId } = requireCaller(caller)
      const id = params.userGroupId
      const group = await inTransaction(db, async (tx) => {
        const before = await lockGroup(tx, tenantId, id)
        if (before === null) throw groupNotFound()
        if (body.name !== undefined && !(await renameGroup(tx, tenantId, id, body.name))) {
          throw groupTaken()
        }
        if (body.user_ids !== undefined) await setMembers(tx, tenantId, id, body.user_ids)
        const after = await requireGroup(tx, tenantId, id)
        await audit.record(tx, 'group.change', {
          tenantId,
          id,
          before: presentGroup(before),
          after: presentGroup(after),
        })
        return after
      })
      return { status: 200, json: presentGroup(group) }
    },
  })
}

export function deleteGroupRoute({ db, audit }: GroupDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/admin/groups/{userGroupId}',
    group: 'admin',
    access: ACCESS,
    operationId: 'deleteUserGroup',
    summary: 'Delete a group',
    description: 'Its users stay. Cases that are assigned to it keep its id.',
    params: GroupParams,
    responses: {
      204: { description: 'It is deleted.' },
      404: { description: 'There is no such group.' },
    },
    async handle({ caller, params }) {
      const { tenantId } = requireCaller(caller)
      const id = params.userGroupId
      await inTransaction(db, async (tx) => {
        const before = await lockGroup(tx, tenantId, id)
        if (before === null) throw groupNotFound()
        await deleteGroup(tx, tenantId, id)
        await audit.record(tx, 'group.delete', { tenantId, id, before: presentGroup(before) })
      })
      return { status: 204 }
    },
  })
}

async function requireGroup(tx: Tx, tenantId: string, id: string): Promise<GroupRecord> {
  const group = await findGroup(tx, tenantId, id)
  if (group === null) throw groupNotFound()
  return group
}

/** Throws 400 with the place of each id that is no user of the tenant. */
async function setMembers(
  tx: Tx,
  tenantId: string,
  id: string,
  userIds: readonly string[],
): Promise<void> {
  const unknown = await replaceMembers(tx, tenantId, id, userIds)
  if (unknown.length === 0) return
  throw groupNotValid(
    unknown.map((userId) => ({
      path: `/user_ids/${userIds.indexOf(userId)}`,
      reason: 'is no user of this tenant',
    })),
  )
}

// The wire of groups of users.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { GroupRecord } from './group-store.ts'

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const UserIds = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 1_000,
  uniqueItems: true,
  description: 'The ids of its users, who work for the tenant.',
})

export const UserGroup = named(
  'UserGroup',
  Type.Object({
    id: Type.String(),
    tenant_id: Type.String(),
    name: Type.String(),
    user_ids: UserIds,
    created_at: Type.String({ format: 'date-time' }),
  }),
)

export const UserGroupPage = pageOf(UserGroup)

export const NewUserGroup = named(
  'NewUserGroup',
  Type.Object({ name: Name, user_ids: Type.Optional(UserIds) }, { additionalProperties: false }),
)

export const UserGroupPatch = named(
  'UserGroupPatch',
  Type.Object(
    { name: Type.Optional(Name), user_ids: Type.Optional(UserIds) },
    { additionalProperties: false, minProperties: 1 },
  ),
)

export function presentGroup(group: GroupRecord): Static<typeof UserGroup> {
  return {
    id: group.id,
    tenant_id: group.tenantId,
    name: group.name,
    user_ids: [...group.userIds],
    created_at: group.createdAt.toISOString(),
  }
}

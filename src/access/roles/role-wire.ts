// The wire of roles: named sets of scopes, shipped or of a tenant.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import {
  ROLE_DESCRIPTIONS,
  ROLE_NAMES,
  ROLE_SCOPES,
  type RoleName,
  SCOPES,
} from '../../vocabulary/scopes.ts'
import type { RoleRecord } from './role-store.ts'

const Time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
  description: 'Null for a shipped role.',
})

export const Role = named(
  'Role',
  Type.Object({
    name: Type.String(),
    description: Type.String({ description: 'Who gets it.' }),
    scopes: Type.Array(Type.String(), { description: 'What it allows.' }),
    is_shipped: Type.Boolean({
      description: 'It comes with the program, is the same for all tenants and cannot be changed.',
    }),
    created_at: Time,
    changed_at: Time,
  }),
)
export const RolePage = pageOf(Role)

const RoleScopes = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: SCOPES.length,
  description: 'What it allows; none that you lack.',
})
const Description = Type.String({ maxLength: 500, description: 'Who gets it.' })

export const NewRoleBody = named(
  'NewRole',
  Type.Object(
    {
      name: Type.String({
        pattern: '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$',
        maxLength: 63,
        description: 'How tokens and people name it: lower case letters, digits and hyphens.',
      }),
      description: Type.Optional(Description),
      scopes: RoleScopes,
    },
    { additionalProperties: false },
  ),
)

export const RolePatch = named(
  'RolePatch',
  Type.Object(
    { description: Type.Optional(Description), scopes: Type.Optional(RoleScopes) },
    { additionalProperties: false, minProperties: 1 },
  ),
)

export function presentRole(role: RoleRecord): Static<typeof Role> {
  return {
    name: role.name,
    description: role.description,
    scopes: [...role.scopes],
    is_shipped: false,
    created_at: role.createdAt.toISOString(),
    changed_at: role.changedAt.toISOString(),
  }
}

export function presentShippedRole(name: RoleName): Static<typeof Role> {
  return {
    name,
    description: ROLE_DESCRIPTIONS[name],
    scopes: [...ROLE_SCOPES[name]],
    is_shipped: true,
    created_at: null,
    changed_at: null,
  }
}

export const SHIPPED_ROLES = ROLE_NAMES.map(presentShippedRole)

// The wire of people (design section 9). A tenant sees of its users what they are there; the
// operator of the instance sees all of it.

import { type Static, Type } from 'typebox'
import { MAIL_LANGUAGES } from '../../vocabulary/mail-language.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { Membership, UserRecord } from './user-store.ts'

const Roles = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 32,
  description: 'The roles in the tenant; none that holds a scope which the caller lacks.',
})
const TenantId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The tenant of the caller when left out; another one needs instance:admin.',
  }),
)
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })

const UserTenant = Type.Object({
  tenant_id: Type.String(),
  roles: Type.Array(Type.String(), { description: 'The roles of the person there.' }),
  state: Type.Union([Type.Literal('invited'), Type.Literal('active')]),
})

export const User = named(
  'User',
  Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    state: Type.Union([Type.Literal('invited'), Type.Literal('active'), Type.Literal('disabled')], {
      description: 'invited until the person has accepted; disabled ones cannot sign in.',
    }),
    tenants: Type.Array(UserTenant, {
      description: 'The tenants that the person works for, as far as the caller administers them.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    last_sign_in_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null for a person who never was here.',
    }),
  }),
)

export const UserPage = pageOf(User)

export const Invitation = named(
  'Invitation',
  Type.Object(
    {
      email: Type.String({ minLength: 1, maxLength: 254 }),
      name: Name,
      roles: Roles,
      tenant_id: TenantId,
      send_mail: Type.Optional(
        Type.Boolean({
          description: 'True sends the link to the person, and the answer does not show it.',
        }),
      ),
      language: Type.Optional(
        Type.Union(
          MAIL_LANGUAGES.map((one) => Type.Literal(one)),
          { description: 'Of the mail; en when left out.' },
        ),
      ),
    },
    { additionalProperties: false },
  ),
)

const LINK_MEMBERS = {
  link: Type.Union([Type.String(), Type.Null()], {
    description: 'The link, shown this once; null where it was sent by mail.',
  }),
  link_expires_at: Type.String({ format: 'date-time', description: 'When the link ends.' }),
}

export const InvitedUser = named(
  'InvitedUser',
  Type.Object({ ...User.properties, ...LINK_MEMBERS }),
)

export const UserLink = named('UserLink', Type.Object(LINK_MEMBERS))

export const UserFactors = named(
  'UserFactors',
  Type.Object({
    totp_since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Since when an authenticator app is set up; null for none.',
    }),
    passkeys: Type.Integer({ description: 'How many passkeys there are.' }),
    recovery_codes_left: Type.Integer({ description: 'How many recovery codes are unused.' }),
  }),
)

export const UserPatch = named(
  'UserPatch',
  Type.Object(
    {
      name: Type.Optional(Name),
      roles: Type.Optional(Roles),
      tenant_id: TenantId,
      disabled: Type.Optional(
        Type.Boolean({
          description: 'True ends the sessions of the person and lets nobody sign in as them.',
        }),
      ),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
)

/** As a tenant sees the user; null is for the operator of the instance. */
export function presentUser(user: UserRecord, tenantId: string | null): Static<typeof User> {
  const seen = user.memberships.filter((one) => tenantId === null || one.tenantId === tenantId)
  const accepted = seen.some(({ isAccepted }) => isAccepted)
  // Before a person accepts, a tenant sees of the account what the invitation says.
  const showsAccount = accepted || tenantId === null
  return {
    id: user.id,
    email: user.email,
    name: showsAccount ? user.name : (seen[0]?.invitedName ?? user.name),
    state: readState(user.isDisabled && showsAccount, accepted),
    tenants: seen.map(presentMembership),
    created_at: user.createdAt.toISOString(),
    last_sign_in_at: showsAccount ? (user.lastSignInAt?.toISOString() ?? null) : null,
  }
}

function readState(isDisabled: boolean, isAccepted: boolean): Static<typeof User>['state'] {
  if (isDisabled) return 'disabled'
  return isAccepted ? 'active' : 'invited'
}

function presentMembership(one: Membership): Static<typeof UserTenant> {
  return {
    tenant_id: one.tenantId,
    roles: [...one.roles],
    state: one.isAccepted ? 'active' : 'invited',
  }
}

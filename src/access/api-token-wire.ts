// The wire of API tokens (design sections 6, 9 and 10). The secret is in the answer that creates it
// and nowhere else.

import { type Static, Type } from 'typebox'
import type { CallerOwner } from '../vocabulary/caller.ts'
import { named } from '../vocabulary/named-schema.ts'
import { pageOf } from '../vocabulary/page-wire.ts'
import type { Scope } from '../vocabulary/scopes.ts'
import type { TokenRecord } from './api-token-store.ts'

const State = Type.Union([Type.Literal('live'), Type.Literal('expired'), Type.Literal('revoked')])

const Owner = named(
  'TokenOwner',
  Type.Object({
    kind: Type.Union([Type.Literal('user'), Type.Literal('service_account')]),
    id: Type.String(),
  }),
)

export const OWNER_MEMBERS = {
  roles: Type.Array(Type.String(), {
    description: 'The roles that it names; what they allow may change.',
  }),
  networks: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'CIDR blocks that it may come from; null for any address.',
  }),
  owner: Type.Union([Owner, Type.Null()], {
    description: 'Who stands behind it; null for a token of the tenant alone.',
  }),
}

const TOKEN_MEMBERS = {
  id: Type.String({ description: 'Public id; it is no secret.' }),
  name: Type.String(),
  tenant_id: Type.String(),
  scopes: Type.Array(Type.String(), {
    description: 'All that it may do now, by itself and by its roles.',
  }),
  ...OWNER_MEMBERS,
  contact_email: Type.Union([Type.String({ format: 'email' }), Type.Null()], {
    description: 'Sender of pushed events that name none.',
  }),
  state: State,
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Null for a token that does not expire.',
  }),
  revoked_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Noted every 30 s.',
  }),
  rotated_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When it last got a new secret.',
  }),
  former_until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Until when the secret before the last rotation is good; null when it is not.',
  }),
}

const ApiToken = named('Token', Type.Object(TOKEN_MEMBERS))
export const ApiTokenPage = pageOf(ApiToken)

export const CreatedApiToken = named(
  'CreatedToken',
  Type.Object({
    ...TOKEN_MEMBERS,
    token: Type.String({ description: 'The secret, shown this once.' }),
  }),
)

/**
 * The endpoint compares `scopes` with the scopes of the caller. It also refuses a name that is no
 * scope.
 */
export const NewApiToken = named(
  'NewToken',
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 200, description: 'What it is for.' }),
      scopes: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), {
          minItems: 1,
          maxItems: 64,
          description: 'What it may do; none that the caller lacks. Needed unless there are roles.',
        }),
      ),
      roles: Type.Optional(
        Type.Array(Type.String({ maxLength: 63 }), {
          minItems: 1,
          maxItems: 16,
          description:
            'Shipped roles or roles of the tenant, granted beside `scopes`. The token follows when a role is changed.',
        }),
      ),
      role: Type.Optional(Type.String({ description: 'One role, as in `roles`.' })),
      networks: Type.Optional(
        Type.Union(
          [Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 64 }), Type.Null()],
          {
            description:
              'IP addresses and CIDR blocks that it may come from; those of the caller when left out.',
          },
        ),
      ),
      service_account_id: Type.Optional(
        Type.String({
          maxLength: 63,
          description:
            'The service account that owns it. When left out, the owner is that of the caller.',
        }),
      ),
      tenant_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'The tenant of the caller when left out; another one needs instance:admin.',
        }),
      ),
      contact_email: Type.Optional(Type.Union([Type.String({ format: 'email' }), Type.Null()])),
      expires_at: Type.Optional(
        Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description:
            'In 90 days when left out; null for a token that does not expire. No later than the token of the caller.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

const OVERLAP_MAX_SECONDS = 604_800

export const TokenRotation = named(
  'TokenRotation',
  Type.Object(
    {
      overlap_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: OVERLAP_MAX_SECONDS,
          description:
            'How long the former secret stays good; a day when left out, a week at most.',
        }),
      ),
      expires_at: Type.Optional(
        Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description:
            'After as long a life as before when left out; null for no end. No later than the token of the caller.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

export function presentOwner(token: {
  readonly roles: readonly string[]
  readonly owner: CallerOwner | null
}) {
  return { roles: [...token.roles], owner: token.owner === null ? null : { ...token.owner } }
}

/**
 * The token without its secret; `scopes` are all that it has. `nowMs` decides between live and
 * expired.
 */
export function presentToken(
  token: TokenRecord,
  scopes: readonly Scope[],
  nowMs: number,
): Static<typeof ApiToken> {
  return {
    id: token.id,
    name: token.name,
    tenant_id: token.tenantId,
    scopes: [...scopes],
    ...presentOwner(token),
    networks: token.networks === null ? null : [...token.networks],
    contact_email: token.contactEmail,
    state: readState(token, nowMs),
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    rotated_at: token.rotatedAt?.toISOString() ?? null,
    former_until: readFormer(token, nowMs),
  }
}

function readFormer({ formerUntil, revokedAt }: TokenRecord, nowMs: number): string | null {
  if (formerUntil === null || revokedAt !== null || formerUntil.getTime() <= nowMs) return null
  return formerUntil.toISOString()
}

function readState(token: TokenRecord, nowMs: number): Static<typeof State> {
  if (token.revokedAt !== null) return 'revoked'
  return token.expiresAt !== null && token.expiresAt.getTime() <= nowMs ? 'expired' : 'live'
}

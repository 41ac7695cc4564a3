// The wire of API tokens (design sections 6, 9 and 10). The secret is in the answer that creates it
// and nowhere else.

import { type Static, Type } from 'typebox'
import { named } from '../vocabulary/named-schema.ts'
import { pageOf } from '../vocabulary/page-wire.ts'
import { ROLE_NAMES } from '../vocabulary/scopes.ts'
import type { TokenRecord } from './api-token-store.ts'

const State = Type.Union([Type.Literal('live'), Type.Literal('expired'), Type.Literal('revoked')])

const TOKEN_MEMBERS = {
  id: Type.String({ description: 'Public id; it is no secret.' }),
  name: Type.String(),
  tenant_id: Type.String(),
  scopes: Type.Array(Type.String()),
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
          description: 'What it may do; none that the caller lacks. Needed unless there is a role.',
        }),
      ),
      role: Type.Optional(
        Type.Union(
          ROLE_NAMES.map((role) => Type.Literal(role)),
          { description: 'Its scopes are granted, beside those of `scopes`.' },
        ),
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

/** The token without its secret. `nowMs` decides between live and expired. */
export function presentToken(token: TokenRecord, nowMs: number): Static<typeof ApiToken> {
  return {
    id: token.id,
    name: token.name,
    tenant_id: token.tenantId,
    scopes: [...token.scopes],
    contact_email: token.contactEmail,
    state: readState(token, nowMs),
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  }
}

function readState(token: TokenRecord, nowMs: number): Static<typeof State> {
  if (token.revokedAt !== null) return 'revoked'
  return token.expiresAt !== null && token.expiresAt.getTime() <= nowMs ? 'expired' : 'live'
}

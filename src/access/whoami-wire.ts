// The wire of GET /beta/whoami: what the presented token is and may do.

import { type Static, Type } from 'typebox'
import type { CountedLimit } from '../kernel/http/rate-fields.ts'
import type { Caller } from '../vocabulary/caller.ts'
import { named } from '../vocabulary/named-schema.ts'
import { OWNER_MEMBERS, presentOwner } from './api-token-wire.ts'

const Limit = named(
  'CallerLimit',
  Type.Object({
    name: Type.String({ description: 'As in the headers RateLimit and RateLimit-Policy.' }),
    limit: Type.Integer({ description: 'Requests in a window.' }),
    remaining: Type.Integer({ description: 'What is left of them after this request.' }),
    window_seconds: Type.Integer({ description: 'The length of a window.' }),
    reset_seconds: Type.Integer({ description: 'Until the window ends.' }),
  }),
)

export const Whoami = named(
  'Whoami',
  Type.Object({
    token_id: Type.String(),
    name: Type.String(),
    tenant_id: Type.String(),
    scopes: Type.Array(Type.String()),
    ...OWNER_MEMBERS,
    contact_email: Type.Union([Type.String({ format: 'email' }), Type.Null()]),
    expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null for a credential that does not expire.',
    }),
    limits: Type.Array(Limit, {
      description: 'The limits that count your requests; empty where none does.',
    }),
  }),
)

export function presentWhoami(
  caller: Caller,
  limits: readonly CountedLimit[],
): Static<typeof Whoami> {
  return {
    token_id: caller.tokenId,
    name: caller.name,
    tenant_id: caller.tenantId,
    scopes: [...caller.scopes],
    ...presentOwner(caller),
    networks: caller.networks?.map(({ text }) => text) ?? null,
    contact_email: caller.contactEmail,
    expires_at: caller.expiresAt?.toISOString() ?? null,
    limits: limits.map(({ name, limit, remaining, windowSeconds, resetSeconds }) => ({
      name,
      limit,
      remaining,
      window_seconds: windowSeconds,
      reset_seconds: resetSeconds,
    })),
  }
}

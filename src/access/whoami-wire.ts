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

const Person = named(
  'CallerPerson',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
  }),
)

/** Who is behind the caller, where that is a person. */
export type CallerPerson = Static<typeof Person>

export const Whoami = named(
  'Whoami',
  Type.Object({
    credential: Type.Union(
      [Type.Literal('session'), Type.Literal('token'), Type.Literal('local')],
      {
        description:
          'By what you are known: the session of a browser, a token, or the socket in the data folder.',
      },
    ),
    token_id: Type.String({ description: 'Of a session it is the id of its person.' }),
    session_id: Type.Union([Type.String(), Type.Null()], {
      description: 'Null without a session.',
    }),
    person: Type.Union([Person, Type.Null()], {
      description: 'Who is signed in or owns the token; null where that is no person.',
    }),
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
  person: CallerPerson | null,
  limits: readonly CountedLimit[],
): Static<typeof Whoami> {
  return {
    credential: readCredentialKind(caller),
    token_id: caller.tokenId,
    session_id: caller.session?.id ?? null,
    person,
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

function readCredentialKind({ tokenId, session }: Caller): Static<typeof Whoami>['credential'] {
  if (session !== undefined) return 'session'
  return tokenId === 'local' ? 'local' : 'token'
}

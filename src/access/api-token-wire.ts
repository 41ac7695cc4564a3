// The wire of API tokens (design sections 6, 9 and 10). The secret is in the answer that creates it
// and nowhere else.

import { Type } from 'typebox'
import { pageOf } from '../vocabulary/page-wire.ts'

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

export const ApiTokenPage = pageOf(Type.Object(TOKEN_MEMBERS))

export const CreatedApiToken = Type.Object({
  ...TOKEN_MEMBERS,
  token: Type.String({ description: 'The secret, shown this once.' }),
})

/**
 * `scopes` are judged by the endpoint against those of the caller; a name that is no scope is
 * refused there too.
 */
export const NewApiToken = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'What it is for.' }),
    scopes: Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: 64,
      description: 'What it may do; none that the caller lacks.',
    }),
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
        description: 'In 90 days when left out; null for a token that does not expire.',
      }),
    ),
  },
  { additionalProperties: false },
)

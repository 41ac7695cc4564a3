// The wire of GET /beta/whoami: what the presented token is and may do.

import { type Static, Type } from 'typebox'
import type { Caller } from '../vocabulary/caller.ts'
import { named } from '../vocabulary/named-schema.ts'

export const Whoami = named(
  'Whoami',
  Type.Object({
    token_id: Type.String(),
    name: Type.String(),
    tenant_id: Type.String(),
    scopes: Type.Array(Type.String()),
    contact_email: Type.Union([Type.String({ format: 'email' }), Type.Null()]),
  }),
)

export function presentWhoami(caller: Caller): Static<typeof Whoami> {
  return {
    token_id: caller.tokenId,
    name: caller.name,
    tenant_id: caller.tenantId,
    scopes: [...caller.scopes],
    contact_email: caller.contactEmail,
  }
}

// The wire of GET /beta/whoami: what the presented token is and may do.

import { Type } from 'typebox'

export const Whoami = Type.Object({
  token_id: Type.String(),
  name: Type.String(),
  tenant_id: Type.String(),
  scopes: Type.Array(Type.String()),
  contact_email: Type.Union([Type.String({ format: 'email' }), Type.Null()]),
})

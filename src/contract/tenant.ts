// The wire of tenants (design section 9): the hard wall between owners of cases.

import { Type } from 'typebox'
import { pageOf } from './page.ts'

export const Tenant = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
})
export const TenantPage = pageOf(Tenant)

export const NewTenant = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
      description: 'Lower-case letters, digits and hyphens, as in a host name.',
    }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { additionalProperties: false },
)

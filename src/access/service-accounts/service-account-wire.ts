// The wire of service accounts: programs of a tenant that own tokens.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { ServiceAccountRecord } from './service-account-store.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What people read, such as "Mail gateway in Oslo".',
})

export const ServiceAccount = named(
  'ServiceAccount',
  Type.Object({
    id: Type.String(),
    tenant_id: Type.String(),
    name: Type.String({ description: 'What people read.' }),
    live_tokens: Type.Integer({ description: 'Its tokens that are neither revoked nor expired.' }),
    created_at: Type.String({ format: 'date-time' }),
    changed_at: Type.String({ format: 'date-time' }),
  }),
)
export const ServiceAccountPage = pageOf(ServiceAccount)

export const NewServiceAccount = named(
  'NewServiceAccount',
  Type.Object(
    {
      id: Type.String({
        pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
        maxLength: 63,
        description: 'How tokens name it: lower case letters, digits and hyphens.',
      }),
      name: Name,
    },
    { additionalProperties: false },
  ),
)

export const ServiceAccountPatch = named(
  'ServiceAccountPatch',
  Type.Object({ name: Name }, { additionalProperties: false }),
)

export function presentServiceAccount(
  account: ServiceAccountRecord,
): Static<typeof ServiceAccount> {
  return {
    id: account.id,
    tenant_id: account.tenantId,
    name: account.name,
    live_tokens: account.liveTokens,
    created_at: account.createdAt.toISOString(),
    changed_at: account.changedAt.toISOString(),
  }
}

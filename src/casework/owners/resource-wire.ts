// Resources: what an event can be about and whose it was at which time: ranges of addresses,
// domains, accounts (design section 5.2).

import { Type } from 'typebox'
import { pageOf } from '../../vocabulary/page-wire.ts'
import { NEW_VALIDITY_MEMBERS, VALIDITY_MEMBERS, VALIDITY_PATCH_MEMBERS } from './contract-wire.ts'
import { OWNER_RECORD_MEMBERS, OwnerId, VERSION_MEMBER } from './customer-wire.ts'

export const ResourceKind = Type.Union([
  Type.Literal('ip_range'),
  Type.Literal('domain'),
  Type.Literal('account'),
])

const VALUE =
  'An address, a CIDR block or first-last; a domain, which stands for the names below it too; or an account as events name it.'

export const Resource = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: ResourceKind,
  value: Type.String({ description: VALUE }),
  customer_id: OwnerId,
  contract_id: Type.Optional(OwnerId),
  ...VALIDITY_MEMBERS,
  ...OWNER_RECORD_MEMBERS,
})
export const ResourceList = pageOf(Resource)

export const NewResource = Type.Object(
  {
    kind: ResourceKind,
    value: Type.String({ minLength: 1, maxLength: 256, description: VALUE }),
    customer_id: OwnerId,
    contract_id: Type.Optional(OwnerId),
    ...NEW_VALIDITY_MEMBERS,
  },
  { additionalProperties: false },
)

export const ResourcePatch = Type.Object(
  {
    ...VERSION_MEMBER,
    customer_id: Type.Optional(OwnerId),
    contract_id: Type.Optional(Type.Union([OwnerId, Type.Null()])),
    ...VALIDITY_PATCH_MEMBERS,
  },
  { additionalProperties: false },
)

// Contracts: any grouping of what a customer has (a line, a server, a campaign), by the operator's
// own ids, with validity.

import { Type } from 'typebox'
import { pageOf } from '../../vocabulary/page-wire.ts'
import {
  OWNER_RECORD_MEMBERS,
  OwnerId,
  OwnerMetadata,
  OwnerName,
  VERSION_MEMBER,
} from './customer-wire.ts'

/** A date (midnight UTC) or a date-time with a zone. */
const ValidityTime = Type.String({ minLength: 10, maxLength: 35 })

export const VALIDITY_MEMBERS = {
  valid_from: Type.Optional(
    Type.String({ format: 'date-time', description: 'From this time on; absent: since ever.' }),
  ),
  valid_until: Type.Optional(
    Type.String({ format: 'date-time', description: 'Before this time; absent: without end.' }),
  ),
}

export const NEW_VALIDITY_MEMBERS = {
  valid_from: Type.Optional(ValidityTime),
  valid_until: Type.Optional(ValidityTime),
}
export const VALIDITY_PATCH_MEMBERS = {
  valid_from: Type.Optional(Type.Union([ValidityTime, Type.Null()])),
  valid_until: Type.Optional(Type.Union([ValidityTime, Type.Null()])),
}

export const Contract = Type.Object({
  id: OwnerId,
  customer_id: OwnerId,
  name: Type.Optional(OwnerName),
  ...VALIDITY_MEMBERS,
  metadata: OwnerMetadata,
  ...OWNER_RECORD_MEMBERS,
})
export const ContractList = pageOf(Contract)

export const NewContract = Type.Object(
  {
    id: OwnerId,
    customer_id: OwnerId,
    name: Type.Optional(OwnerName),
    ...NEW_VALIDITY_MEMBERS,
    metadata: Type.Optional(OwnerMetadata),
  },
  { additionalProperties: false },
)

export const ContractPatch = Type.Object(
  {
    ...VERSION_MEMBER,
    name: Type.Optional(Type.Union([OwnerName, Type.Null()])),
    ...VALIDITY_PATCH_MEMBERS,
    metadata: Type.Optional(OwnerMetadata),
  },
  { additionalProperties: false },
)

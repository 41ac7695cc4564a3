// Customers: who is responsible for the resources that events are about, known by the operator's
// own ids (design section 5.2).

import { Type } from 'typebox'
import { pageOf } from '../../vocabulary/page-wire.ts'

/** Ids of customers and contracts are those of the operator's own systems, and opaque here. */
export const OwnerId = Type.String({ minLength: 1, maxLength: 256 })
export const OwnerName = Type.String({ minLength: 1, maxLength: 200 })
export const OwnerMetadata = Type.Object({}, { additionalProperties: true })

/** What the server adds to every record of an owner. */
export const OWNER_RECORD_MEMBERS = {
  version: Type.Integer({ description: 'Raised by every change; send it with PATCH.' }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
}

export const VERSION_MEMBER = {
  version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The version you decided on, or send If-Match.' }),
  ),
}

const CONTACT_STATE = Type.Union(
  [Type.Literal('active'), Type.Literal('bounced'), Type.Literal('disabled')],
  { description: 'active when left out.' },
)

const CONTACT_MEMBERS = {
  email: Type.String({ minLength: 3, maxLength: 254 }),
  language: Type.Optional(
    Type.String({
      maxLength: 35,
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      description: 'BCP 47, such as de or pt-BR.',
    }),
  ),
  purpose: Type.Optional(
    Type.String({ minLength: 1, maxLength: 50, description: 'abuse, technical, billing …' }),
  ),
}

const Contacts = Type.Array(Type.Object({ ...CONTACT_MEMBERS, state: CONTACT_STATE }))
// More people than any notice is sent to.
const NewContacts = Type.Array(
  Type.Object(
    { ...CONTACT_MEMBERS, state: Type.Optional(CONTACT_STATE) },
    { additionalProperties: false },
  ),
  { maxItems: 20 },
)

export const Customer = Type.Object({
  id: OwnerId,
  name: Type.Optional(OwnerName),
  parent_customer_id: Type.Optional(OwnerId),
  contacts: Contacts,
  metadata: OwnerMetadata,
  ...OWNER_RECORD_MEMBERS,
})
export const CustomerList = pageOf(Customer)

export const NewCustomer = Type.Object(
  {
    id: OwnerId,
    name: Type.Optional(OwnerName),
    parent_customer_id: Type.Optional(
      Type.String({ ...OwnerId, description: 'The reseller it is a customer of.' }),
    ),
    contacts: Type.Optional(NewContacts),
    metadata: Type.Optional(OwnerMetadata),
  },
  { additionalProperties: false },
)

export const CustomerPatch = Type.Object(
  {
    ...VERSION_MEMBER,
    name: Type.Optional(Type.Union([OwnerName, Type.Null()])),
    parent_customer_id: Type.Optional(Type.Union([OwnerId, Type.Null()])),
    contacts: Type.Optional(NewContacts),
    metadata: Type.Optional(OwnerMetadata),
  },
  { additionalProperties: false },
)

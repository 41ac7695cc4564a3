// Customers, contracts and resources: who is responsible for the addresses, domains and accounts
// that events are about (design section 5.2, docs/guides/customers.md).

import { type Static, type TSchema, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import { ProblemLocations } from '../../vocabulary/problem-wire.ts'
import type { ContractRow, CustomerRow, ResourceRow } from './owner-store.ts'
import type { OwnersImported } from './save-owners.ts'

/**
 * Ids of customers and contracts come from the operator's own systems; Casework does not read them.
 */
export const OwnerId = Type.String({ minLength: 1, maxLength: 256 })
const OwnerName = Type.String({ minLength: 1, maxLength: 200 })
const OwnerMetadata = Type.Object({}, { additionalProperties: true })

/** Members that the server adds to every record. */
const OWNER_RECORD_MEMBERS = {
  version: Type.Integer({ description: 'Raised by every change; send it with PATCH.' }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
}

const VERSION_MEMBER = {
  version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The version you decided on, or send If-Match.' }),
  ),
}

const CONTACT_STATE = Type.Union(
  [Type.Literal('active'), Type.Literal('bounced'), Type.Literal('disabled')],
  { description: '`active` when left out.' },
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

const Contacts = Type.Array(
  named('Contact', Type.Object({ ...CONTACT_MEMBERS, state: CONTACT_STATE })),
)
// No notice is sent to more people.
const NewContacts = Type.Array(
  named(
    'NewContact',
    Type.Object(
      { ...CONTACT_MEMBERS, state: Type.Optional(CONTACT_STATE) },
      { additionalProperties: false },
    ),
  ),
  { maxItems: 20 },
)

export const Customer = named(
  'Customer',
  Type.Object({
    id: OwnerId,
    name: Type.Optional(OwnerName),
    parent_customer_id: Type.Optional(OwnerId),
    contacts: Contacts,
    metadata: OwnerMetadata,
    ...OWNER_RECORD_MEMBERS,
  }),
)
export const CustomerList = pageOf(
  named(
    'ListedCustomer',
    Type.Object({
      ...Customer.properties,
      open_cases: Type.Optional(
        Type.Integer({ description: 'New and in progress; only with `expand=open_cases`.' }),
      ),
    }),
  ),
)

export function presentCustomer(row: CustomerRow): Static<typeof Customer> {
  return omitNulls<Static<typeof Customer>>({
    id: row.id,
    name: row.name,
    parent_customer_id: row.parent_customer_id,
    contacts: row.contacts,
    metadata: row.metadata,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })
}

export const NewCustomer = named(
  'NewCustomer',
  Type.Object(
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
  ),
)

export const CustomerPatch = named(
  'CustomerPatch',
  Type.Object(
    {
      ...VERSION_MEMBER,
      name: Type.Optional(Type.Union([OwnerName, Type.Null()])),
      parent_customer_id: Type.Optional(Type.Union([OwnerId, Type.Null()])),
      contacts: Type.Optional(NewContacts),
      metadata: Type.Optional(OwnerMetadata),
    },
    { additionalProperties: false },
  ),
)

// Contracts group the resources of a customer (a line, a server, a campaign).

/** A date (midnight UTC) or a date-time with a zone. */
const ValidityTime = Type.String({ minLength: 10, maxLength: 35 })

const VALIDITY_MEMBERS = {
  valid_from: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Valid from this time on; without a start when absent.',
    }),
  ),
  valid_until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Valid before this time; without an end when absent.',
    }),
  ),
}

const NEW_VALIDITY_MEMBERS = {
  valid_from: Type.Optional(ValidityTime),
  valid_until: Type.Optional(ValidityTime),
}
const VALIDITY_PATCH_MEMBERS = {
  valid_from: Type.Optional(Type.Union([ValidityTime, Type.Null()])),
  valid_until: Type.Optional(Type.Union([ValidityTime, Type.Null()])),
}

export const Contract = named(
  'Contract',
  Type.Object({
    id: OwnerId,
    customer_id: OwnerId,
    name: Type.Optional(OwnerName),
    ...VALIDITY_MEMBERS,
    metadata: OwnerMetadata,
    ...OWNER_RECORD_MEMBERS,
  }),
)
export const ContractList = pageOf(Contract)

export function presentContract(row: ContractRow): Static<typeof Contract> {
  return omitNulls<Static<typeof Contract>>({
    id: row.id,
    customer_id: row.customer_id,
    name: row.name,
    valid_from: row.valid_from,
    valid_until: row.valid_until,
    metadata: row.metadata,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })
}

export const NewContract = named(
  'NewContract',
  Type.Object(
    {
      id: OwnerId,
      customer_id: OwnerId,
      name: Type.Optional(OwnerName),
      ...NEW_VALIDITY_MEMBERS,
      metadata: Type.Optional(OwnerMetadata),
    },
    { additionalProperties: false },
  ),
)

export const ContractPatch = named(
  'ContractPatch',
  Type.Object(
    {
      ...VERSION_MEMBER,
      name: Type.Optional(Type.Union([OwnerName, Type.Null()])),
      ...VALIDITY_PATCH_MEMBERS,
      metadata: Type.Optional(OwnerMetadata),
    },
    { additionalProperties: false },
  ),
)

export const ResourceKind = named(
  'ResourceKind',
  Type.Union([Type.Literal('ip_range'), Type.Literal('domain'), Type.Literal('account')]),
)

const VALUE =
  'An address, a CIDR block or first-last; a domain, which includes the names below it; or an account as events name it.'

export const Resource = named(
  'Resource',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    kind: ResourceKind,
    value: Type.String({ description: VALUE }),
    customer_id: OwnerId,
    contract_id: Type.Optional(OwnerId),
    ...VALIDITY_MEMBERS,
    ...OWNER_RECORD_MEMBERS,
  }),
)
export const ResourceList = pageOf(Resource)

export function presentResource(row: ResourceRow): Static<typeof Resource> {
  return omitNulls<Static<typeof Resource>>({
    id: row.id,
    kind: row.kind,
    value: row.value,
    customer_id: row.customer_id,
    contract_id: row.contract_id,
    valid_from: row.valid_from,
    valid_until: row.valid_until,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })
}

export const NewResource = named(
  'NewResource',
  Type.Object(
    {
      kind: ResourceKind,
      value: Type.String({ minLength: 1, maxLength: 256, description: VALUE }),
      customer_id: OwnerId,
      contract_id: Type.Optional(OwnerId),
      ...NEW_VALIDITY_MEMBERS,
    },
    { additionalProperties: false },
  ),
)

export const ResourcePatch = named(
  'ResourcePatch',
  Type.Object(
    {
      ...VERSION_MEMBER,
      customer_id: Type.Optional(OwnerId),
      contract_id: Type.Optional(Type.Union([OwnerId, Type.Null()])),
      ...VALIDITY_PATCH_MEMBERS,
    },
    { additionalProperties: false },
  ),
)

// Many records at once: a wrong row is reported at its position and does not stop the others.

export const OWNER_ROWS_MAX = 10_000

export function rowsOf<Row extends TSchema>(row: Row) {
  return Type.Array(row, { minItems: 1, maxItems: OWNER_ROWS_MAX })
}

export const OwnerImport = named(
  'OwnerImport',
  Type.Object({
    accepted: Type.Integer({ description: 'Rows that were stored.' }),
    rejected: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Position of the row, counted from 0.' }),
        reason: Type.String(),
        errors: Type.Optional(ProblemLocations),
      }),
    ),
  }),
)

export function presentImport({ accepted, rejected }: OwnersImported): Static<typeof OwnerImport> {
  return {
    accepted,
    rejected: rejected.map(({ index, reason, problems }) =>
      problems.length === 0 ? { index, reason } : { index, reason, errors: [...problems] },
    ),
  }
}

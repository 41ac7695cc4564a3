// The wire of customers, contracts and resources: what their endpoints have in common, and what
// differs.

import { type TSchema, Type } from 'typebox'
import { parseRecordId } from '../../kernel/http/record-ids.ts'
import { parseAddressSpan } from '../../values/address-span.ts'
import { isStorableText } from '../../values/storable-text.ts'
import { parseDomainName } from '../../vocabulary/target.ts'
import { Contract, ContractList, ContractPatch, NewContract } from './contract-wire.ts'
import { Customer, CustomerList, CustomerPatch, NewCustomer, OwnerId } from './customer-wire.ts'
import {
  CONTRACT_KIND,
  CUSTOMER_KIND,
  type OwnerInput,
  type OwnerKind,
  RESOURCE_KIND,
} from './owner-kind.ts'
import type { OwnerFilter, OwnerRow } from './owner-store.ts'
import {
  NewResource,
  Resource,
  ResourceKind,
  ResourceList,
  ResourcePatch,
} from './resource-wire.ts'

/** What the filters of all three lists are called; each list declares its own. */
export interface OwnerQuery {
  readonly parent_customer_id?: string
  readonly customer_id?: string
  readonly contract_id?: string
  readonly kind?: string
  readonly value?: string
}

export interface OwnerRecords {
  readonly kind: OwnerKind
  /** As in operation ids: `Customer`. */
  readonly title: string
  /** `/beta/casework/customers`. */
  readonly path: string
  readonly parameter: string
  readonly schema: TSchema
  readonly listSchema: TSchema
  readonly newSchema: TSchema
  readonly patchSchema: TSchema
  readonly filters: Readonly<Record<string, TSchema>>
}

export const CUSTOMERS: OwnerRecords = {
  kind: CUSTOMER_KIND,
  title: 'Customer',
  path: '/beta/casework/customers',
  parameter: 'customerId',
  schema: Customer,
  listSchema: CustomerList,
  newSchema: NewCustomer,
  patchSchema: CustomerPatch,
  filters: { parent_customer_id: Type.Optional(OwnerId) },
}

export const CONTRACTS: OwnerRecords = {
  kind: CONTRACT_KIND,
  title: 'Contract',
  path: '/beta/casework/contracts',
  parameter: 'contractId',
  schema: Contract,
  listSchema: ContractList,
  newSchema: NewContract,
  patchSchema: ContractPatch,
  filters: { customer_id: Type.Optional(OwnerId) },
}

export const RESOURCES: OwnerRecords = {
  kind: RESOURCE_KIND,
  title: 'Resource',
  path: '/beta/casework/resources',
  parameter: 'resourceId',
  schema: Resource,
  listSchema: ResourceList,
  newSchema: NewResource,
  patchSchema: ResourcePatch,
  filters: {
    customer_id: Type.Optional(OwnerId),
    contract_id: Type.Optional(OwnerId),
    kind: Type.Optional(ResourceKind),
    value: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'In any spelling of the value.' }),
    ),
  },
}

/** A body that was checked against the schema of these records. */
export function readOwnerInput(body: unknown): OwnerInput {
  // The schema has checked the shape; this is where it becomes the type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return body as OwnerInput
}

/** Null for what can be the id of none, which answers like a missing one. */
export function readOwnerId(records: OwnerRecords, params: unknown): string | null {
  const text: unknown = Object(params)[records.parameter]
  if (typeof text !== 'string' || !isStorableText(text)) return null
  return records.kind.table.idType === 'uuid' ? parseRecordId(text) : text
}

export function readOwnerFilter({ value, ...rest }: OwnerQuery): OwnerFilter {
  if (value === undefined) return rest
  const span = parseAddressSpan(value)
  return {
    ...rest,
    value: typeof span === 'string' ? (parseDomainName(value) ?? value) : span.text,
  }
}

/** Members without a value are left out. */
export function presentOwner(row: OwnerRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

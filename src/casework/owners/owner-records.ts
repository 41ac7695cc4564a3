// Customers, contracts and resources share their endpoints; this is where they differ.

import { type Static, type TSchema, Type } from 'typebox'
import { readTextFilter } from '../../kernel/http/read-filters.ts'
import { parseAddressSpan } from '../../values/address-span.ts'
import { parseDomain } from '../../values/domain.ts'
import { isStorableText } from '../../values/json-value.ts'
import { parseRecordId } from '../../values/uuid.ts'
import {
  CONTRACT_KIND,
  CUSTOMER_KIND,
  type OwnerInput,
  type OwnerKind,
  RESOURCE_KIND,
} from './owner-kind.ts'
import type { OwnerFilter, OwnerRow } from './owner-store.ts'
import {
  Contract,
  ContractList,
  ContractPatch,
  Customer,
  CustomerList,
  CustomerPatch,
  NewContract,
  NewCustomer,
  NewResource,
  OwnerId,
  presentContract,
  presentCustomer,
  presentResource,
  Resource,
  ResourceKind,
  ResourceList,
  ResourcePatch,
} from './owner-wire.ts'

/** The filters of all three lists by name; each list declares its own. */
export interface OwnerQuery {
  readonly parent_customer_id?: string
  readonly text?: string
  readonly expand?: 'open_cases'
  readonly customer_id?: string
  readonly contract_id?: string
  readonly kind?: string
  readonly value?: string
}

interface OwnerPatch {
  /** The version that the caller decided on; undefined when only If-Match names it. */
  readonly version: number | undefined
  readonly input: OwnerInput
}

export interface OwnerRecords<
  Row extends OwnerRow = OwnerRow,
  New extends TSchema = TSchema,
  Patch extends TSchema = TSchema,
> {
  readonly kind: OwnerKind
  /** As in operation ids: `Customer`. */
  readonly title: string
  /** `/beta/casework/customers`. */
  readonly path: string
  readonly parameter: string
  readonly schema: TSchema
  readonly listSchema: TSchema
  readonly newSchema: New
  readonly patchSchema: Patch
  readonly filters: Readonly<Record<string, TSchema>>
  // Methods, not properties: their parameters are then compared bivariantly, so that the endpoints
  // take all three kinds. The schema has checked the body before.
  readNew(body: Static<New>): OwnerInput
  readPatch(body: Static<Patch>): OwnerPatch
  present(row: Row): object
}

/** Types the functions from the schemas. */
function defineOwnerRecords<Row extends OwnerRow, New extends TSchema, Patch extends TSchema>(
  records: OwnerRecords<Row, New, Patch>,
): OwnerRecords {
  return records
}

export const CUSTOMERS = defineOwnerRecords({
  kind: CUSTOMER_KIND,
  title: 'Customer',
  path: '/beta/casework/customers',
  parameter: 'customerId',
  schema: Customer,
  listSchema: CustomerList,
  newSchema: NewCustomer,
  patchSchema: CustomerPatch,
  filters: {
    parent_customer_id: Type.Optional(OwnerId),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Every word of it is a part of the id or the name.',
      }),
    ),
    expand: Type.Optional(
      Type.Literal('open_cases', { description: 'Each entry also has `open_cases`.' }),
    ),
  },
  readNew: (body) => body,
  readPatch: ({ version, ...input }) => ({ version, input }),
  present: presentCustomer,
})

export const CONTRACTS = defineOwnerRecords({
  kind: CONTRACT_KIND,
  title: 'Contract',
  path: '/beta/casework/contracts',
  parameter: 'contractId',
  schema: Contract,
  listSchema: ContractList,
  newSchema: NewContract,
  patchSchema: ContractPatch,
  filters: { customer_id: Type.Optional(OwnerId) },
  readNew: (body) => body,
  readPatch: ({ version, ...input }) => ({ version, input }),
  present: presentContract,
})

export const RESOURCES = defineOwnerRecords({
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
  readNew: (body) => body,
  readPatch: ({ version, ...input }) => ({ version, input }),
  present: presentResource,
})

/** Null for a text that cannot be an id; the caller answers 404, as for an unknown id. */
export function readOwnerId(records: OwnerRecords, params: unknown): string | null {
  const text: unknown = Object(params)[records.parameter]
  if (typeof text !== 'string' || !isStorableText(text)) return null
  return records.kind.table.idType === 'uuid' ? parseRecordId(text) : text
}

export function readOwnerFilter({ value, ...given }: Omit<OwnerQuery, 'expand'>): OwnerFilter {
  const rest = given.text === undefined ? given : { ...given, text: readTextFilter(given.text) }
  return value === undefined ? rest : { ...rest, values: listSpellings(value) }
}

/** An account is stored as it was sent, a range or a domain in its canonical form. */
function listSpellings(value: string): readonly string[] {
  const span = parseAddressSpan(value)
  const canonical = typeof span === 'string' ? parseDomain(value) : span.text
  return [...new Set([value, canonical ?? value])]
}

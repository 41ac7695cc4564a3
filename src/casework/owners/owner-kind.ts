// The three kinds of owner records: their identity, and the checks of their members. A single
// change and every row of an import pass the same checks.

import type { Tx } from '../../kernel/db/database.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { OwnerNoun } from './errors.ts'
import {
  checkContacts,
  isParentLoop,
  listParents,
  readMetadata,
  readResourceValue,
  readValidity,
} from './owner.ts'
import { findParents, lockContracts, lockCustomers, lockParents } from './owner-reference-store.ts'
import {
  CONTRACT_TABLE,
  CUSTOMER_TABLE,
  lockOwners,
  lockResources,
  type OwnerContact,
  type OwnerFields,
  type OwnerRow,
  type OwnerTable,
  RESOURCE_TABLE,
} from './owner-store.ts'

/**
 * A record as it was sent, of the right shape: an absent member stays as it is, null removes its
 * value.
 */
export type OwnerInput = Omit<Partial<OwnerFields>, 'contacts' | 'metadata'> & {
  readonly contacts?: readonly (Omit<OwnerContact, 'state'> & Partial<OwnerContact>)[]
  readonly metadata?: object
}

export interface OwnerKind {
  readonly noun: OwnerNoun
  readonly table: OwnerTable
  /** The input with canonical values. Every fault is added to `problems`. */
  readonly normalise: (fields: OwnerInput, problems: FieldProblem[]) => Partial<OwnerFields>
  /**
   * Before any other lock of a transaction that writes these rows: what is checked of them stays
   * true until it ends.
   */
  readonly lockChecked: (
    tx: Tx,
    scope: TenantScope,
    rows: readonly Pick<OwnerInput, 'parent_customer_id'>[],
  ) => Promise<void>
  /** The identity of a record: equal for two rows that mean the same one. */
  readonly identify: (fields: Partial<OwnerFields>) => string
  /** Locks and returns the existing records of the rows that are about to be written. */
  readonly lockPresent: (
    tx: Tx,
    scope: TenantScope,
    rows: readonly Partial<OwnerFields>[],
  ) => Promise<readonly OwnerRow[]>
  /**
   * Rows that refer to a record that does not exist. The references of the other rows stay valid
   * until the transaction ends.
   */
  readonly findWrongReferences: (
    tx: Tx,
    scope: TenantScope,
    rows: readonly OwnerFields[],
  ) => Promise<ReadonlyMap<OwnerFields, FieldProblem>>
}

const lockNothing: OwnerKind['lockChecked'] = async () => undefined

const lockById =
  (table: OwnerTable): OwnerKind['lockPresent'] =>
  (tx, scope, rows) =>
    lockOwners(
      tx,
      scope,
      table,
      rows.flatMap(({ id }) => (id === undefined ? [] : [id])),
    )

export const CUSTOMER_KIND: OwnerKind = {
  noun: 'customer',
  table: CUSTOMER_TABLE,
  normalise(fields, problems) {
    const { contacts, metadata, ...rest } = fields
    checkContacts(contacts ?? [], problems)
    return {
      ...rest,
      ...readMetadata(metadata, problems),
      ...(contacts === undefined
        ? {}
        : { contacts: contacts.map((one) => ({ ...one, state: one.state ?? 'active' })) }),
    }
  },
  async lockChecked(tx, scope, rows) {
    const areParentsNamed = rows.some((row) => typeof row.parent_customer_id === 'string')
    if (areParentsNamed) await lockParents(tx, scope)
  },
  identify: (fields) => fields.id ?? '',
  lockPresent: lockById(CUSTOMER_TABLE),
  findWrongReferences: findWrongParents,
}

export const CONTRACT_KIND: OwnerKind = {
  noun: 'contract',
  table: CONTRACT_TABLE,
  normalise(fields, problems) {
    const { contacts: _, metadata, ...rest } = fields
    return { ...withValidity(rest, problems), ...readMetadata(metadata, problems) }
  },
  lockChecked: lockNothing,
  identify: (fields) => fields.id ?? '',
  lockPresent: lockById(CONTRACT_TABLE),
  findWrongReferences: findUnknownCustomers,
}

export const RESOURCE_KIND: OwnerKind = {
  noun: 'resource',
  table: RESOURCE_TABLE,
  normalise(fields, problems) {
    const { contacts: _, metadata: __, ...rest } = fields
    const timed = withValidity(rest, problems)
    if (fields.kind === undefined || fields.value === undefined) return timed
    const value = readResourceValue(fields.kind, fields.value, problems)
    return value === null ? timed : { ...timed, value }
  },
  lockChecked: lockNothing,
  identify: ({ kind, value, valid_from: from }) => JSON.stringify([kind, value, from ?? null]),
  lockPresent: (tx, scope, rows) =>
    lockResources(
      tx,
      scope,
      rows.flatMap(({ kind, value, valid_from: from }) =>
        kind === undefined || value === undefined ? [] : [{ kind, value, validFrom: from ?? null }],
      ),
    ),
  async findWrongReferences(tx, scope, rows) {
    const wrong = new Map(await findUnknownCustomers(tx, scope, rows))
    const contractIds = rows.flatMap(({ contract_id: id }) => (typeof id === 'string' ? [id] : []))
    const customers = await lockContracts(tx, scope, [...new Set(contractIds)])
    for (const row of rows) {
      if (typeof row.contract_id !== 'string' || wrong.has(row)) continue
      if (customers.get(row.contract_id) === row.customer_id) continue
      wrong.set(row, { path: '/contract_id', reason: 'names no contract of this customer' })
    }
    return wrong
  },
}

function withValidity(
  fields: Partial<OwnerFields>,
  problems: FieldProblem[],
): Partial<OwnerFields> {
  const { from, until } = readValidity(fields, problems)
  return {
    ...fields,
    ...(fields.valid_from === undefined ? {} : { valid_from: from }),
    ...(fields.valid_until === undefined ? {} : { valid_until: until }),
  }
}

const NO_CUSTOMER = 'names no customer'

async function findUnknownCustomers(
  tx: Tx,
  scope: TenantScope,
  rows: readonly OwnerFields[],
): Promise<ReadonlyMap<OwnerFields, FieldProblem>> {
  const ids = rows.map((row) => row.customer_id ?? '')
  const known = await lockCustomers(tx, scope, [...new Set(ids)])
  const problem = { path: '/customer_id', reason: NO_CUSTOMER }
  return new Map(
    rows.flatMap((row) => (known.has(row.customer_id ?? '') ? [] : [[row, problem] as const])),
  )
}

const PARENT_LOOP = 'leads back to a customer below it, or up more levels than resellers have'
const BELOW_REFUSED = 'leads up to a customer whose row is refused'

/** A parent may be in the same batch, before or after its child, if it is valid itself. */
async function findWrongParents(
  tx: Tx,
  scope: TenantScope,
  rows: readonly OwnerFields[],
): Promise<ReadonlyMap<OwnerFields, FieldProblem>> {
  const children = rows.filter((row) => typeof row.parent_customer_id === 'string')
  const parentIds = [...new Set(children.map((row) => row.parent_customer_id ?? ''))]
  const locked = await lockCustomers(tx, scope, parentIds)
  const parents = new Map(await findParents(tx, scope, parentIds))
  for (const row of rows) parents.set(row.id, row.parent_customer_id ?? null)
  const ids = new Set(rows.map(({ id }) => id))
  const wrong = new Map<OwnerFields, FieldProblem>()
  const refuse = (row: OwnerFields, reason: string): void =>
    void wrong.set(row, { path: '/parent_customer_id', reason })
  for (const row of children) {
    const parentId = row.parent_customer_id ?? ''
    if (isParentLoop(row.id, parents)) refuse(row, PARENT_LOOP)
    else if (!locked.has(parentId) && !ids.has(parentId)) refuse(row, NO_CUSTOMER)
  }
  // A refused row is not stored, or keeps the parent that it has on record: what stands above it is
  // not what was checked for the rows below it.
  const refusedIds = new Set([...wrong.keys()].map(({ id }) => id))
  for (const row of children) {
    if (wrong.has(row) || !listParents(row.id, parents).some((id) => refusedIds.has(id))) continue
    refuse(row, locked.has(row.parent_customer_id ?? '') ? BELOW_REFUSED : NO_CUSTOMER)
  }
  return wrong
}

// Creates, changes, deletes and imports customers, contracts and resources. A wrong row of an
// import does not stop the others.

import { isDeepStrictEqual } from 'node:util'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction, RetryTransaction, type Tx } from '../../kernel/db/database.ts'
import { isKeyTaken, readErrorCode } from '../../kernel/db/trouble-codes.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { ownerInUse, ownerIsStale, ownerNotFound, ownerNotValid, ownerTaken } from './errors.ts'
import type { OwnerInput, OwnerKind } from './owner-kind.ts'
import {
  deleteOwner,
  insertOwners,
  lockOwners,
  type OwnerFields,
  type OwnerRow,
  updateOwners,
} from './owner-store.ts'

export interface OwnerDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly ids: IdSource
}

/** Throws `ownerNotValid` with every fault, and `ownerTaken` when the identity is taken. */
export async function createOwner(
  { db, audit, ids }: OwnerDeps,
  scope: TenantScope,
  kind: OwnerKind,
  input: OwnerInput,
): Promise<OwnerRow> {
  const fields = requireValid(kind, input)
  return await inTransaction(db, async (tx) => {
    await kind.lockChecked(tx, scope, [fields])
    const row = complete(kind, { id: ids.nextUuid(), ...fields })
    await requireReferences(tx, scope, kind, row)
    const [stored] = await insertOwners(tx, scope, kind.table, [row])
    if (stored === undefined) throw ownerTaken(kind.noun)
    const { tenantId } = scope
    await audit.record(tx, `${kind.noun}.create`, { tenantId, id: stored.id, after: row })
    return stored
  })
}

export interface OwnerChange {
  readonly id: string
  /** Null accepts any version. */
  readonly expectedVersion: number | null
  readonly input: OwnerInput
}

/** The record after the change. A change without effect keeps the version. */
export async function changeOwner(
  { db, audit }: Pick<OwnerDeps, 'db' | 'audit'>,
  scope: TenantScope,
  kind: OwnerKind,
  { id, expectedVersion, input }: OwnerChange,
): Promise<OwnerRow> {
  try {
    return await inTransaction(db, async (tx) => {
      await kind.lockChecked(tx, scope, [input])
      const [current] = await lockOwners(tx, scope, kind.table, [id])
      if (current === undefined) throw ownerNotFound(kind.noun)
      if (expectedVersion !== null && expectedVersion !== current.version) {
        throw ownerIsStale(kind.noun)
      }
      const present = readFields(kind, current)
      const row = complete(kind, {
        ...present,
        ...requireValid(kind, { ...present, ...input }),
        id,
      })
      if (isDeepStrictEqual(row, present)) return current
      await requireReferences(tx, scope, kind, row)
      const [stored] = await updateOwners(tx, scope, kind.table, [row])
      if (stored === undefined) throw new Error('a locked record is gone')
      await audit.record(tx, `${kind.noun}.change`, {
        tenantId: scope.tenantId,
        id,
        before: present,
        after: row,
      })
      return stored
    })
  } catch (error) {
    throw isKeyTaken(error) ? ownerTaken(kind.noun) : error
  }
}

const FOREIGN_KEY_VIOLATION = '23503'

export async function removeOwner(
  { db, audit }: Pick<OwnerDeps, 'db' | 'audit'>,
  scope: TenantScope,
  kind: OwnerKind,
  id: string,
): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      const [present] = await lockOwners(tx, scope, kind.table, [id])
      if (present === undefined) throw ownerNotFound(kind.noun)
      await deleteOwner(tx, scope, kind.table, id)
      await audit.record(tx, `${kind.noun}.delete`, {
        tenantId: scope.tenantId,
        id,
        before: readFields(kind, present),
      })
    })
  } catch (error) {
    throw readErrorCode(error) === FOREIGN_KEY_VIOLATION ? ownerInUse(kind.noun) : error
  }
}

/** One row of an import: of the right shape, or the reason why not. */
export type OwnerRowInput =
  | { readonly kind: 'row'; readonly input: OwnerInput }
  | ({ readonly kind: 'refused' } & RowRefusal)

export interface RowRefusal {
  /** All problems in one sentence. */
  readonly reason: string
  /** Empty when the fault is not in a member. */
  readonly problems: readonly FieldProblem[]
}

export interface OwnersImported {
  readonly accepted: number
  readonly rejected: readonly ({ readonly index: number } & RowRefusal)[]
}

interface PlannedRow {
  readonly index: number
  readonly fields: Partial<OwnerFields>
}

/**
 * Stores the valid rows in one transaction. Members that a row leaves out stay as they are. A row
 * without effect keeps the version.
 */
export async function importOwners(
  deps: OwnerDeps,
  scope: TenantScope,
  kind: OwnerKind,
  inputs: readonly OwnerRowInput[],
): Promise<OwnersImported> {
  const refused = new Map<number, RowRefusal>()
  const planned = inputs.flatMap((entry, index): PlannedRow[] => {
    if (entry.kind === 'refused') {
      refused.set(index, entry)
      return []
    }
    const problems: FieldProblem[] = []
    const fields = kind.normalise(entry.input, problems)
    if (problems.length === 0) return [{ index, fields }]
    refused.set(index, refuseRow(problems))
    return []
  })
  const wrong = await inTransaction(deps.db, (tx) => storeRows(tx, deps, scope, kind, planned))
  for (const [index, refusal] of wrong) refused.set(index, refusal)
  const rejected = [...refused].map(([index, { reason, problems }]) => ({
    index,
    reason,
    problems,
  }))
  return {
    accepted: inputs.length - rejected.length,
    rejected: rejected.toSorted((one, other) => one.index - other.index),
  }
}

/** The indexes of the rows that could not be stored, with the reasons. */
async function storeRows(
  tx: Tx,
  { audit, ids }: OwnerDeps,
  scope: TenantScope,
  kind: OwnerKind,
  planned: readonly PlannedRow[],
): Promise<ReadonlyMap<number, RowRefusal>> {
  const given = planned.map(({ fields }) => fields)
  await kind.lockChecked(tx, scope, given)
  const locked = await kind.lockPresent(tx, scope, given)
  const present = new Map(locked.map((row) => [kind.identify(row), readFields(kind, row)]))
  const { wanted, refused } = mergeRows(kind, planned, present, ids)
  const wrong = await kind.findWrongReferences(
    tx,
    scope,
    wanted.map(({ row }) => row),
  )
  for (const { row, indexes } of wanted) {
    const problem = wrong.get(row)
    if (problem === undefined) continue
    for (const index of indexes) refused.set(index, refuseRow([problem]))
  }
  const sound = wanted.filter(({ row }) => !wrong.has(row))
  const fresh = sound.flatMap(({ row, before }) => (before === undefined ? [row] : []))
  const stored = await insertOwners(tx, scope, kind.table, fresh)
  // Another import stored one of them meanwhile: everything is decided again.
  if (stored.length < fresh.length) throw new RetryTransaction('an owner was stored meanwhile')
  const changed = sound.flatMap(({ row, before }) =>
    before === undefined || isDeepStrictEqual(row, before) ? [] : [row],
  )
  await updateOwners(tx, scope, kind.table, changed)
  if (fresh.length + changed.length > 0) {
    await audit.record(tx, `${kind.noun}.import`, {
      tenantId: scope.tenantId,
      id: 'import',
      after: { created: fresh.length, changed: changed.length },
    })
  }
  return refused
}

/** A record as it shall be after the import. */
interface WantedRow {
  row: OwnerFields
  /** The rows of the import that it is made of. */
  readonly indexes: number[]
  /** As it is stored; undefined for a new one. */
  readonly before: OwnerFields | undefined
}

/** One record for each identity, from what is stored and all rows that name it, in their order. */
function mergeRows(
  kind: OwnerKind,
  planned: readonly PlannedRow[],
  present: ReadonlyMap<string, OwnerFields>,
  ids: IdSource,
): { readonly wanted: readonly WantedRow[]; readonly refused: Map<number, RowRefusal> } {
  const wanted = new Map<string, WantedRow>()
  const refused = new Map<number, RowRefusal>()
  for (const { index, fields } of planned) {
    const key = kind.identify(fields)
    const before = present.get(key)
    const known = wanted.get(key)
    const base = known?.row ?? before ?? { id: ids.nextUuid() }
    const row = complete(kind, { ...base, ...fields })
    const faults = findFaults(kind, row, before)
    if (faults.length > 0) refused.set(index, refuseRow(faults))
    else if (known === undefined) wanted.set(key, { row, indexes: [index], before })
    else {
      known.row = row
      known.indexes.push(index)
    }
  }
  return { wanted: [...wanted.values()], refused }
}

/** Faults that only the merged row shows. */
function findFaults(
  kind: OwnerKind,
  row: OwnerFields,
  present: OwnerFields | undefined,
): readonly FieldProblem[] {
  if (
    kind.noun === 'contract' &&
    present !== undefined &&
    present.customer_id !== row.customer_id
  ) {
    const reason = 'is not the customer of this contract; ids of contracts are unique'
    return [{ path: '/customer_id', reason }]
  }
  const problems: FieldProblem[] = []
  kind.normalise(row, problems)
  return problems
}

function requireValid(kind: OwnerKind, input: OwnerInput): Partial<OwnerFields> {
  const problems: FieldProblem[] = []
  const fields = kind.normalise(input, problems)
  if (problems.length > 0) throw ownerNotValid(kind.noun, problems)
  return fields
}

async function requireReferences(
  tx: Tx,
  scope: TenantScope,
  kind: OwnerKind,
  row: OwnerFields,
): Promise<void> {
  const problem = (await kind.findWrongReferences(tx, scope, [row])).get(row)
  if (problem !== undefined) throw ownerNotValid(kind.noun, [problem])
}

/** Exactly the columns of the kind, so that two rows can be compared. */
function complete(kind: OwnerKind, fields: OwnerInput & { readonly id: string }): OwnerFields {
  const names = Object.keys(kind.table.columns)
  const given = new Map(Object.entries(fields))
  const members = names.map((name) => [name, given.get(name) ?? EMPTY.get(name) ?? null])
  return { ...Object.fromEntries(members), id: fields.id }
}

const EMPTY: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['contacts', []],
  ['metadata', {}],
])

function readFields(kind: OwnerKind, row: OwnerRow): OwnerFields {
  return complete(kind, row)
}

export function refuseRow(problems: readonly FieldProblem[]): RowRefusal {
  return { reason: problems.map(({ path, reason }) => `${path} ${reason}`).join('; '), problems }
}

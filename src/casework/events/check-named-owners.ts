// Whether the owners that a sender names exist. A typing error would open a case of a customer who
// does not exist, or of one customer under another's contract. A tenant without customers on record
// may name any (`unmatched`, design section 10).

import type { Db } from '../../kernel/db/database.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import {
  findNamedOwners,
  type NamedOwner,
  type OwnerOnRecord,
} from '../owners/owner-reference-store.ts'
import { readIngestRules } from '../rules/case-group-store.ts'
import { findKnownFingerprints } from './fingerprint-store.ts'
import type { IncomingEvent } from './incoming-event.ts'

/**
 * In the order of the owners: the problem of each, or null. One statement, and a second one when
 * there is a problem.
 */
export async function checkNamedOwners(
  db: Db,
  scope: TenantScope,
  owners: readonly NamedOwner[],
): Promise<readonly (FieldProblem | null)[]> {
  const found = await findNamedOwners(db, scope, owners)
  const problems = owners.map((owner, at) => checkOwner(owner, found[at] ?? NO_OWNER))
  if (problems.every((problem) => problem === null)) return problems
  const { unmatched } = await readIngestRules(db, scope)
  const isFree = unmatched === 'item_is_customer'
  return isFree ? problems.map((problem) => (problem === FOREIGN ? FOREIGN : null)) : problems
}

const NO_OWNER: OwnerOnRecord = { hasCustomer: false, contractCustomerId: null }
const FOREIGN: FieldProblem = { path: '/contract_id', reason: 'is a contract of another customer' }

function checkOwner(
  { customerId, contractId }: NamedOwner,
  { hasCustomer, contractCustomerId }: OwnerOnRecord,
): FieldProblem | null {
  if (contractCustomerId !== null && contractCustomerId !== customerId) return FOREIGN
  if (!hasCustomer) return { path: '/customer_id', reason: 'names no customer' }
  if (contractId === null || contractCustomerId !== null) return null
  return { path: '/contract_id', reason: 'names no contract' }
}

/**
 * The events that are refused, since they name owners who do not exist. An event that is stored
 * already is a repeat, even if its owner was removed since. No statement for events that name no
 * owner.
 */
export async function findMisnamedEvents(
  db: Db,
  scope: TenantScope,
  incoming: readonly IncomingEvent[],
): Promise<ReadonlyMap<IncomingEvent, FieldProblem>> {
  const byName = Map.groupBy(
    incoming.filter(({ event }) => event.customerId !== null),
    ({ event }) => JSON.stringify([event.customerId, event.contractId]),
  )
  const named = [...byName.values()]
  const owners = named.flatMap(([first]): NamedOwner[] => {
    const { customerId = null, contractId = null } = first?.event ?? {}
    return customerId === null ? [] : [{ customerId, contractId }]
  })
  const problems = await checkNamedOwners(db, scope, owners)
  const misnamed = new Map<IncomingEvent, FieldProblem>()
  for (const [at, group] of named.entries()) {
    const problem = problems[at] ?? null
    if (problem !== null) for (const one of group) misnamed.set(one, problem)
  }
  const known = await findKnownFingerprints(
    db,
    scope,
    [...misnamed.keys()].map(({ fingerprint }) => fingerprint),
  )
  return new Map([...misnamed].filter(([{ fingerprint }]) => !known.has(fingerprint)))
}

// Who is responsible for each event of a batch, at the time it happened (design section 5.2): whoever brought it may say so, then the
// tenant's resources, then its rule for what nobody has.

import { parentDomains } from '../../intel/public.ts'
import type { TenantScope } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Ownership } from '../model/correlation.ts'
import { ID_LENGTH_MAX, type NewEvent } from '../model/event.ts'
import type { UnassignedCause } from '../model/unassigned.ts'
import { findOwners, type OwnedTarget } from '../store/ownership-store.ts'

/** What of an event resolution looks at. */
export type ResolvableEvent = Pick<
  NewEvent,
  'eventDate' | 'ip' | 'domain' | 'details' | 'customerId' | 'contractId'
>

/** What the tenant wants with events that nobody has (setting `unmatched`, design section 10). */
export interface OwnerRules {
  readonly unmatched: 'item_is_customer' | 'unassigned'
  readonly hasResources: boolean
}

export type OwnerAnswer =
  | { readonly kind: 'owned'; readonly ownership: Ownership }
  | { readonly kind: 'unassigned'; readonly cause: UnassignedCause }

/** In the order of the events. One statement, and none for a tenant without resources. */
export async function resolveOwners(
  db: Db,
  scope: TenantScope,
  rules: OwnerRules,
  events: readonly ResolvableEvent[],
): Promise<readonly OwnerAnswer[]> {
  const asked = rules.hasResources ? events.filter((event) => event.customerId === null) : []
  const found = asked.length === 0 ? [] : await findOwners(db, scope, asked.map(readTarget))
  const owners = new Map(asked.map((event, index) => [event, found[index] ?? null]))
  return events.map((event) => decideOwner(event, owners.get(event) ?? null, rules))
}

function decideOwner(
  event: ResolvableEvent,
  owner: Ownership | null,
  { unmatched }: OwnerRules,
): OwnerAnswer {
  if (event.customerId !== null) {
    const { customerId, contractId } = event
    return { kind: 'owned', ownership: { customerId, contractId, resourceId: null } }
  }
  if (owner !== null) return { kind: 'owned', ownership: owner }
  const item = event.ip ?? event.domain
  if (item !== null && unmatched === 'item_is_customer') {
    return { kind: 'owned', ownership: { customerId: item, contractId: null, resourceId: null } }
  }
  const hasTarget = item !== null || readAccount(event) !== null
  return { kind: 'unassigned', cause: hasTarget ? 'no_match' : 'no_target' }
}

function readTarget(event: ResolvableEvent): OwnedTarget {
  const { eventDate, ip, domain } = event
  const domains = domain === null ? [] : parentDomains(domain)
  return { at: eventDate, account: readAccount(event), ip, domains }
}

/** `event_details.account`: a name or number of the operator's own, as the resource has it. */
function readAccount({ details }: ResolvableEvent): string | null {
  const account = details?.['account']
  if (typeof account !== 'string' || account === '' || account.length > ID_LENGTH_MAX) return null
  return account
}

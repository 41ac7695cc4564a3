// Who is responsible for each event of a batch, at the time it happened (design section 5.2):
// whoever brought it may say so, then the tenant's resources, then its resolver, then its rule for
// what nobody has.

import type { Db } from '../../kernel/db/database.ts'
import { parentDomains } from '../../values/domain.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { type NewEvent, readAccount } from '../../vocabulary/event.ts'
import type { Ownership } from '../rules/correlation-key.ts'
import { findAnswers, type KnownAnswer } from './owner-answer-store.ts'
import { buildQuestion, type OwnerQuestion } from './owner-question.ts'
import { findOwners, type OwnedTarget } from './ownership-store.ts'
import type { UnassignedCause } from './unassigned.ts'

/** What of an event resolution looks at. */
export type ResolvableEvent = Pick<
  NewEvent,
  'eventDate' | 'ip' | 'domain' | 'customerId' | 'contractId'
> & { readonly details: Readonly<Record<string, unknown>> | null }

/** What the tenant wants with events that nobody has (setting `unmatched`, design section 10). */
export interface OwnerRules {
  readonly unmatched: 'item_is_customer' | 'unassigned'
  readonly hasResources: boolean
  /** What it answered was kept before (owner-resolver.ts); nothing is asked here. */
  readonly hasResolver: boolean
}

export type OwnerAnswer =
  | { readonly kind: 'owned'; readonly ownership: Ownership }
  | { readonly kind: 'unassigned'; readonly cause: UnassignedCause }

// An answer that ends between the question and the transaction still counts; a transaction is tried
// again for some seconds at most.
const GRACE_SECONDS = 120

/**
 * In the order of the events. One statement for resources, one for a resolver, and none for a
 * tenant without either.
 */
export async function resolveOwners(
  db: Db,
  scope: TenantScope,
  rules: OwnerRules,
  events: readonly ResolvableEvent[],
): Promise<readonly OwnerAnswer[]> {
  const owners = await findResourceOwners(db, scope, rules, events)
  const open = rules.hasResolver ? events.filter((event) => isOpen(event, owners)) : []
  const questions = open.flatMap((event) => {
    const question = buildQuestion(event, readAccount(event))
    return question === null ? [] : [{ event, ...question }]
  })
  const known = await findAnswers(db, scope, questions, GRACE_SECONDS)
  const answers = new Map(questions.map(({ event }, index) => [event, known[index] ?? null]))
  return events.map((event) =>
    decideOwner(event, owners.get(event) ?? null, answers.get(event), rules),
  )
}

/** What only a resolver can say about these events. */
export async function listOpenQuestions(
  db: Db,
  scope: TenantScope,
  events: readonly ResolvableEvent[],
): Promise<readonly OwnerQuestion[]> {
  const owners = await findResourceOwners(db, scope, { hasResources: true }, events)
  return events.flatMap((event) => {
    const question = isOpen(event, owners) ? buildQuestion(event, readAccount(event)) : null
    return question === null ? [] : [question]
  })
}

type ResourceOwners = ReadonlyMap<ResolvableEvent, Ownership | null>

async function findResourceOwners(
  db: Db,
  scope: TenantScope,
  { hasResources }: Pick<OwnerRules, 'hasResources'>,
  events: readonly ResolvableEvent[],
): Promise<ResourceOwners> {
  const asked = hasResources ? events.filter((event) => event.customerId === null) : []
  const found = asked.length === 0 ? [] : await findOwners(db, scope, asked.map(readTarget))
  return new Map(asked.map((event, index) => [event, found[index] ?? null]))
}

function isOpen(event: ResolvableEvent, owners: ResourceOwners): boolean {
  return event.customerId === null && (owners.get(event) ?? null) === null
}

/**
 * `answer` is undefined for what no resolver was to be asked about, null for what it gave no answer
 * to.
 */
function decideOwner(
  event: ResolvableEvent,
  owner: Ownership | null,
  answer: KnownAnswer | null | undefined,
  { unmatched }: OwnerRules,
): OwnerAnswer {
  if (event.customerId !== null) {
    const { customerId, contractId } = event
    return { kind: 'owned', ownership: { customerId, contractId, resourceId: null } }
  }
  if (owner !== null) return { kind: 'owned', ownership: owner }
  // Whatever the rule for what nobody has: it may be somebody's, and is asked about again.
  if (answer === null) return { kind: 'unassigned', cause: 'resolver_failed' }
  if (answer !== undefined && answer.customerId !== null) {
    const { customerId, contractId } = answer
    return { kind: 'owned', ownership: { customerId, contractId, resourceId: null } }
  }
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

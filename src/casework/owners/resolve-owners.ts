// Finds the owner of each event of a batch at the time of the event (design section 5.2): the
// caller may name it, else the tenant's resources decide, then its resolver, then its rule for
// events without an owner.

import type { Db } from '../../kernel/db/database.ts'
import { parentDomains } from '../../values/domain.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { type NewEvent, readAccount } from '../../vocabulary/event.ts'
import type { Ownership } from '../rules/correlation-key.ts'
import { findAnswers, type KnownAnswer } from './owner-answer-store.ts'
import { buildQuestion, type OwnerQuestion } from './owner-question.ts'
import { findOwners, type OwnedTarget } from './ownership-store.ts'
import type { UnassignedCause } from './unassigned.ts'

/** The members of an event that decide about its owner. */
export type ResolvableEvent = Pick<
  NewEvent,
  'eventDate' | 'ip' | 'domain' | 'customerId' | 'contractId'
> & { readonly details: Readonly<Record<string, unknown>> | null }

/** The tenant's rules for events without an owner (setting `unmatched`, design section 10). */
export interface OwnerRules {
  readonly unmatched: 'item_is_customer' | 'unassigned'
  readonly hasResources: boolean
  /** Its answers were stored before (prepare-owners.ts); this file sends no questions. */
  readonly hasResolver: boolean
}

export type OwnerAnswer =
  | { readonly kind: 'owned'; readonly ownership: Ownership }
  | { readonly kind: 'unassigned'; readonly cause: UnassignedCause }

// An answer that expires between the question and the transaction still counts. A transaction is
// retried for some seconds at most.
const GRACE_SECONDS = 120

/**
 * The answers in the order of the events. One statement for resources, one for the answers of a
 * resolver, and none for a tenant without either.
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
  const known = questions.length === 0 ? [] : await findAnswers(db, scope, questions, GRACE_SECONDS)
  const answers = new Map(questions.map(({ event }, index) => [event, known[index] ?? null]))
  return events.map((event) =>
    decideOwner(event, owners.get(event) ?? null, answers.get(event), rules),
  )
}

/** The questions about these events that only a resolver can answer. */
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

/** `answer` is undefined when no resolver was asked, and null when the resolver gave no answer. */
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
  // The rule `unmatched` does not apply: the event may have an owner, and the question is retried.
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

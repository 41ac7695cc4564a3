// One event is given to another owner at the request of a person: it leaves its case, and is
// correlated like a new event of its new owner.

import { inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { writeCounters } from '../cases/case-counters-store.ts'
import { addHistory } from '../cases/case-history-store.ts'
import { lockRows } from '../cases/case-locks.ts'
import type { Actor } from '../cases/case-tables.ts'
import { changeNotValid } from '../cases/errors.ts'
import { lockCorrelation } from '../cases/open-case-store.ts'
import { resolveOwners } from '../owners/resolve-owners.ts'
import type { UnassignedCause } from '../owners/unassigned.ts'
import { readIngestRules } from '../rules/case-group-store.ts'
import { type Ownership } from '../rules/correlation-key.ts'
import { checkNamedOwners } from './check-named-owners.ts'
import { findEvent } from './event-list-store.ts'
import { MUTED_TAG, withoutCorrelationTags } from './event-tags.ts'
import { deletePendingEvents } from './pending-event-store.ts'
import { assignAgain, type ReplayDeps } from './replay-unassigned.ts'
import { assignEvents, lockEvent, type StoredEvent } from './unassigned-store.ts'

export interface ReassignDeps extends ReplayDeps {
  /** From privacy: throws the operating error of 409 when a legal hold is on the case. */
  readonly requireNoLegalHold: (tx: Tx, scope: TenantScope, caseId: string) => Promise<void>
}

export interface Reassignment {
  readonly eventId: string
  /** Null: the owner is found anew by the tenant's resources. */
  readonly owner: Pick<Ownership, 'customerId' | 'contractId'> | null
  readonly reason: string | null
  readonly actor: Actor
}

export interface ReassignedEvent {
  readonly outcome: 'reassigned' | 'unchanged' | 'unassigned'
  readonly customerId: string | null
  readonly contractId: string | null
  readonly caseId: string | null
}

/** Null when the tenant has no such event. */
export async function reassignEvent(
  deps: ReassignDeps,
  scope: TenantScope,
  request: Reassignment,
): Promise<ReassignedEvent | null> {
  const { db, conditionWork } = deps
  conditionWork.requireRoom(scope)
  await conditionWork.waitForRoom(scope)
  if (request.owner === null) await askForOwner(deps, scope, request.eventId)
  const done = await inTransaction(db, async (tx) => {
    // The correlation lock comes before the locks of the event and its cases.
    await lockCorrelation(tx, scope)
    const left = await leaveCase(tx, deps, scope, request)
    if (left === null) return null
    if (left.kind === 'unchanged') return { event: left.stays, runsStarted: 0 }
    return await joinCase(tx, deps, scope, request, left)
  })
  if (done === null) return null
  if (done.runsStarted > 0) deps.wakeWorkers()
  return done.event
}

async function askForOwner(
  { db, owners }: ReplayDeps,
  scope: TenantScope,
  eventId: string,
): Promise<void> {
  const event = await findEvent(db, scope, eventId)
  if (event === null) return
  const { ip, domain, details } = event
  const unowned = { customerId: null, contractId: null, ip, domain }
  owners.endPause(scope)
  const eventDate = event.event_date.toISOString()
  await owners.prepare(scope, [{ ...unowned, eventDate, details }])
}

interface LeftCase {
  readonly kind: 'left'
  readonly owner: Pick<Ownership, 'customerId' | 'contractId'> | null
  /** The owner stays the same: the event was muted, and is correlated anew. */
  readonly keepsOwner: boolean
  readonly fromCaseId: string | null
}

type Leaving = LeftCase | { readonly kind: 'unchanged'; readonly stays: ReassignedEvent }

async function leaveCase(
  tx: Tx,
  { ids, clock, requireNoLegalHold }: ReassignDeps,
  scope: TenantScope,
  request: Reassignment,
): Promise<Leaving | null> {
  const seen = await findEvent(tx, scope, request.eventId)
  if (seen === null) return null
  if (seen.case_id !== null) await lockRows(tx, scope, [seen.case_id])
  const stored = await lockEvent(tx, scope, request.eventId)
  if (stored === null) return null
  const { owner, cause } = await decideOwner(tx, scope, stored, request)
  const { customerId, contractId, tags } = stored.event
  const keepsOwner = owner?.customerId === customerId && owner.contractId === contractId
  // The rule that muted it may have ended: then it joins a case of the owner it has.
  const isMuted = keepsOwner && tags.includes(MUTED_TAG)
  if ((keepsOwner && !isMuted) || (owner === null && customerId === null)) {
    const outcome = customerId === null ? 'unassigned' : 'unchanged'
    return { kind: 'unchanged', stays: { outcome, customerId, contractId, caseId: stored.caseId } }
  }
  if (!keepsOwner && request.owner !== null) {
    const [problem] = await checkNamedOwners(tx, scope, [request.owner])
    if (problem) throw changeNotValid(problem)
  }
  // The case is locked, so no legal hold comes over it meanwhile.
  if (stored.caseId !== null) await requireNoLegalHold(tx, scope, stored.caseId)
  await deletePendingEvents(tx, scope, [stored.eventId])
  await assignEvents(tx, scope, [
    {
      eventId: stored.eventId,
      customerId: null,
      contractId: null,
      unassignedCause: cause,
      caseId: null,
      muteRuleId: null,
      tags: withoutCorrelationTags(tags),
      resolved: false,
    },
  ])
  if (stored.caseId !== null) {
    await writeCounters(tx, scope, [stored.caseId])
    const changes = { event_id: stored.eventId, to_customer_id: owner?.customerId ?? null }
    const { actor, reason } = request
    const entry = { kind: 'reassign', actor, reason, causeId: stored.eventId, changes } as const
    await addHistory(tx, ids, scope, [
      { ...entry, caseId: stored.caseId, at: new Date(clock.nowMs()) },
    ])
  }
  return { kind: 'left', owner, keepsOwner, fromCaseId: stored.caseId }
}

/** The new owner, and the cause for the time without one. */
async function decideOwner(
  tx: Tx,
  scope: TenantScope,
  { event }: StoredEvent,
  { owner }: Reassignment,
): Promise<{ readonly owner: Reassignment['owner']; readonly cause: UnassignedCause }> {
  if (owner !== null) return { owner, cause: 'no_match' }
  const rules = await readIngestRules(tx, scope)
  const unowned = { ...event, customerId: null, contractId: null }
  const [answer] = await resolveOwners(tx, scope, rules, [unowned])
  if (answer?.kind === 'owned') return { owner: answer.ownership, cause: 'no_match' }
  return { owner: null, cause: answer?.cause ?? 'no_match' }
}

async function joinCase(
  tx: Tx,
  deps: ReplayDeps,
  scope: TenantScope,
  { eventId, owner, actor, reason }: Reassignment,
  { fromCaseId, keepsOwner }: LeftCase,
): Promise<{ readonly event: ReassignedEvent; readonly runsStarted: number }> {
  const stored = await lockEvent(tx, scope, eventId)
  if (stored === null) throw new Error('an event that left its case is gone')
  const named = { ...stored, event: { ...stored.event, ...owner } }
  const assigned = await assignAgain(tx, deps, scope, [named], actor)
  const caseId = assigned.caseIds.get(eventId) ?? null
  if (caseId !== null) {
    const changes = { event_id: eventId, from_case_id: fromCaseId }
    const at = new Date(deps.clock.nowMs())
    const entry = { kind: 'reassign', actor, at, reason, causeId: eventId, changes } as const
    await addHistory(tx, deps.ids, scope, [{ ...entry, caseId }])
  }
  const after = await findEvent(tx, scope, eventId)
  const isUnchanged = keepsOwner && caseId === null
  const moved = isUnchanged ? 'unchanged' : 'reassigned'
  return {
    event: {
      outcome: after?.customer_id === null ? 'unassigned' : moved,
      customerId: after?.customer_id ?? null,
      contractId: after?.contract_id ?? null,
      caseId,
    },
    runsStarted: assigned.runsStarted,
  }
}

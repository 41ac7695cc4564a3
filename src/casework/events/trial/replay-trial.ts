// Replays stored events through rules, as ingest would have done it: the rules choose, and the
// correlation that ingest uses decides the cases. Nothing is written or locked.

import type { Db } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { formatCorrelationKey } from '../../cases/case.ts'
import { type OwnerAnswer, resolveOwners } from '../../owners/resolve-owners.ts'
import type { IngestRules } from '../../rules/case-group.ts'
import type { ConditionFailures } from '../../rules/choose-rules.ts'
import type { ConditionDeps } from '../../rules/condition-work.ts'
import { type CorrelationPlan, type CorrelationState, correlate } from '../correlate.ts'
import { withoutCorrelationTags } from '../event-tags.ts'
import { hasThreshold, type IdentifiedEvent, type KeyBatch, keyEvents } from '../key-events.ts'
import type { StoredEvent } from '../unassigned-store.ts'
import { type EarlierCase, findEarlierCases, findEarlierPending } from './trial-store.ts'

export interface ReplayTrialDeps extends ConditionDeps {
  readonly db: Db
  readonly ids: IdSource
}

/** What the rules would have made of an event. */
export type ReplayedOutcome =
  | { readonly kind: 'unassigned' }
  | { readonly kind: 'muted'; readonly muteRuleId: string }
  | { readonly kind: 'held'; readonly caseGroupId: string }
  | {
      readonly kind: 'case'
      readonly caseGroupId: string
      /** Of a case from before the events; null for one that the replay opens. */
      readonly caseId: string | null
      /** Equal for the events of one case, in every replay of the same events. */
      readonly name: string
      /** The case opens with this event. */
      readonly isOpening: boolean
    }

export interface Replay {
  /** By event id. */
  readonly outcomes: ReadonlyMap<string, ReplayedOutcome>
  readonly failures: ConditionFailures
}

/** Events with their owners, who stay the same in every replay. */
interface OwnedEvents {
  readonly events: readonly IdentifiedEvent[]
  readonly owners: readonly OwnerAnswer[]
}

/**
 * An event keeps the owner that it has; the resource is looked up anew, since no event stores it.
 */
export async function loadOwnedEvents(
  db: Db,
  scope: TenantScope,
  rules: IngestRules,
  stored: readonly StoredEvent[],
): Promise<OwnedEvents> {
  const unowned = stored.map(({ event }) => ({ ...event, customerId: null, contractId: null }))
  const found = await resolveOwners(db, scope, { ...rules, hasResolver: false }, unowned)
  const owners = stored.map(({ event: { customerId, contractId } }, index): OwnerAnswer => {
    if (customerId === null) return { kind: 'unassigned', cause: 'no_match' }
    const resource = found[index]
    const isSame = resource?.kind === 'owned' && resource.ownership.customerId === customerId
    const resourceId = isSame ? resource.ownership.resourceId : null
    return { kind: 'owned', ownership: { customerId, contractId, resourceId } }
  })
  const events = stored.map(({ eventId, event, reportId }): IdentifiedEvent => {
    const tags = withoutCorrelationTags(event.tags)
    const incoming = { event: { ...event, tags }, fingerprint: eventId, actor: NOBODY, reportId }
    return { eventId, incoming }
  })
  return { events, owners }
}

// Correlation explains with it the history that a trial does not write.
const NOBODY = { kind: 'system', id: 'trial', name: 'trial' } as const

/** The events are in the order of their arrival. */
export async function replayTrial(
  deps: ReplayTrialDeps,
  scope: TenantScope,
  rules: IngestRules,
  { events, owners }: OwnedEvents,
  at: Date,
): Promise<Replay> {
  const keyed = await keyEvents(deps, { scope, rules, events, owners, at })
  const [first] = events
  const state = await loadState(deps.db, scope, keyed.keys, first?.eventId ?? '')
  const plan = correlate(deps.ids, keyed.keys, state)
  const outcomes = new Map<string, ReplayedOutcome>(
    events.map(({ eventId }) => [eventId, { kind: 'unassigned' }]),
  )
  for (const [eventId, muteRuleId] of keyed.muted) {
    outcomes.set(eventId, { kind: 'muted', muteRuleId })
  }
  for (const key of keyed.keys) describeKey(key, plan, outcomes)
  return { outcomes, failures: keyed.failures }
}

/** The cases of a key are numbered, so that they have the same names in another replay. */
function describeKey(
  key: KeyBatch,
  plan: CorrelationPlan,
  outcomes: Map<string, ReplayedOutcome>,
): void {
  const { caseGroupId } = key
  const opened = new Map<string, string>()
  for (const { eventId } of key.events) {
    const caseId = plan.assigned.get(eventId)?.caseId
    if (caseId === undefined) {
      outcomes.set(eventId, { kind: 'held', caseGroupId })
      continue
    }
    const newCase = plan.opened.get(caseId)
    if (newCase === undefined) {
      const joined = { kind: 'case', caseGroupId, caseId, name: caseId, isOpening: false } as const
      outcomes.set(eventId, joined)
      continue
    }
    const name = opened.get(caseId) ?? `${formatCorrelationKey(key)}/${opened.size + 1}`
    opened.set(caseId, name)
    const isOpening = newCase.cause.eventId === eventId
    outcomes.set(eventId, { kind: 'case', caseGroupId, caseId: null, name, isOpening })
  }
}

async function loadState(
  db: Db,
  scope: TenantScope,
  keys: readonly KeyBatch[],
  firstEventId: string,
): Promise<CorrelationState> {
  const rows = await findEarlierCases(db, scope, keys, firstEventId)
  const earlier = new Map(rows.map((row) => [formatCorrelationKey(row), row]))
  const openOf = (key: KeyBatch): readonly [KeyBatch, string][] => {
    const found = earlier.get(formatCorrelationKey(key))
    return found?.endedAt === null ? [[key, found.caseId]] : []
  }
  const caseIds = new Map(keys.flatMap(openOf))
  const waiting = keys.filter((key) => hasThreshold(key) && !caseIds.has(key))
  const pending = await findEarlierPending(db, scope, waiting, firstEventId)
  const ended = rows.filter(({ endedAt }) => endedAt !== null)
  return {
    open: { caseIds, stale: new Set() },
    ended: new Map(ended.map((row) => [formatCorrelationKey(row), describeEnded(row)])),
    pending: Map.groupBy(pending, formatCorrelationKey),
    cases: new Map(rows.map((row) => [row.caseId, describeCase(row)])),
    // Needed for keys of merged cases only, which a trial leaves out.
    freeTargetKeys: new Set(),
  }
}

function describeEnded(row: EarlierCase) {
  const { caseGroupId, keyHash, caseId, state, resolvedAt, endedAt } = row
  const ownKey = { caseGroupId, keyHash }
  return { ...ownKey, caseId, state, resolvedAt, endedAt: endedAt ?? row.lastEventDate, ownKey }
}

function describeCase({ caseId, state, firstEventDate, lastEventDate }: EarlierCase) {
  return {
    caseId,
    state,
    firstEventDate: firstEventDate.toISOString(),
    lastEventDate: lastEventDate.toISOString(),
    isSealed: false,
  }
}

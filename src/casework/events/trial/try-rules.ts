// POST /beta/casework/case-groups/try: what a drafted case group or mute rule would have done to
// the newest events; nothing is stored.

import type { Static } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { requestNotValid } from '../../../kernel/errors.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { IngestRules } from '../../rules/case-group.ts'
import { readIngestRules } from '../../rules/case-group-store.ts'
import type { ConditionWork } from '../../rules/condition-work.ts'
import { type DraftedRules, draftCaseGroup, draftMuteRule } from '../../rules/draft-rules.ts'
import { findNewestEvents, type StoredEvent } from '../unassigned-store.ts'
import {
  loadOwnedEvents,
  type Replay,
  type ReplayedOutcome,
  type ReplayTrialDeps,
  replayTrial,
} from './replay-trial.ts'
import { findPresentOutcomes, type PresentOutcome } from './trial-store.ts'
import {
  presentTrialOutcome,
  RuleTrial,
  RuleTrialRequest,
  TRIAL_EVENTS_MAX,
  type TrialCounts,
  type TrialOutcome,
} from './trial-wire.ts'

export interface TryRulesDeps extends Omit<ReplayTrialDeps, 'conditionWork'> {
  readonly clock: Clock
  /** Its own, so that a person who only reads cannot use up the work of ingest. */
  readonly dryRunWork: ConditionWork
}

export function tryRulesRoute({ dryRunWork, clock, ...deps }: TryRulesDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/case-groups/try',
    group: 'casework',
    access: { kind: 'one-of', ways: [['cases:read', 'events:read']] },
    operationId: 'tryRules',
    summary: 'Try a case group or mute rule on the newest events',
    description:
      'Stores nothing. The events come again in their order of arrival, to the cases that were there before them, with the owners that they have, and with the intel of now. Conditions have the work of two batches of ingest.',
    body: RuleTrialRequest,
    responses: {
      200: { description: 'The counts, and the events that match or differ.', schema: RuleTrial },
      400: { description: 'The drafted rule is not valid.' },
      503: { description: 'The dry runs of the tenant have used up their work; Retry-After.' },
    },
    async handle({ caller, body }) {
      const { tenantId } = requireCaller(caller)
      const scope = { tenantId }
      dryRunWork.requireRoom(scope)
      await dryRunWork.waitForRoom(scope)
      const replayDeps = { ...deps, conditionWork: dryRunWork }
      const json = await tryRules(replayDeps, scope, body, new Date(clock.nowMs()))
      return { status: 200, json }
    },
  })
}

async function tryRules(
  deps: ReplayTrialDeps,
  scope: TenantScope,
  request: Static<typeof RuleTrialRequest>,
  at: Date,
): Promise<Static<typeof RuleTrial>> {
  const { db } = deps
  const rules = await readIngestRules(db, scope)
  const drafted = draftRules(rules, request, at)
  const stored = await findNewestEvents(db, scope, request.limit ?? TRIAL_EVENTS_MAX)
  const owned = await loadOwnedEvents(db, scope, rules, stored)
  const present = await findPresentOutcomes(
    db,
    scope,
    stored.map(({ eventId }) => eventId),
  )
  // What people did to cases since is in neither of the two, so only the rules make a difference.
  const before = await replayTrial(deps, scope, rules, owned, at)
  const after = await replayTrial(deps, scope, drafted.rules, owned, at)
  return presentTrial(stored, present, { before, after }, drafted.draft)
}

function draftRules(
  rules: IngestRules,
  { case_group: group, mute_rule: mute }: Static<typeof RuleTrialRequest>,
  at: Date,
): DraftedRules {
  if (group !== undefined && mute === undefined) return draftCaseGroup(rules, group)
  if (mute !== undefined && group === undefined) return draftMuteRule(rules, mute, at)
  const reason = 'must be there, or mute_rule, and not both'
  throw requestNotValid('A trial is of one rule.', [{ path: '/case_group', reason }])
}

function presentTrial(
  stored: readonly StoredEvent[],
  present: ReadonlyMap<string, PresentOutcome>,
  { before, after }: { readonly before: Replay; readonly after: Replay },
  draft: DraftedRules['draft'],
): Static<typeof RuleTrial> {
  const { failures } = after
  const counts: TrialCounts = {
    events: stored.length,
    matched: 0,
    opened: 0,
    joined: 0,
    held: 0,
    muted: 0,
    unassigned: 0,
    different: 0,
    failed: failures.caseGroup + failures.muteRule,
    exceeded: failures.exceeded,
  }
  const numbers = new Map<string, number>()
  const items: Static<typeof RuleTrial>['items'] = []
  for (const { eventId, event } of stored) {
    const [was, is] = [before.outcomes.get(eventId), after.outcomes.get(eventId)]
    if (was === undefined || is === undefined) continue
    const matched = isTakenBy(is, draft)
    const different = nameOutcome(was) !== nameOutcome(is)
    const trial = presentReplayed(is, numbers)
    counts[chooseCount(is)] += 1
    if (matched) counts.matched += 1
    if (different) counts.different += 1
    if (!matched && !different) continue
    const { eventDate, eventType } = event
    const today = presentToday(present.get(eventId))
    const shown = { event_id: eventId, event_date: eventDate, event_type: eventType }
    items.push({ ...shown, matched, different, today, trial })
  }
  return { counts, items: items.toReversed() }
}

function isTakenBy(outcome: ReplayedOutcome, { kind, id }: DraftedRules['draft']): boolean {
  if (outcome.kind === 'unassigned') return false
  if (outcome.kind === 'muted') return kind === 'mute_rule' && outcome.muteRuleId === id
  return kind === 'case_group' && outcome.caseGroupId === id
}

function chooseCount(
  outcome: ReplayedOutcome,
): 'opened' | 'joined' | 'held' | 'muted' | 'unassigned' {
  if (outcome.kind !== 'case') return outcome.kind
  return outcome.isOpening ? 'opened' : 'joined'
}

function nameOutcome(outcome: ReplayedOutcome): string {
  switch (outcome.kind) {
    case 'unassigned':
      return outcome.kind
    case 'muted':
      return `${outcome.kind} ${outcome.muteRuleId}`
    case 'held':
      return `${outcome.kind} ${outcome.caseGroupId}`
    case 'case':
      return `${outcome.kind} ${outcome.name}`
  }
}

function presentReplayed(outcome: ReplayedOutcome, numbers: Map<string, number>): TrialOutcome {
  switch (outcome.kind) {
    case 'unassigned':
      return presentTrialOutcome('unassigned')
    case 'muted':
      return presentTrialOutcome('muted', { mute_rule: outcome.muteRuleId })
    case 'held':
      return presentTrialOutcome('held', { case_group: outcome.caseGroupId })
    case 'case': {
      const { caseGroupId, caseId, name } = outcome
      if (caseId === null && !numbers.has(name)) numbers.set(name, numbers.size + 1)
      const newCase = numbers.get(name) ?? null
      const members = { case_group: caseGroupId, case_id: caseId, new_case: newCase }
      return presentTrialOutcome('case', members)
    }
  }
}

function presentToday(outcome: PresentOutcome | undefined): TrialOutcome {
  if (outcome === undefined) return presentTrialOutcome('unassigned')
  const { caseId, caseGroupId, muteRuleId, isBelow } = outcome
  if (caseId !== null) {
    return presentTrialOutcome('case', { case_group: caseGroupId, case_id: caseId })
  }
  if (muteRuleId !== null) return presentTrialOutcome('muted', { mute_rule: muteRuleId })
  return presentTrialOutcome(isBelow ? 'held' : 'unassigned')
}

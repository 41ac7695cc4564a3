// The dry run of case groups: asks every rule about an event, as ingest would, and lists the answer
// of each.

import type { Static } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import { findOpenCase } from '../cases/open-case-store.ts'
import { resolveOwners } from '../owners/resolve-owners.ts'
import type { CaseGroup, IngestRules } from '../rules/case-group.ts'
import { readIngestRules } from '../rules/case-group-store.ts'
import type { CaseGroupTest } from '../rules/case-group-wire.ts'
import {
  askGroup,
  askMuteRule,
  askRule,
  askSeverityRule,
  compileRules,
  type EventView,
  viewEvent,
} from '../rules/choose-rules.ts'
import type { ConditionAnswer } from '../rules/compile-condition.ts'
import type { BatchWork, ConditionDeps } from '../rules/condition-work.ts'
import { buildCorrelationKey, readKeyField } from '../rules/correlation-key.ts'

export interface ExplainChoiceDeps extends ConditionDeps {
  readonly db: Db
}

export async function explainChoice(
  { db, briefItem, conditionWork }: ExplainChoiceDeps,
  scope: TenantScope,
  event: NewEvent,
  at: Date,
): Promise<Static<typeof CaseGroupTest>> {
  const rules = await readIngestRules(db, scope)
  const [answer] = await resolveOwners(db, scope, rules, [event])
  if (answer?.kind !== 'owned') {
    const owner = answer === undefined ? {} : { unassigned_cause: answer.cause }
    return { owner, mute_rules: [], case_groups: [], outcome: 'unassigned' }
  }
  const { ownership } = answer
  const work = conditionWork.openBatch(scope, 1)
  const view = viewEvent(event, ownership, briefItem, work.openEvent())
  const { mutes, groups } = await askRules(rules, view, work, at)
  const answers = {
    owner: {
      customer_id: ownership.customerId,
      ...(ownership.contractId === null ? {} : { contract_id: ownership.contractId }),
    },
    mute_rules: mutes,
    case_groups: groups,
  }
  const mute = mutes.find((rule) => rule.answer === 'match')
  if (mute !== undefined) return { ...answers, outcome: 'muted', mute_rule: mute.id }
  const chosen = groups.find((group) => group.answer === 'match')
  const group = rules.groups.find((one) => one.id === chosen?.id)
  if (group === undefined) throw new Error('the last group takes everything')
  const severity = askSeverityRules(group, view, work)
  const keyHash = buildCorrelationKey(group.keyFields, event, ownership)
  const openCaseId = await findOpenCase(db, scope, { caseGroupId: group.id, keyHash })
  return {
    ...answers,
    outcome: 'group',
    case_group: group.id,
    ...severity,
    key: group.keyFields.map((field) => ({
      field,
      value: readKeyField(field, event, ownership),
    })),
    ...(openCaseId === null ? {} : { open_case_id: openCaseId }),
  }
}

function askSeverityRules(
  { severityRules, severity }: CaseGroup,
  view: EventView,
  work: BatchWork,
): Pick<Static<typeof CaseGroupTest>, 'severity' | 'severity_rules'> {
  const answers: Static<typeof CaseGroupTest>['severity_rules'] = []
  for (const rule of severityRules ?? []) {
    const answer = describeAnswer(askRule(askSeverityRule, rule, view, work))
    answers.push({ severity: rule.severity, ...answer })
    if (answer.answer === 'match') break
  }
  const matched = answers.find(({ answer }) => answer === 'match')
  const found = matched?.severity ?? severity
  return {
    ...(severityRules === null ? {} : { severity_rules: answers }),
    ...(found === null ? {} : { severity: found }),
  }
}

/** In the order of ingest, since all rules share the work of the event. */
async function askRules(
  rules: IngestRules,
  view: EventView,
  work: BatchWork,
  at: Date,
): Promise<{ readonly mutes: RuleAnswer[]; readonly groups: RuleAnswer[] }> {
  await compileRules(rules, work)
  const mutes: RuleAnswer[] = []
  const groups: RuleAnswer[] = []
  for (const rule of rules.muteRules) {
    if (rule.untilMs <= at.getTime()) continue
    mutes.push({ id: rule.id, ...describeAnswer(askRule(askMuteRule, rule, view, work)) })
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (work.isTurnOver()) await work.giveTurn()
  }
  for (const group of rules.groups) {
    if (!group.isEnabled) groups.push({ id: group.id, answer: 'disabled' })
    else groups.push({ id: group.id, ...describeAnswer(askRule(askGroup, group, view, work)) })
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (work.isTurnOver()) await work.giveTurn()
  }
  return { mutes, groups }
}

interface RuleAnswer {
  readonly id: string
  readonly answer: ConditionAnswer['kind'] | 'disabled'
  readonly reason?: string
}

function describeAnswer(answer: ConditionAnswer): Omit<RuleAnswer, 'id'> {
  const { kind } = answer
  return kind === 'failed' ? { answer: kind, reason: answer.reason } : { answer: kind }
}

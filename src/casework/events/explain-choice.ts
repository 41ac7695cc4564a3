// The dry run of case groups: asks every rule about an event, as intake would, and lists the answer
// of each.

import type { Static } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import { findOpenCase } from '../cases/open-case-store.ts'
import { resolveOwners } from '../owners/resolve-owners.ts'
import { readIngestRules } from '../rules/case-group-store.ts'
import type { CaseGroupTest } from '../rules/case-group-wire.ts'
import { askGroup, askMuteRule, type EventView, viewEvent } from '../rules/choose-rules.ts'
import { compileCondition } from '../rules/compile-condition.ts'
import { buildCorrelationKey, readKeyField } from '../rules/correlation-key.ts'

export async function explainChoice(
  db: Db,
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
  const view = viewEvent(event, ownership)
  const mutes = rules.muteRules
    .filter((rule) => rule.untilMs > at.getTime())
    .map((rule) => describeAnswer(rule, askMuteRule(rule, view), view))
  const groups = rules.groups.map((group) =>
    group.isEnabled
      ? describeAnswer(group, askGroup(group, view), view)
      : { id: group.id, answer: 'disabled' },
  )
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
  const keyHash = buildCorrelationKey(group.keyFields, event, ownership)
  const openCaseId = await findOpenCase(db, scope, { caseGroupId: group.id, keyHash })
  return {
    ...answers,
    outcome: 'group',
    case_group: group.id,
    key: group.keyFields.map((field) => ({
      field,
      value: readKeyField(field, event, ownership),
    })),
    ...(openCaseId === null ? {} : { open_case_id: openCaseId }),
  }
}

function describeAnswer(
  rule: { readonly id: string; readonly condition: string | null },
  answer: string,
  view: EventView,
): { readonly id: string; readonly answer: string; readonly reason?: string } {
  if (answer !== 'failed' || rule.condition === null) return { id: rule.id, answer }
  const reason = compileCondition(rule.condition).explainFailure(view.input())
  return { id: rule.id, answer, ...(reason === null ? {} : { reason }) }
}

// The rules of a tenant as a drafted rule would make them, for a trial: nothing is stored. Pure.

import { DEFAULT_GROUP_ID } from '../cases/case.ts'
import { buildEmptyGroup, type CaseGroup, type IngestRules } from './case-group.ts'
import { patchCaseGroup } from './case-group-patch.ts'
import type { DraftCaseGroup } from './case-group-wire.ts'
import { caseGroupNotValid, muteRuleNotValid } from './errors.ts'
import { checkMuteRule } from './mute-rule.ts'
import type { DraftMuteRule } from './mute-rule-wire.ts'

/** The id of a drafted rule that has none. */
const DRAFT_ID = 'draft'

export interface DraftedRules {
  readonly rules: IngestRules
  /** The drafted rule. */
  readonly draft: { readonly kind: 'case_group' | 'mute_rule'; readonly id: string }
}

/**
 * With a new group, or a stored group with other members; it is enabled unless the draft says
 * otherwise. Throws the operating error of 400.
 */
export function draftCaseGroup(rules: IngestRules, draft: DraftCaseGroup): DraftedRules {
  const id = draft.id ?? DRAFT_ID
  const stored = rules.groups.find((group) => group.id === id)
  const base = stored ?? buildEmptyGroup(id, DRAFT_ID)
  const { group, problems } = patchCaseGroup(base, { ...draft, enabled: draft.enabled ?? true })
  if (problems.length > 0) {
    throw caseGroupNotValid(problems.map((one) => ({ ...one, path: `/case_group${one.path}` })))
  }
  const isMoved = stored === undefined || draft.order !== undefined
  const groups = isMoved
    ? insertGroup(rules.groups, group, draft.order)
    : rules.groups.map((one) => (one.id === id ? group : one))
  return { rules: { ...rules, groups }, draft: { kind: 'case_group', id } }
}

/** Where saving the group would put it: the group that takes everything stays last. */
function insertGroup(
  groups: readonly CaseGroup[],
  group: CaseGroup,
  order: number | undefined,
): readonly CaseGroup[] {
  if (group.id === DEFAULT_GROUP_ID) {
    return [...groups.filter(({ id }) => id !== DEFAULT_GROUP_ID), group]
  }
  const others = groups.filter(({ id }) => id !== group.id && id !== DEFAULT_GROUP_ID)
  const last = groups.filter(({ id }) => id === DEFAULT_GROUP_ID)
  const before = others.slice(0, (order ?? others.length + 1) - 1)
  return [...before, group, ...others.slice(before.length), ...last]
}

const HOUR_MS = 3_600_000

/** With one more mute rule, behind those in force. Throws the operating error of 400. */
export function draftMuteRule(rules: IngestRules, draft: DraftMuteRule, at: Date): DraftedRules {
  // A draft needs no reason and no end: the trial is all that it is for.
  const { reason = '', until = new Date(at.getTime() + HOUR_MS).toISOString() } = draft
  const { problems, keyMatch } = checkMuteRule({ ...draft, reason, until }, at)
  if (problems.length > 0) {
    throw muteRuleNotValid(problems.map((one) => ({ ...one, path: joinPath(one.path) })))
  }
  const { condition = null } = draft
  const rule = { id: DRAFT_ID, condition, keyMatch, untilMs: Date.parse(until) }
  const muteRules = [...rules.muteRules, rule]
  return { rules: { ...rules, muteRules }, draft: { kind: 'mute_rule', id: DRAFT_ID } }
}

function joinPath(path: string): string {
  return path === '/' ? '/mute_rule' : `/mute_rule${path}`
}

// Operating errors of case groups and mute rules; docs/reference/errors.md lists them.

import { defineErrors } from '../../kernel/define-errors.ts'
import { type FieldProblem } from '../../values/field-problem.ts'

export const {
  caseGroupNotValid,
  caseGroupTaken,
  caseGroupInUse,
  tooManyRules,
  conditionsBusy,
  muteRuleNotFound,
  muteRuleNotValid,
} = defineErrors({
  caseGroupNotValid: [
    400,
    'CASEWORK_CASE_GROUP_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The case group is not valid; nothing was stored.',
      fields: problems,
    }),
  ],
  caseGroupTaken: [
    409,
    'CASEWORK_CASE_GROUP_TAKEN',
    'A case group of this id exists, or cases of a deleted group of this id. Change that group, or choose another id.',
  ],
  caseGroupInUse: [
    409,
    'CASEWORK_CASE_GROUP_IN_USE',
    (why: string) => `The case group cannot be deleted: ${why}.`,
  ],
  tooManyRules: [
    409,
    'CASEWORK_TOO_MANY_RULES',
    (rules: string, max: number) =>
      `There are ${max} ${rules} already, which is the limit: every event is compared with each of them.`,
  ],
  /** Rules that took so much work that the next batch of the tenant would wait for long. */
  conditionsBusy: [
    503,
    'CASEWORK_CONDITIONS_BUSY',
    (retryAfterSeconds: number) => ({
      text: 'The conditions of the rules have used up the work that they may do on this node. Nothing was stored; try again later, or make the conditions cheaper.',
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),
  ],
  muteRuleNotFound: [404, 'CASEWORK_MUTE_RULE_NOT_FOUND', 'There is no mute rule of this id.'],
  muteRuleNotValid: [
    400,
    'CASEWORK_MUTE_RULE_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The mute rule is not valid; nothing was stored.',
      fields: problems,
    }),
  ],
})

// Operating errors of case groups and mute rules; docs/reference/errors.md lists them.

import { OperatingError } from '../../kernel/operating-error.ts'
import { type FieldProblem } from '../../values/field-problem.ts'

export function caseGroupNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CASE_GROUP_NOT_VALID',
    status: 400,
    publicMessage: 'The case group is not valid; nothing was stored.',
    fields: problems,
  })
}

export function caseGroupTaken(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CASE_GROUP_TAKEN',
    status: 409,
    publicMessage:
      'A case group of this id exists, or cases of a deleted group of this id. Change that group, or choose another id.',
  })
}

export function caseGroupInUse(why: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CASE_GROUP_IN_USE',
    status: 409,
    publicMessage: `The case group cannot be deleted: ${why}.`,
  })
}

export function tooManyRules(rules: string, max: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_RULES',
    status: 409,
    publicMessage: `There are ${max} ${rules} already, which is the limit: every event is compared with each of them.`,
  })
}

/** Rules that took so much work that the next batch of the tenant would wait for long. */
export function conditionsBusy(retryAfterSeconds: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CONDITIONS_BUSY',
    status: 503,
    publicMessage:
      'The conditions of the rules have used up the work that they may do on this node. Nothing was stored; try again later, or make the conditions cheaper.',
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}

export function muteRuleNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_MUTE_RULE_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no mute rule of this id.',
  })
}

export function muteRuleNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_MUTE_RULE_NOT_VALID',
    status: 400,
    publicMessage: 'The mute rule is not valid; nothing was stored.',
    fields: problems,
  })
}

// Operating errors of groups of users. See docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export function groupNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_GROUP_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no group of this id.',
  })
}

export function groupTaken(): OperatingError {
  return new OperatingError({
    code: 'APP_GROUP_TAKEN',
    status: 409,
    publicMessage: 'This tenant has a group of this name already.',
  })
}

export function groupNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'APP_GROUP_NOT_VALID',
    status: 400,
    publicMessage: 'The group cannot be kept as described.',
    fields: problems,
  })
}

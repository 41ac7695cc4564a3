// Operating errors of people and their groups. See docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export function userNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_USER_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no user of this id.',
  })
}

export function userNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'APP_USER_NOT_VALID',
    status: 400,
    publicMessage: 'The user cannot be kept as described.',
    fields: problems,
  })
}

export function userTaken(): OperatingError {
  return new OperatingError({
    code: 'APP_USER_TAKEN',
    status: 409,
    publicMessage: 'A user of this tenant has this e-mail address already.',
  })
}

export function lastAdministrator(): OperatingError {
  return new OperatingError({
    code: 'APP_LAST_ADMINISTRATOR',
    status: 409,
    publicMessage:
      'No other user administers the instance. Give another one the role instance-admin first.',
  })
}

export function userDisabled(): OperatingError {
  return new OperatingError({
    code: 'APP_USER_DISABLED',
    status: 409,
    publicMessage: 'This user is disabled; enable them first.',
  })
}

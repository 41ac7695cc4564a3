// Operating errors of people and their groups. See docs/reference/errors.md.

import { defineErrors } from '../../kernel/define-errors.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export const { userNotFound, userNotValid, userTaken, lastAdministrator, userDisabled } =
  defineErrors({
    userNotFound: [404, 'APP_USER_NOT_FOUND', 'There is no user of this id.'],
    userNotValid: [
      400,
      'APP_USER_NOT_VALID',
      (problems: readonly FieldProblem[]) => ({
        text: 'The user cannot be kept as described.',
        fields: problems,
      }),
    ],
    userTaken: [409, 'APP_USER_TAKEN', 'A user of this tenant has this e-mail address already.'],
    lastAdministrator: [
      409,
      'APP_LAST_ADMINISTRATOR',
      'No other user administers the instance. Give another one the role instance-admin first.',
    ],
    userDisabled: [409, 'APP_USER_DISABLED', 'This user is disabled; enable them first.'],
  })

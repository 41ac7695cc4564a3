// Operating errors of groups of users. See docs/reference/errors.md.

import { defineErrors } from '../../kernel/define-errors.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export const { groupNotFound, groupTaken, groupNotValid } = defineErrors({
  groupNotFound: [404, 'APP_GROUP_NOT_FOUND', 'There is no group of this id.'],
  groupTaken: [409, 'APP_GROUP_TAKEN', 'This tenant has a group of this name already.'],
  groupNotValid: [
    400,
    'APP_GROUP_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The group cannot be kept as described.',
      fields: problems,
    }),
  ],
})
